#include "schedule/side_by_side.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/step.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;

constexpr std::string_view what = "run two parts side by side";

std::optional<std::uint8_t> free_dimension(const ir::Program& first, const ir::Program& second) {
  const Expr one = ir::literal(1U);
  for (std::uint8_t dim = 1; dim < 3; ++dim) {
    if (first.grid[dim] == one && second.grid[dim] == one) return dim;
  }
  return {};
}

Expr invocation(std::uint8_t dim) { return ir::Id{ir::IdKind::invocation, dim}; }

// The part's body in a grid that may be larger than its own, `free` being the dimension that says
// which part it is.
Block within(const ir::Program& part, const std::array<Expr, 3>& grid, std::uint8_t free) {
  Block body = with_id(part.body, {ir::IdKind::invocation, free}, ir::literal(0U));
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    body = with_id(body, {ir::IdKind::grid, dim}, part.grid[dim]);
  }
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    if (part.grid[dim] == grid[dim]) continue;
    const Expr inside = compared(ir::BinaryOp::lt, invocation(dim), part.grid[dim]);
    body = {{ir::If{inside, std::move(body), {}}}};
  }
  return body;
}

// Adds what only the part has to the buffers, under free names.
ir::Program with_own_buffers(const ir::Program& part, ir::Program& into, ir::Names& names) {
  std::unordered_map<std::string, std::string> renames;
  for (ir::Buffer buffer : part.buffers) {
    if (buffer.memory == ir::Memory::global) continue;
    const std::string name = names.fresh(buffer.name);
    renames.emplace(buffer.name, name);
    buffer.name = name;
    into.buffers.push_back(std::move(buffer));
  }
  const auto renamed_buffer = [&](const std::string& name) {
    const auto found = renames.find(name);
    return found == renames.end() ? name : found->second;
  };
  return renamed(part, {.buffer = renamed_buffer});
}

// Names that neither the interface nor a part has.
ir::Names taken_names(const ir::Program& interface, const ir::Program& first,
                      const ir::Program& second) {
  ir::Names names(interface);
  for (const ir::Program* part : {&first, &second}) {
    for (const std::string& name : ir::declared_names(part->body)) names.take(name);
  }
  return names;
}

}  // namespace

Result<ir::Program> side_by_side(const ir::Program& interface, const ir::Program& first,
                                 const ir::Program& second) {
  const auto dim = free_dimension(first, second);
  if (!dim) return refuse(what, "the grid has three dimensions already");
  ir::Program made = interface;
  std::erase_if(made.buffers, [](const ir::Buffer& b) { return b.memory != ir::Memory::global; });
  ir::Names names = taken_names(made, first, second);
  for (std::size_t d = 0; d < 3; ++d) made.grid[d] = maximum(first.grid[d], second.grid[d]);
  const std::array<Expr, 3> grid = made.grid;
  made.grid[*dim] = ir::literal(2U);
  const Expr is_first = compared(ir::BinaryOp::eq, invocation(*dim), ir::literal(0U));
  made.body = {{ir::If{is_first, within(with_own_buffers(first, made, names), grid, *dim),
                       within(with_own_buffers(second, made, names), grid, *dim)}}};
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
