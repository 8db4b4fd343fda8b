#include "schedule/coarsen.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/common_range.h"
#include "schedule/counters.h"
#include "schedule/group_items.h"
#include "schedule/items.h"
#include "schedule/quotients.h"
#include "schedule/rows.h"
#include "schedule/space_maker.h"
#include "schedule/vectorize.h"
#include "schedule/widen.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::Expr;

constexpr std::uint32_t max_jammed = 64;

ir::Block contiguous(Items& items, std::uint32_t count) {
  const Expr end = plus(items.first(), ir::literal(count));
  ir::Block body = {items.let_first()};
  body.push_back(items.loop_to(items.divides() ? end : minimum(end, items.extent())));
  return body;
}

// Counted by the round, not by the item: an item's number plus the grid could leave u32.
ir::Block strided(Items& items, const Coarsening& how) {
  const std::string round = items.names().fresh("round");
  const std::string name = items.names().fresh("item");
  const ir::Type u32 = {Scalar::u32};
  const Expr first = ir::Id{ir::IdKind::invocation, how.dim};
  const Expr apart = ir::Id{ir::IdKind::grid, how.dim};
  const Expr item = ir::Var{name, u32};
  ir::For loop{round, ir::literal(0U), ir::literal(how.items), ir::literal(1U), {}};
  loop.body.push_back({ir::Let{name, plus(times(ir::Var{round, u32}, apart), first)}});
  ir::Block body = items.body_of(item);
  if (items.divides()) {
    loop.body.insert(loop.body.end(), body.begin(), body.end());
  } else {
    const Expr inside = compared(ir::BinaryOp::lt, item, items.extent());
    loop.body.push_back({ir::If{inside, std::move(body), {}}});
  }
  return {{std::move(loop)}};
}

Lanes::Options jam_options(const auto& items, const Coarsening& how, const ir::Program& program) {
  return {.dim = how.dim,
          .width = how.items,
          .first = items.first(),
          .private_buffers = items.private_buffers(),
          .constant_buffers = constant_buffers(program)};
}

Widened side_by_side(auto& items, ir::Block body, Lanes::Options options) {
  body = with_counters(std::move(body), options, items.names());
  body = with_common_ranges(body, options, items.names());
  Widened made = widened(body, options, items.names());
  items.spread(made.spread);
  return made;
}

// Nothing where quotients are asked for and there are none.
std::optional<ir::Block> jammed(Items& items, const Coarsening& how, const ir::Program& program) {
  const FirstItem first = {.name = *ir::as<ir::Var>(items.first()),
                           .invocation = ir::Id{ir::IdKind::invocation, how.dim},
                           .count = how.items};
  const auto options = jam_options(items, how, program);
  InRows rows = with_rows(items.body(), options);
  Simplified made = with_quotients(side_by_side(items, std::move(rows.body), options).body, first);
  if (how.for_quotients && !made.changed) return std::nullopt;
  made.tests.insert(made.tests.end(), rows.tests.begin(), rows.tests.end());
  return items.in_full(std::move(made.body), made.tests);
}

Result<ir::Program> jammed_in_group(const ir::Program& program, const Coarsening& how,
                                    std::string_view what) {
  VYRE_TRY(auto items, GroupItems::make(program, how.dim, how.items, what));
  const ir::Block body = side_by_side(items, items.body(), jam_options(items, how, program)).body;
  return finished(items.with_body(body), what);
}

std::optional<ir::Block> walked(Items& items, const Coarsening& how, const ir::Program& program) {
  if (how.order == Order::contiguous) return contiguous(items, how.items);
  return how.order == Order::strided ? strided(items, how) : jammed(items, how, program);
}

constexpr std::array coarsen_parameters = {
    Parameter{items_names[0], "items in x for each invocation"},
    Parameter{items_names[1], "items in y for each invocation"},
    Parameter{items_names[2], "items in z for each invocation"},
    Parameter{order_name, "which items an invocation does", 0, order_words},
};

std::vector<std::uint32_t> counts(std::uint32_t grid) {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t count : {1U, 2U, 4U, 6U, 8U, 16U}) {
    if (count <= grid) values.push_back(count);
  }
  // Long walks, where enough invocations remain.
  for (const std::uint32_t count : {64U, 512U, 4096U}) {
    if (grid / 64 >= count) values.push_back(count);
  }
  return values;
}

// Groups that reach beyond the grid by more than half of them leave work undone for nothing.
void fill_the_grid(SpaceMaker& space, std::size_t dim) {
  const std::uint32_t own = space.program().workgroup[dim];
  const bool with_vectors = dim == 0 && space.has(vector_name);
  space.constraint(fmt::format("{} * {}{} <= {}", workgroup_names[dim], items_names[dim],
                               with_vectors ? fmt::format(" * {}", vector_name) : "",
                               std::max(space.covering(dim), own)));
}

