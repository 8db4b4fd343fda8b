// The OpenCL devices of this machine that compile source text, best first, as their drivers
// describe them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/opencl_api.h"
#include "vyre/device/device.h"

namespace vyre::device {

// One device: its adapter, and how to compile for it.
struct OpenclDeviceInfo {
  cl_device_id device = nullptr;
  Adapter adapter;
  std::string build_options;
  std::uint32_t address_bits = 64;
  bool has_clock = true;  // for the times of events
};

struct OpenclListing {
  // GPUs and accelerators before CPUs, else in the loader's order.
  std::vector<OpenclDeviceInfo> devices;
  OpenclState state = OpenclState::no_loader;
  std::string why_none;         // empty if there are devices
  std::string what_to_install;  // likewise
};

[[nodiscard]] OpenclListing list_opencl();

}  // namespace vyre::device
