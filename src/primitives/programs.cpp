#include "primitives/programs.h"

#include <algorithm>

#include "base/check.h"

namespace vyre::primitives {

ir::Program finished(const ir::Builder& builder) {
  auto program = builder.finish();
  if (!program) broken_invariant(program.error().message.c_str(), {});
  return *std::move(program);
}

ir::Value round_up(const ir::Value& count, std::uint32_t step) {
  return (count + (step - 1)) / step * step;
}

std::uint32_t automatic_shares(const device::Adapter& adapter) {
  return std::max(adapter.limits.compute_units, 1U) * (adapter.is_cpu ? 8 : 512);
}

Result<ir::Program> scheduled(Result<ir::Program> program,
                              const std::optional<schedule::Schedule>& steps) {
  if (!program || !steps) return program;
  return schedule::apply(*program, *steps);
}

}  // namespace vyre::primitives
