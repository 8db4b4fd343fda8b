// The step that lets stores go past the caches (ir::Buffer::nontemporal).
//
// A store to a line that no cache has reads the line from memory first, and puts out another that
// may be of use. Where far more is written than caches hold, both are in vain: a copy that stores
// past them moves two thirds of the bytes.
#pragma once

#include <string_view>

#include "schedule/step.h"

namespace vyre::schedule {

inline constexpr std::string_view nontemporal_name = "nontemporal";
extern const Step nontemporal_step;

// Every buffer that is only written becomes nontemporal. Refused where there is none.
[[nodiscard]] Result<ir::Program> with_nontemporal_stores(const ir::Program& program);

}  // namespace vyre::schedule
