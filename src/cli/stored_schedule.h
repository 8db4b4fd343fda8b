// What the store says of a program, as the text of a schedule.
#pragma once

#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/store/store.h"

namespace vyre::cli {

struct StoredSchedule {
  std::string text;                // "wg_x=8 vector=16"; empty: the program as it is
  std::string origin;              // how well it fits: "exact match"
  std::vector<std::string> notes;  // for the user
};

// As VYRE_AUTOTUNER=off takes it: exact, of the nearest size, or of another adapter. An error if
// there is none, with what to do.
[[nodiscard]] Result<StoredSchedule> stored_schedule(store::Store& store,
                                                     const ir::Program& program,
                                                     const ir::Uniforms& uniforms,
                                                     const device::Limits& limits);

}  // namespace vyre::cli
