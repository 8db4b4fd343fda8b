#include "formats/file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

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

}  // namespace

Result<std::string> read_text(const std::string& path, std::size_t most) {
  const File file(gzopen(path.c_str(), "rb"));
  if (!file) {
    return fail(ErrorKind::io, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
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

std::string stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view ending : {".gz", ".json"}) {
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  }
  return std::string(path);
}

}  // namespace vyre::formats
