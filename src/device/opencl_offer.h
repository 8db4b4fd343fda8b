// One OpenCL device as the driver describes it: its adapter, and how to compile for it.
#pragma once

#include <cstdint>
#include <string>

#include "device/opencl_api.h"
#include "vyre/device/device.h"

namespace vyre::device {

struct OpenclOffer {
  cl_device_id device = nullptr;
  Adapter adapter;
  std::string build_options;
  std::uint32_t address_bits = 64;
};

[[nodiscard]] OpenclOffer offer_of(const std::string& platform, cl_device_id device);

}  // namespace vyre::device
