// `vyre doctor`: checks every part that running a kernel needs and says how to mend what is broken.
#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <span>

#include "cli/command.h"
#include "cli/drivers.h"
#include "cli/print.h"
#include "vyre/device/device.h"

namespace vyre::cli {
namespace {

namespace fs = std::filesystem;

// One part of the machine: what was looked at, what was found, how to mend it.
struct Check {
  enum class State : unsigned char { ok, problem, skipped };
  State state = State::ok;
  std::string name;
  std::string found;
  std::string fix;  // what to do; empty unless there is a problem
};
using State = Check::State;

constexpr std::string_view install_driver =
    "on Debian `apt install pocl-opencl-icd` for the CPU, or install the OpenCL driver of the "
    "GPU's vendor";

// Sees a wrong id, a wrong scalar and a buffer that was not written.
constexpr std::uint32_t items = 256;
constexpr std::uint32_t factor = 3;
constexpr const char* kernel_source =
    "__kernel void vyre_doctor(__global uint* out, uint factor) {\n"
    "  out[get_global_id(0)] = (uint)get_global_id(0) * factor + 1;\n"
    "}\n";

Result<std::vector<std::uint32_t>> run_kernel(device::Device& device) {
  auto module = device.compile(kernel_source);
  if (!module) return std::unexpected(module.error());
  auto kernel = (*module)->kernel("vyre_doctor");
  if (!kernel) return std::unexpected(kernel.error());
  std::vector<std::uint32_t> host(items, 0);
  auto buffer = device.allocate(items * sizeof(std::uint32_t));
  if (!buffer) return std::unexpected(buffer.error());
  if (auto done = device.write(**buffer, std::as_bytes(std::span(host))); !done) {
    return std::unexpected(done.error());
  }
  const std::vector<device::Argument> arguments = {buffer->get(),
                                                   Literal{.scalar = Scalar::u32, .bits = factor}};
  const Shape shape{.grid = {items, 1, 1}, .groups = {items / 32, 1, 1}, .workgroup = {32, 1, 1}};
  if (auto done = device.launch(**kernel, arguments, shape); !done) {
    return std::unexpected(done.error());
  }
  if (auto done = device.read(std::as_writable_bytes(std::span(host)), **buffer); !done) {
    return std::unexpected(done.error());
  }
  return host;
}

// Empty if every element is right.
std::string first_wrong(std::span<const std::uint32_t> out) {
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (out[i] != i * factor + 1) {
      return fmt::format("it ran, but element {} is {} instead of {}", i, out[i], i * factor + 1);
    }
  }
  return {};
}

// One line: doctor prints one check per line.
std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    text.replace(at, 1, " | ");
  }
  return text;
}

// Empty if a file can be made, written and removed in the directory.
std::string why_not_writable(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return fmt::format("cannot be made: {}", error.message());
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

Check check_device(const device::Listing& listing) {
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

// Compiles a kernel on the device, runs it and compares what it wrote.
Check check_kernel(const device::Listed& listed) {
  const std::string name = "kernel on " + listed.which;
  const std::string fix =
      "install the driver of this device again, or choose another device with --device";
  const auto device = device::open(listed.which);
  if (!device) return {State::problem, name, in_one_line(device.error().message), fix};
  const auto out = run_kernel(**device);
  if (!out) return {State::problem, name, in_one_line(out.error().message), fix};
  if (const auto wrong = first_wrong(*out); !wrong.empty()) {
    return {State::problem, name, wrong, fix};
  }
  return {.name = name, .found = "compiled, ran, and wrote what it should"};
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
               check.fix.empty() ? "" : ". To mend it: ", check.fix);
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
