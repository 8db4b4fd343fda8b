#include "worker/place.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "vyre/worker/options.h"

namespace vyre::worker {
namespace {

namespace fs = std::filesystem;

constexpr const char* worker_name = "vyre-worker";

// What packages said. Programs tell it before main, libraries that are loaded later from any
// thread.
struct Told {
  std::mutex mutex;
  std::vector<fs::path> workers;
};

Told& told() {
  static Told all;
  return all;
}

fs::path running_program() {
  std::error_code failed;
  fs::path self = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : self;
}

// The file that this code was loaded from; empty where it is part of the program itself.
fs::path own_library() {
  static const char here{};
  Dl_info info{};
  void* found = nullptr;
  if (dladdr1(&here, &info, &found, RTLD_DL_LINKMAP) == 0) return {};
  std::error_code failed;
  fs::path real = fs::canonical(static_cast<const link_map*>(found)->l_name, failed);
  return failed ? fs::path() : real;
}

// Without links and "..", which an error message should not have; the file itself may be a link.
std::string plain(const fs::path& file) {
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(file.parent_path(), failed);
  return (failed ? file.lexically_normal() : folder / file.filename()).string();
}

bool runs(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

namespace detail {

bool tell_worker(const char* program) noexcept {
  const fs::path worker = program;
  // The folder that it was compiled in is not the one that it runs in.
  if (!worker.is_absolute()) return false;
  Told& all = told();
  const std::scoped_lock lock(all.mutex);
  if (std::ranges::find(all.workers, worker) == all.workers.end()) all.workers.push_back(worker);
  return true;
}

bool tell_header(const char* header) noexcept {
  // include/vyre/worker/options.h
  const fs::path include = fs::path(header).parent_path().parent_path().parent_path();
  return tell_worker((include / VYRE_WORKER_FROM_INCLUDE / worker_name).c_str());
}

}  // namespace detail

Landmarks landmarks() {
  Told& all = told();
  const std::scoped_lock lock(all.mutex);
  return {.program = running_program(),
          .library = own_library(),
          .told = all.workers,
          .installed = VYRE_INSTALLED_WORKER,
          .from_program = VYRE_WORKER_FROM_BIN,
          .from_library = VYRE_WORKER_FROM_LIB};
}

std::vector<std::string> places(const Landmarks& from) {
  std::vector<fs::path> files;
  if (!from.program.empty()) {
    const fs::path folder = from.program.parent_path();
    files.push_back(folder / worker_name);
    files.push_back(folder / from.from_program / worker_name);
  }
  if (!from.library.empty()) {
    files.push_back(from.library.parent_path() / from.from_library / worker_name);
  }
  files.insert(files.end(), from.told.begin(), from.told.end());
  if (!from.installed.empty()) files.push_back(from.installed);

  std::vector<std::string> unique;
  for (const fs::path& file : files) {
    std::string place = plain(file);
    if (std::ranges::find(unique, place) == unique.end()) unique.push_back(std::move(place));
  }
  return unique;
}

Result<std::string> first_to_run(const std::vector<std::string>& places) {
  const auto found = std::ranges::find_if(places, runs);
  if (found != places.end()) return *found;
  return fail(
      ErrorKind::io,
      fmt::format("the program vyre-worker is not there: looked for {}. It comes with vyre: "
                  "install vyre again, or say where it is with worker::Options::program",
                  fmt::join(places, ", ")));
}

Result<std::string> find_program(const std::string& given) {
  return first_to_run(given.empty() ? places(landmarks()) : std::vector{given});
}

}  // namespace vyre::worker
