// The devices of this machine, listed in a worker: a driver that crashes or hangs when it is asked
// ends that process, and not the one that wants to know.
#pragma once

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/worker/options.h"

namespace vyre::worker {

// As device::list. Of the options the device does not count. A worker that is lost is an error of
// kind no_device, with what the driver said.
[[nodiscard]] Result<device::Listing> list(const Options& options);

}  // namespace vyre::worker
