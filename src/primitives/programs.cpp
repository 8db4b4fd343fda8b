#include "primitives/programs.h"

#include <algorithm>

#include "base/check.h"
#include "primitives/checks.h"

namespace vyre::primitives {

ir::Program finished(const ir::Builder& builder) {
  auto program = builder.finish();
  if (!program) broken_invariant(program.error().message.c_str(), {});
  return *std::move(program);
}

Result<ir::Program> finished(std::string_view primitive, const ir::Builder& builder) {
  auto program = builder.finish();
  if (!program) return refuse(primitive, program.error().message);
  return program;
}

Result<std::vector<ir::Program>> all_of(std::initializer_list<Result<ir::Program>> programs) {
  std::vector<ir::Program> all;
  for (const auto& program : programs) {
    if (!program) return Unexpected(program.error());
    all.push_back(*program);
  }
  return all;
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
