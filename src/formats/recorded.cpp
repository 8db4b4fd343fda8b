#include "vyre/formats/recorded.h"

#include <fmt/format.h>

#include "base/memory.h"
#include "formats/file.h"
#include "formats/kernel_tuner.h"
#include "formats/t4_reader.h"

namespace vyre::formats {
namespace {

using Reader = void (*)(Json&, Recording&);

// Which format it is shows in the first name that only one of them has.
Reader reader_of(std::string_view text) {
  Json json(text);
  json.enter_object();
  while (json.next_member()) {
    if (json.key() == "results") return read_t4;
    if (json.key() == "cache" || json.key() == "tune_params_keys" || json.key() == "tune_params") {
      return read_kernel_tuner;
    }
    json.skip();
  }
  return nullptr;
}

// A place says it better, together with the path.
Error in_file(const std::string& path, Error error) {
  if (!error.place.known()) error.message = fmt::format("{}: {}", path, error.message);
  return error;
}

Result<Recorded> parse_text(std::string_view text, std::string name) {
  Json json(text);
  if (!json.enter_object()) return Unexpected(json.error());
  const Reader reader = reader_of(text);
  if (reader == nullptr) {
    json.skip_members();
    if (json.failed()) return Unexpected(json.error());
    return fail(ErrorKind::input,
                "neither T4 results (\"results\") nor a Kernel Tuner cache (\"cache\")");
  }
  Recording recording;
  reader(json, recording);
  json.finish();
  if (json.failed()) return Unexpected(json.error());
  return recording.finish(std::move(name));
}

Result<Recorded> parse_file(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return Unexpected(text.error());
  auto recorded = parse_text(*text, stem(path));
  if (!recorded) return Unexpected(in_file(path, recorded.error()));
  return recorded;
}

}  // namespace

Result<Recorded> parse_recorded(std::string_view text, std::string name) {
  return within_memory([&] { return parse_text(text, std::move(name)); });
}

Result<Recorded> read_recorded(const std::string& path) {
  return within_memory([&] { return parse_file(path); });
}

}  // namespace vyre::formats
