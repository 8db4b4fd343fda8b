// The part of `vyre doctor` that runs kernels: only ever in a worker process, which may crash or
// hang.
#pragma once

#include "cli/checkup.h"
#include "cli/environment.h"
#include "vyre/device/device.h"
#include "vyre/worker/options.h"

namespace vyre::cli {

inline constexpr const char* pocl_platform = "Portable Computing Language";

// Workers whose drivers compile into the cache that the user's programs use.
[[nodiscard]] worker::Options doctor_worker(const Environment& environment,
                                            std::string device = "reference");

// Whether a worker starts and computes, on the device that needs no driver.
[[nodiscard]] Check check_worker(const Environment& environment);

// Whether the device runs a kernel, and then whether all holds there that emitted code relies on.
void check_device(Checkup& checkup, const device::Listed& listed, const Environment& environment);

}  // namespace vyre::cli
