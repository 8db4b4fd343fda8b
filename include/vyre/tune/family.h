// Programs that compute the same in different ways, as a space: what the tuner chooses from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trial/candidate.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/primitives/kfac.h"
#include "vyre/space/space.h"

namespace vyre::tune {

struct Family {
  std::string name;
  space::Space space;
  space::Index original = 0;  // the member that everything is compared with
  // A member; an error where the configuration is not legal. Members have the same global buffers
  // and uniforms.
  std::function<Result<ir::Program>(space::Index)> member;
  // How far a member's results may be from the original's, and buffers in which anything may stand.
  trial::Tolerance tolerance = {};
  std::vector<std::string> scratch = {};
  // Members that were good in other programs: worth a try before the search knows anything.
  std::vector<space::Index> promising = {};
};

// A program and everything that schedule steps make of it; the original is the program as it is.
[[nodiscard]] Result<Family> family_of(const ir::Program& program, const ir::Uniforms& uniforms,
                                       const device::Limits& limits);

// The layouts of kfac_block_inverse; the original is one block per invocation. They round in
// different orders, so results agree within what a condition number of 100 makes of that.
[[nodiscard]] Result<Family> kfac_family(const primitives::KfacOptions& options);

}  // namespace vyre::tune
