// `vyre doctor`: checks every part that running a kernel needs and says how to mend what is broken.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/checkup.h"
#include "cli/command.h"
#include "cli/device_checkup.h"
#include "cli/drivers.h"
#include "cli/print.h"
#include "store/disk.h"
#include "vyre/device/device.h"
#include "worker/list.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;

using State = Check::State;

constexpr std::string_view install_driver =
    "on Debian `apt install pocl-opencl-icd` for the CPU, or install the OpenCL driver of the "
    "GPU's vendor";

// Empty if a file can be made, written and removed in the directory.
std::string why_not_writable(const fs::path& directory) {
  if (const auto made = store::make_directory(directory); !made) return made.error().message;
  std::error_code error;
  const fs::path probe = directory / fmt::format(".vyre-doctor-{}", getpid());
  std::ofstream out(probe);
  out << "written by vyre doctor\n";
  out.close();
  const bool written = !out.fail();
  fs::remove(probe, error);
  return written ? "" : "no file can be written in it";
}

Check check_loader(const device::Listing& listing) {
  if (listing.opencl != device::OpenclState::no_loader) {
    return {.name = "OpenCL loader", .found = "libOpenCL.so.1"};
  }
  return {State::problem, "OpenCL loader", "libOpenCL.so.1 was not found",
          "on Debian `apt install ocl-icd-libopencl1`"};
}

// The drivers that the OpenCL loader is told of, and whether their libraries can be loaded.
Check check_drivers(const Environment& environment) {
  const auto drivers = registered_drivers(environment);
  const std::string place = drivers_place(environment).string();
  if (drivers.empty()) {
    return {State::problem, "OpenCL drivers", "none is registered in " + place,
            std::string(install_driver) +
                (environment.icd_vendors.empty() ? "" : "; or unset OCL_ICD_VENDORS")};
  }
  std::vector<std::string> libraries;
  for (const Driver& driver : drivers) {
    if (const std::string why = why_not_loadable(driver); !why.empty()) {
      return {State::problem, "OpenCL drivers",
              fmt::format("{} cannot be loaded: {}", driver.registered, why),
              "install the package that this file belongs to again, or delete the file"};
    }
    libraries.push_back(driver.library);
  }
  return {.name = "OpenCL drivers",
          .found = fmt::format("{} in {}", fmt::join(libraries, ", "), place)};
}

Check check_devices(const device::Listing& listing) {
  if (listing.opencl != device::OpenclState::ready) {
    return {State::problem, "OpenCL device", listing.why_no_opencl,
            listing.opencl == device::OpenclState::no_device
                ? "mend the other problems first; if there are none, see whether `clinfo` says more"
                : "mend the loader and the drivers first"};
  }
  std::vector<std::string> names;
  for (const auto& [which, adapter] : listing.devices) {
    if (adapter.kind == "opencl") names.push_back(fmt::format("{} {}", which, adapter.name));
  }
  return {.name = "OpenCL device", .found = fmt::format("{}", fmt::join(names, ", "))};
}

// Makes the directory if it is not there, and writes a file in it.
Check check_directory(std::string name, const fs::path& directory, std::string fix) {
  if (const std::string why = why_not_writable(directory); !why.empty()) {
    return {State::problem, std::move(name), fmt::format("{}: {}", directory.string(), why),
            std::move(fix)};
  }
  return {.name = std::move(name), .found = directory.string() + " can be written"};
}

// PoCL without a cache it can write offers no device, so a registered PoCL counts as well.
bool uses_pocl(const device::Listing& listing, const Environment& environment) {
  return std::ranges::any_of(listing.devices,
                             [](const device::Listed& listed) {
                               return listed.adapter.platform == pocl_platform;
                             }) ||
         std::ranges::any_of(registered_drivers(environment), [](const Driver& driver) {
           return driver.library.find("pocl") != std::string::npos;
         });
}

void check_listed(Checkup& checkup, const device::Listing& listing,
                  const Environment& environment) {
  checkup.add(check_loader(listing));
  checkup.add(check_devices(listing));
  for (const device::Listed& listed : listing.devices) {
    if (listed.adapter.kind == "opencl") check_device(checkup, listed, environment);
  }
  if (listing.opencl != device::OpenclState::ready) {
    checkup.add({.state = State::skipped, .name = "kernel", .found = "there is no device"});
  }
}

void check_directories(Checkup& checkup, const device::Listing& listing,
                       const Environment& environment) {
  checkup.add(check_directory("vyre's cache", cache_directory(environment),
                              "set XDG_CACHE_HOME to a directory that you can write to"));
  if (!uses_pocl(listing, environment)) return;
  checkup.add(check_directory("PoCL's cache", pocl_cache_directory(environment),
                              "set POCL_CACHE_DIR to a directory that you can write to"));
}

// The devices are listed in a worker, which a driver may bring down; an empty list if it does.
device::Listing check_opencl(Checkup& checkup, const Environment& environment) {
  auto listing = worker::list(doctor_worker(environment));
  if (listing) {
    check_listed(checkup, *listing, environment);
    return *std::move(listing);
  }
  checkup.add({State::problem, "OpenCL device", listing.error().message,
               "one of the drivers does this: set OCL_ICD_VENDORS to the file of one after the "
               "other to see which, and install that one again or remove it"});
  return {};
}

ExitStatus doctor(const Environment& environment) {
  Checkup checkup(environment.colour);
  const bool has_worker = checkup.add(check_worker(environment));
  checkup.add(check_drivers(environment));
  device::Listing listing;
  if (has_worker) {
    listing = check_opencl(checkup, environment);
  } else {
    checkup.add({.state = State::skipped,
                 .name = "OpenCL device",
                 .found = "devices are only opened in the worker process"});
  }
  check_directories(checkup, listing, environment);
  if (checkup.problems() == 0) return done;
  print_message("vyre: {} of {} checks found a problem\n", checkup.problems(), checkup.checks());
  const bool no_device = !listing.devices.empty() && listing.opencl != device::OpenclState::ready;
  return no_device ? no_such_device : check_failed;
}

}  // namespace

Command doctor_command() {
  return {
      .name = "doctor",
      .summary = "Check what running kernels needs on this machine, and what its devices get wrong",
      .example = "vyre doctor && echo ready",
      .declare = [](CLI::App&) -> Action { return doctor; },
  };
}

}  // namespace vyre::cli
