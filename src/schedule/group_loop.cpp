#include "schedule/group_loop.h"

#include "ir/fold.h"

namespace vyre::schedule {

using ir::Expr;

std::uint32_t group_size(const Extent& workgroup) {
  return workgroup[0] * workgroup[1] * workgroup[2];
}

Expr number_in_group(const Extent& workgroup) {
  Expr number = ir::literal(0U);
  for (std::uint8_t dim = 3; dim-- > 0;) {
    if (workgroup[dim] == 1) continue;
    number = plus(times(number, ir::literal(workgroup[dim])), ir::Id{ir::IdKind::local, dim});
  }
  return number;
}

ir::For group_loop(std::string name, const Expr& count, const Extent& workgroup) {
  const Expr step = ir::literal(group_size(workgroup));
  return {std::move(name), number_in_group(workgroup), count, step, {}};
}

}  // namespace vyre::schedule
