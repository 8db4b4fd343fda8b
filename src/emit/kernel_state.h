// What is known and gathered while one program is emitted.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "emit/dialect.h"
#include "emit/emit.h"
#include "emit/helpers.h"
#include "emit/names.h"
#include "ir/range.h"

namespace vyre::emit {

struct KernelState {
  const Unit& unit;
  const Dialect& dialect;
  Helpers& helpers;
  bool workgroup_is_fixed = false;
  Names names;
  ir::Ranges ranges;
  std::map<std::string, ir::Interval, std::less<>> counts;  // elements of each buffer

  // Filled while the body is emitted; the head then declares what the body uses.
  std::set<std::string, std::less<>> used_uniforms;
  std::map<std::pair<ir::IdKind, int>, std::string> used_ids;
  std::uint32_t guarded = 0;

  [[nodiscard]] const ir::Program& program() const { return unit.program; }
};

// Checks the fixed uniforms, evaluates what they settle, and sets up names and ranges.
[[nodiscard]] Result<KernelState> start_kernel(const Unit& unit, const Dialect& dialect,
                                               Helpers& helpers);

}  // namespace vyre::emit
