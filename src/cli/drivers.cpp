#include "cli/drivers.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "cli/isolate.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;

// The first word of an .icd file is the library's name or path.
std::string library_in(const fs::path& file) {
  std::ifstream in(file);
  std::string library;
  in >> library;
  return library;
}

std::vector<Driver> drivers_in(const fs::path& directory) {
  std::vector<Driver> drivers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".icd") continue;
    drivers.push_back({entry.path().string(), library_in(entry.path())});
  }
  std::ranges::sort(drivers, {}, &Driver::registered);
  return drivers;
}

}  // namespace

fs::path drivers_place(const Environment& environment) {
  if (!environment.icd_vendors.empty()) return environment.icd_vendors;
  return "/etc/OpenCL/vendors";
}

std::vector<Driver> registered_drivers(const Environment& environment) {
  const fs::path place = drivers_place(environment);
  std::error_code error;
  if (fs::is_directory(place, error)) return drivers_in(place);
  if (place.extension() == ".icd") {
    if (!fs::exists(place, error)) return {};
    return {{place.string(), library_in(place)}};
  }
  // A name without a directory is looked up by the dynamic linker, so it need not be a file here.
  if (fs::exists(place, error) || !place.has_parent_path())
    return {{place.string(), place.string()}};
  return {};
}

std::string why_not_loadable(const Driver& driver) {
  if (driver.library.empty()) return "the file names no library";
  const auto load = [&] { return dlopen(driver.library.c_str(), RTLD_LAZY | RTLD_LOCAL); };
  const auto failed = in_child([&] { return load() == nullptr ? 1 : 0; });
  if (!failed) return fmt::format("the process that loaded it {}", failed.error());
  // It could be loaded, or this fails as it did there.
  if (*failed == 0 || load() != nullptr) return {};
  const char* why = dlerror();
  return why == nullptr ? "unknown reason" : why;
}

}  // namespace vyre::cli
