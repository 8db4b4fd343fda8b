// `vyre doctor`: checks every part that running a kernel needs and says how to mend what is broken.
#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>

#include "cli/checks.h"
#include "cli/command.h"
#include "cli/drivers.h"
#include "cli/print.h"

namespace vyre::cli {
namespace {

using State = Check::State;

// PoCL without a cache it can write offers no device, so a registered PoCL counts as well.
bool uses_pocl(const device::Listing& listing, const Environment& environment) {
  return std::ranges::any_of(listing.devices,
                             [](const device::Listed& listed) {
                               return listed.adapter.platform == "Portable Computing Language";
                             }) ||
         std::ranges::any_of(registered_drivers(environment), [](const Driver& driver) {
           return driver.library.find("pocl") != std::string::npos;
         });
}

std::vector<Check> examine(const device::Listing& listing, const Environment& environment) {
  std::vector<Check> checks = {check_loader(listing), check_drivers(environment),
                               check_device(listing)};
  for (const device::Listed& listed : listing.devices) {
    if (listed.adapter.kind == "opencl") checks.push_back(check_kernel(listed));
  }
  if (listing.opencl != device::OpenclState::ready) {
    checks.push_back({.state = State::skipped, .name = "kernel", .found = "there is no device"});
  }
  checks.push_back(check_directory("vyre's cache", cache_directory(environment),
                                   "set XDG_CACHE_HOME to a directory that you can write to"));
  if (uses_pocl(listing, environment)) {
    checks.push_back(check_directory("PoCL's cache", pocl_cache_directory(environment),
                                     "set POCL_CACHE_DIR to a directory that you can write to"));
  }
  return checks;
}

fmt::text_style style_of(State state, bool colour) {
  if (!colour || state == State::skipped) return {};
  return fmt::fg(state == State::ok ? fmt::terminal_color::green : fmt::terminal_color::red);
}

void print(const Check& check, bool colour) {
  constexpr std::array words = {"ok", "problem", "skipped"};
  const char* word = words[static_cast<std::size_t>(check.state)];
  write_result(fmt::format(style_of(check.state, colour), "{:<7}", word));
  print_result("  {}: {}{}{}\n", check.name, check.found,
               check.mend.empty() ? "" : ". To mend it: ", check.mend);
}

ExitStatus doctor(const Environment& environment) {
  const device::Listing listing = device::list();
  const auto checks = examine(listing, environment);
  for (const Check& check : checks) print(check, environment.colour);
  flush_results();
  const auto problems = std::ranges::count(checks, State::problem, &Check::state);
  if (problems == 0) return done;
  print_message("vyre: {} of {} checks found a problem\n", problems, checks.size());
  return listing.opencl == device::OpenclState::ready ? check_failed : no_such_device;
}

}  // namespace

Command doctor_command() {
  return {
      .name = "doctor",
      .summary = "Check what running kernels needs on this machine, and say how to mend it",
      .example = "vyre doctor && echo ready",
      .declare = [](CLI::App&) -> Action { return doctor; },
  };
}

}  // namespace vyre::cli
