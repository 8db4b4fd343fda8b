// The checks of `vyre doctor`, each on its own: what it looked at, what it found, how to mend it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/environment.h"
#include "vyre/device/device.h"

namespace vyre::cli {

struct Check {
  enum class State : unsigned char { ok, problem, skipped };
  State state = State::ok;
  std::string name;
  std::string found;
  std::string mend;  // empty unless there is a problem
};

[[nodiscard]] Check check_loader(const device::Listing& listing);

// The drivers that the OpenCL loader is told of, and whether their libraries can be loaded.
[[nodiscard]] Check check_drivers(const Environment& environment);

[[nodiscard]] Check check_device(const device::Listing& listing);

// Compiles a kernel on the device, runs it and compares what it wrote.
[[nodiscard]] Check check_kernel(const device::Listed& listed);

// Makes the directory if it is not there, and writes a file in it.
[[nodiscard]] Check check_directory(std::string name, const std::filesystem::path& directory,
                                    std::string mend);

}  // namespace vyre::cli