std::size_t load_count(const ir::Program& program) {
  std::size_t count = 0;
  for_each_expr(program.body, [&](const Expr& expr) {
    if (ir::is<ir::Load>(expr)) ++count;
  });
  return count;
}

// Side by side, items are written out up to three times: together, apart, and at the grid's end;
// and what they load is held in registers, of which no device has more than this.
std::size_t room_side_by_side(const SpaceMaker& space) {
  constexpr std::size_t most_items = 16;
  constexpr std::size_t most_loads = 48;
  const std::size_t statements =
      max_statements / (3 * std::max<std::size_t>(space.longest_body(), 1));
  const std::size_t loads = most_loads / std::max<std::size_t>(load_count(space.program()), 1);
  const std::size_t room = std::max<std::size_t>(std::min(statements, loads), 2);
  return std::min(room, most_items);
}

void declare_order(SpaceMaker& space, const std::string& items) {
  space.parameter(order_name, std::array{0U, 1U, 2U});
  space.constraint(fmt::format("{} == '{}' or {} > 1", order_name, order_words[0], items));
  space.constraint(fmt::format("{} != '{}' or {} <= {}", order_name, order_words[2], items,
                               room_side_by_side(space)));
  if (const std::uint64_t elements = space.private_elements(); elements > 0) {
    const std::string lanes = space.has(vector_name) ? fmt::format(" * {}", vector_name) : "";
    space.constraint(fmt::format("{} != '{}' or {} * {}{} <= {}", order_name, order_words[2],
                                 elements, items, lanes, ir::max_private_elements));
  }
}

// Where invocations meet at barriers: those of a group, side by side.
void declare_in_group(SpaceMaker& space) {
  std::string all;
  for (std::uint8_t dim = 0; dim < 3; ++dim) {
    std::vector<std::uint32_t> values = {1};
    for (const std::uint32_t items : {2U, 4U, 8U}) {
      const Coarsening how = {.dim = dim, .items = items, .order = Order::jammed};
      if (coarsened(space.program(), how)) values.push_back(items);
    }
    if (values.size() == 1) continue;
    space.parameter(items_names[dim], values);
    all += fmt::format("{}{}", all.empty() ? "" : " * ", items_names[dim]);
    const std::string extent = space.has(workgroup_names[dim])
                                   ? std::string(workgroup_names[dim])
                                   : std::to_string(space.program().workgroup[dim]);
    const bool with_vectors = dim == 0 && space.has(vector_name);
    space.constraint(fmt::format("{} % ({}{}) == 0", extent, items_names[dim],
                                 with_vectors ? fmt::format(" * {}", vector_name) : ""));
  }
  if (all.empty()) return;
  space.parameter(order_name, std::array{0U, 2U});
  space.constraint(fmt::format("{} == '{}' or {} > 1", order_name, order_words[0], all));
  space.constraint(fmt::format("{} == '{}' or {} == 1", order_name, order_words[2], all));
  space.constraint(fmt::format("{} <= {}", all, room_side_by_side(space)));
}

void declare_coarsen(SpaceMaker& space) {
  if (!space.independent()) return declare_in_group(space);
  std::string all;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    const auto values = counts(space.grid()[dim]);
    if (values.size() == 1) continue;
    space.parameter(items_names[dim], values);
    all += fmt::format("{}{}", all.empty() ? "" : " * ", items_names[dim]);
    fill_the_grid(space, dim);
  }
  if (!all.empty()) declare_order(space, all);
}

Result<ir::Program> take_coarsen(const ir::Program& program, const Schedule& schedule) {
  const auto order = static_cast<Order>(schedule[order_name]);
  Result<ir::Program> made = program;
  for (std::uint8_t dim = 0; dim < 3 && made; ++dim) {
    made = coarsened(*made, {.dim = dim, .items = schedule[items_names[dim]], .order = order});
  }
  return made;
}

}  // namespace

constinit const Step coarsen_step = {coarsen_parameters, declare_coarsen, take_coarsen};

Result<ir::Program> coarsened(const ir::Program& program, Coarsening how) {
  if (how.items == 1) return program;
  const std::string what =
      fmt::format("give each invocation {} items in {}", how.items, "xyz"[how.dim]);
  if (how.items == 0 || (how.order == Order::jammed && how.items > max_jammed)) {
    return refuse(what, fmt::format("there are from 1 to {} side by side", max_jammed));
  }
  if (auto fine = check_independent(program, what); !fine) {
    if (how.order == Order::jammed) return jammed_in_group(program, how, what);
    return Unexpected(fine.error());
  }
  Items items(with_unique_names(program), how.dim, how.items);
  const auto body = walked(items, how, program);
  if (body) return finished(items.with_body(*body), what);
  return refuse(what, "no quotient or remainder of an item's number becomes simpler");
}

}  // namespace vyre::schedule
