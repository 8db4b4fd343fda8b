// Short ways to open devices and launch on them in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "vyre/device/device.h"

namespace vyre::testing {

// The device; throws, which fails the test, with the reason if there is none.
inline std::unique_ptr<device::Device> opened(std::string_view which) {
  auto device = device::open(which);
  if (!device) throw std::runtime_error(device.error().message);
  return *std::move(device);
}

inline bool has_f64(const device::Device& device) { return device.adapter().limits.has_f64; }

inline Literal literal_u32(std::uint32_t value) { return {Scalar::u32, value}; }

// A grid of one dimension in groups of `workgroup`.
inline Shape row(std::uint32_t grid, std::uint32_t workgroup) {
  const std::uint32_t groups = workgroup == 0 ? 0 : (grid + workgroup - 1) / workgroup;
  return {.grid = {grid, 1, 1}, .groups = {groups, 1, 1}, .workgroup = {workgroup, 1, 1}};
}

}  // namespace vyre::testing
