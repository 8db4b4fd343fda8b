// The table of what emitted code relies on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trial/candidate.h"
#include "vyre/device/device.h"

namespace vyre::trial {

// How a requirement is looked at.
enum class Trial : std::uint8_t {
  results,  // the program must leave what the interpreter does, in every run
  clock,    // its times must not be 0, and grow with the uniform `rounds`
};

struct Requirement {
  std::string name;
  std::string means;    // for a user, where it does not hold
  std::string program;  // as .vy text
  std::vector<std::string>
      data;                // of its global buffers, as run/data.h reads it; random if left out
  std::uint64_t ulps = 0;  // by which floats may differ
  std::uint32_t runs = 1;
  bool needs_f64 = false;
  Trial trial = Trial::results;
};

// Some programs are as large as the device's limits.
[[nodiscard]] std::vector<Requirement> requirements(const device::Limits& limits);

}  // namespace vyre::trial
