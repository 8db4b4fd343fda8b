#include "cli/device_checkup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <utility>

#include "trial/conformance.h"
#include "worker/process.h"
#include "worker/session.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

bool is_in_path(std::string_view program, std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = path.find(':');
    const fs::path file = fs::path(path.substr(0, end)) / program;
    if (access(file.c_str(), X_OK) == 0) return true;
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return false;
}

// What to do about a device that runs no kernel.
std::string fix_for(const device::Adapter& adapter, const Environment& environment) {
  if (adapter.platform == pocl_platform && !is_in_path("ld", environment.path)) {
    return "PoCL links kernels with the program `ld`, which is not in PATH: add its directory "
           "there, or on Debian `apt install binutils`";
  }
  return "install the driver of this device again, or choose another device with --device";
}

Result<std::vector<trial::Conformance>> tried(const worker::Options& options,
                                              std::span<const std::string_view> only = {}) {
  auto session = worker::Session::start(options);
  if (!session) return Unexpected(session.error());
  return trial::conformance(*session, only);
}

// Why the first requirement, that a kernel runs, does not hold; empty if it does.
std::string why_no_kernel(const Result<std::vector<trial::Conformance>>& found) {
  return found ? found->front().broken : found.error().message;
}

}  // namespace

worker::Options doctor_worker(const Environment& environment, std::string device) {
  return {.device = std::move(device),
          .environment = {worker::cache_variable + pocl_cache_directory(environment).string()}};
}

Check check_worker(const Environment& environment) {
  const std::string name = "worker process";
  const auto found = tried(doctor_worker(environment), std::array{trial::runs_a_kernel});
  if (const std::string why = why_no_kernel(found); !why.empty()) {
    return {State::problem, name, why,
            "kernels are tried in the program vyre-worker, which needs a few descriptors and "
            "processes (`ulimit -a`) and a temporary directory; if it is missing install vyre "
            "again"};
  }
  return {.name = name, .found = "it starts, and runs a kernel"};
}

void check_device(Checkup& checkup, const device::Listed& listed, const Environment& environment) {
  const std::string on = " on " + listed.which;
  const std::string kernel = std::string(trial::runs_a_kernel) + on;
  const auto found = tried(doctor_worker(environment, listed.which));
  if (const std::string why = why_no_kernel(found); !why.empty()) {
    checkup.add({State::problem, kernel, why, fix_for(listed.adapter, environment)});
    return;
  }
  checkup.add({.name = kernel, .found = "compiled, ran, and wrote what it should"});
  const std::size_t problems = checkup.problems();
  for (const trial::Conformance& one : *found) {
    if (one.broken.empty()) continue;
    checkup.add({State::problem, one.name + on, fmt::format("{}. So {}", one.broken, one.means),
                 "update the driver of this device, or choose another with --device"});
  }
  if (checkup.problems() > problems) return;
  checkup.add({.name = "conformance" + on,
               .found = fmt::format("all {} requirements hold", found->size())});
}

}  // namespace vyre::cli
