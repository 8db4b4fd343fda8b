#include "formats/file.h"

#include <fmt/format.h>
#define ZLIB_CONST  // what zlib reads is const
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/check.h"
#include "base/input.h"
#include "base/output.h"

namespace vyre::formats {
namespace {

struct Closer {
  void operator()(gzFile file) const { gzclose_r(file); }
};
using File = std::unique_ptr<gzFile_s, Closer>;

constexpr std::size_t chunk = std::size_t{1} << 20;

std::string reason(gzFile file) {
  int code = Z_OK;
  const std::string text = gzerror(file, &code);
  if (code == Z_ERRNO) return std::strerror(errno);
  return code == Z_BUF_ERROR ? "the compressed data end early" : text;
}

// As gzip does. No name and no time go into it: the same text gives the same bytes.
Result<std::string> compressed(std::string_view text) {
  constexpr int gzip_window = MAX_WBITS + 16;
  constexpr int memory = 8;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return fail(ErrorKind::limit, "there is no memory left to compress");
  }
  std::string made(deflateBound(&stream, text.size()), '\0');
  std::size_t done = 0;
  int state = Z_OK;
  // zlib counts in 32 bits, so a long text goes in parts.
  while (state == Z_OK) {
    const std::string_view part = text.substr(0, chunk);
    const std::size_t room = std::min(made.size() - done, 2 * chunk);
    stream.next_in = reinterpret_cast<const Bytef*>(part.data());
    stream.avail_in = static_cast<uInt>(part.size());
    stream.next_out = reinterpret_cast<Bytef*>(made.data() + done);
    stream.avail_out = static_cast<uInt>(room);
    state = deflate(&stream, part.size() == text.size() ? Z_FINISH : Z_NO_FLUSH);
    text.remove_prefix(part.size() - stream.avail_in);
    done += room - stream.avail_out;
  }
  deflateEnd(&stream);
  check(state == Z_STREAM_END, "the bound of zlib is room enough");
  made.resize(done);
  return made;
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::size_t most) {
  auto input = open_input(path);
  if (!input) return fail(ErrorKind::io, fmt::format("cannot open {}: {}", path, input.error()));
  const File file(gzdopen(input->number(), "rb"));
  if (!file) return fail(ErrorKind::limit, "there is no memory left to read files");
  static_cast<void>(input->release());  // the gzFile closes it
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + chunk);
    const int count = gzread(file.get(), text.data() + before, chunk);
    text.resize(before + static_cast<std::size_t>(std::max(count, 0)));
    int code = Z_OK;
    static_cast<void>(gzerror(file.get(), &code));
    if (count < 0 || (count == 0 && code != Z_OK && code != Z_STREAM_END)) {
      return fail(ErrorKind::io, fmt::format("cannot read {}: {}", path, reason(file.get())));
    }
    if (text.size() > most) {
      return fail(ErrorKind::input, fmt::format("{} is larger than {} bytes", path, most));
    }
    if (count == 0) return text;
  }
}

Result<void> write_text(const std::string& path, std::string_view text) {
  std::string packed;
  if (path.ends_with(".gz")) {
    auto made = compressed(text);
    if (!made) return Unexpected(made.error());
    packed = *std::move(made);
    text = packed;
  }
  return write_output(path, text);
}

std::string stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view ending : {".gz", ".json"}) {
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  }
  return std::string(path);
}

}  // namespace vyre::formats
