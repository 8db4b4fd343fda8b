// The device kind `opencl`.
#pragma once

#include <memory>

#include "device/opencl_platform.h"
#include "vyre/device/device.h"

namespace vyre::device {

[[nodiscard]] Result<std::unique_ptr<Device>> open_opencl(OpenclDeviceInfo info);

}  // namespace vyre::device
