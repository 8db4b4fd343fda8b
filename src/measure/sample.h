// One measurement of a kernel, and where measurements come from.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "vyre/base/error.h"

namespace vyre::measure {

// Which of a sample's times is compared.
enum class Basis : std::uint8_t {
  wall,    // from before the launch until its end is known
  device,  // by the device's own clock
  cpu,     // CPU time of all threads: blind to load imbalance, but also to what else is running
};
[[nodiscard]] std::string_view name_of(Basis basis);

// Nanoseconds of one launch: the time of `launches` back to back, divided.
struct Sample {
  double wall_ns = 0;
  double device_ns = 0;
  double cpu_ns = 0;
  std::uint32_t launches = 1;
};
[[nodiscard]] double value(const Sample& sample, Basis basis);

// Takes one sample with this many launches.
using Sampler = std::function<Result<Sample>(std::uint32_t launches)>;

}  // namespace vyre::measure
