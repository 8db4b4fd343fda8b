// The matrix of the live policy `natural`, computed on a device: the inverse root of the damped
// covariance of the arms' log times over rounds (see PolicyMatrix, vyre/primitives/fisher.h).
#pragma once

#include "tune/live_policy.h"
#include "vyre/device/device.h"

namespace vyre::tune {

// The device must outlive it; one thread at a time. It compiles once for each number of arms and
// rounds.
[[nodiscard]] MatrixSource live_matrix(device::Device& device, float damping = 1e-3F);

}  // namespace vyre::tune
