// The device kind `opencl`.
#pragma once

#include <memory>

#include "device/opencl_handle.h"
#include "device/opencl_offer.h"
#include "vyre/device/device.h"

namespace vyre::device {

[[nodiscard]] Result<std::unique_ptr<Device>> open_opencl(OpenclOffer offer);

}  // namespace vyre::device
