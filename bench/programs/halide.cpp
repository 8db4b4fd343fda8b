#include "halide.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "base/check.h"
#include "command.h"

namespace vyre::bench {
namespace {

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

// Its threads run code of the library.
void close_library(void* library) {
  if (const auto stop = symbol<void (*)()>(library, "peer_stop"); stop != nullptr) stop();
  ::dlclose(library);
}

// What the script says about the program.
Result<nlohmann::json> ask_script(std::string_view program) {
  const std::string python = VYRE_PEERS "/bin/python";
  if (!std::filesystem::exists(python)) {
    return fail(ErrorKind::io, "Halide is not installed: run tools/install peers");
  }
  VYRE_TRY(const auto text, output_of(fmt::format("'{}' '{}' '{}' {}", python, VYRE_HALIDE_SCRIPT,
                                                  VYRE_PEERS, program)));
  auto answer = nlohmann::json::parse(text, nullptr, false);
  if (answer.is_discarded()) return fail(ErrorKind::io, "halide_peer.py gave no answer");
  if (answer.contains("missing")) return fail(ErrorKind::io, answer.at("missing"));
  return answer;
}

}  // namespace

Result<Halide> Halide::load(std::string_view program) {
  VYRE_TRY(const auto answer, ask_script(program));
  void* library = ::dlopen(answer.at("path").get<std::string>().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(ErrorKind::io, ::dlerror());
  Halide made;
  made.library_ = std::shared_ptr<void>(library, close_library);
  made.schedule_ = answer.at("schedule");
  made.run_ = symbol<int (*)(void* const*, void* const*)>(library, "peer_run");
  const auto start = symbol<void (*)(int)>(library, "peer_start");
  if (made.run_ == nullptr || start == nullptr) {
    return fail(ErrorKind::io, "what Halide has compiled has no entry points");
  }
  start(static_cast<int>(std::thread::hardware_concurrency()));
  return made;
}

void Halide::run(const Arguments& arguments) const {
  std::vector<void*> arrays;
  for (const Array& array : arguments.arrays()) arrays.push_back(array.bytes.data());
  check(run_(arrays.data(), arrays.data()) == 0, "Halide refused the arrays of its program");
}

}  // namespace vyre::bench
