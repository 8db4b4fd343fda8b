#include "worker/find_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

namespace vyre::worker {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> usual_places() {
  std::vector<std::string> places;
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    places.push_back(self.parent_path() / "vyre-worker");
    places.push_back(self.parent_path().parent_path() / "libexec" / "vyre" / "vyre-worker");
  }
  places.emplace_back(VYRE_INSTALLED_WORKER);
  return places;
}

bool runs(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<std::string> find_program(const std::string& given) {
  const auto places = given.empty() ? usual_places() : std::vector<std::string>{given};
  for (const std::string& place : places) {
    if (runs(place)) return place;
  }
  return fail(
      ErrorKind::io,
      fmt::format("the program vyre-worker is not there: looked for {}. It comes with vyre; "
                  "say where it is with worker::Options::program",
                  fmt::join(places, ", ")));
}

}  // namespace vyre::worker
