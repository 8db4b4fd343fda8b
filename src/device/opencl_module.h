// Source text compiled by an OpenCL driver.
#pragma once

#include <memory>
#include <string>

#include "device/opencl_offer.h"
#include "vyre/device/device.h"

namespace vyre::device {

// `options` follow the device's own, of which they may replace the language's version. On failure
// the error is of kind `compile` and holds the compiler's log.
[[nodiscard]] Result<std::unique_ptr<Module>> build_opencl(const Device& owner,
                                                           const OpenclOffer& offer,
                                                           cl_context context,
                                                           const std::string& source,
                                                           const std::string& options);

}  // namespace vyre::device
