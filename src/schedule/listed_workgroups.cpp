#include "schedule/listed_workgroups.h"

#include <optional>

#include "ir/rewrite.h"
#include "vyre/ir/size.h"

namespace vyre::schedule {
namespace {

bool fits(const Extent& workgroup, const Limits& limits) {
  std::uint64_t invocations = 1;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    if (workgroup[dim] > limits.max_extent[dim]) return false;
    invocations *= workgroup[dim];
  }
  return invocations <= limits.max_workgroup;
}

// None where a size leaves its range.
std::optional<std::uint64_t> shared_bytes(const ir::Program& program,
                                          const ir::Uniforms& uniforms) {
  std::uint64_t bytes = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::shared) continue;
    const auto count = ir::evaluate_size(program, buffer.count, uniforms);
    if (!count) return std::nullopt;
    bytes += std::uint64_t{*count} * storage_bytes(buffer.element);
  }
  return bytes;
}

std::optional<Shape> launch_in(const SpaceMaker& space, const Extent& workgroup) {
  if (!fits(workgroup, space.limits())) return std::nullopt;
  ir::Program program = space.program();
  program.workgroup = workgroup;
  const auto shape = ir::launch_shape(program, space.uniforms());
  const auto bytes = shared_bytes(program, space.uniforms());
  if (!shape || !bytes || *bytes > space.limits().shared_bytes) return std::nullopt;
  return *shape;
}

}  // namespace

std::vector<Shape> listed_shapes(const SpaceMaker& space) {
  std::vector<Shape> made = {space.shape()};
  for (const Extent& other : space.program().other_workgroups) {
    if (const auto shape = launch_in(space, other)) made.push_back(*shape);
  }
  return made;
}

ir::Program in_own_workgroup(ir::Program program) {
  program.body = replaced(program.body, [&](const ir::Expr& e) -> std::optional<ir::Expr> {
    const auto* id = ir::as<ir::Id>(e);
    if (id == nullptr || id->kind != ir::IdKind::workgroup) return std::nullopt;
    return ir::literal(program.workgroup[id->dim]);
  });
  program.other_workgroups.clear();
  return program;
}

}  // namespace vyre::schedule
