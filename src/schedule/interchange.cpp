#include "schedule/interchange.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "schedule/coarsen.h"
#include "schedule/common_range.h"
#include "schedule/items.h"
#include "schedule/lanes.h"
#include "schedule/loop_lanes.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"
#include "schedule/tile.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::Stmt;

std::size_t node_count(const Expr& expr) {
  std::size_t count = 0;
  for_each_expr(expr, [&](const Expr&) { ++count; });
  return count;
}

// How often each name is read or assigned.
std::unordered_map<std::string, std::size_t> uses_of(const Block& body) {
  std::unordered_map<std::string, std::size_t> uses;
  for_each_expr(body, [&](const Expr& e) {
    if (const auto* var = ir::as<ir::Var>(e)) ++uses[var->name];
  });
  for_each_stmt(body, [&](const Stmt& stmt) {
    if (const auto* assign = ir::as<ir::Assign>(stmt)) ++uses[assign->name];
  });
  return uses;
}

class Interchanger {
 public:
  Interchanger(const Block& body, const Lanes::Options& options, ir::Names& names)
      : lanes_(body, options), names_(names), items_(options.width), uses_(uses_of(body)) {}

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) statement(stmt, made);
    finish_group(made);
    return made;
  }

  [[nodiscard]] const std::vector<ir::Buffer>& arrays() const { return arrays_; }
  [[nodiscard]] bool has_common_loop() const { return has_common_loop_; }

 private:
  void statement(const Stmt& stmt, Block& into) {
    match(
        stmt, [&](const ir::Let& s) { let(stmt, s, into); },
        [&](const ir::Assign& s) {
          if (lanes_.varying().varies(s.name)) return group_.push_back(stmt);
          once(stmt, into);
        },
        [&](const ir::If& s) { branch(stmt, s, into); },
        [&](const ir::For& s) { loop(stmt, s, into); },
        [&](const ir::While& s) {
          if (lanes_.varying().diverges(stmt)) return group_.push_back(stmt);
          finish_group(into);
          into.push_back({ir::While{lanes_.item(s.cond, 0U), block(s.body)}});
        },
        [&](const ir::Break&) { once(stmt, into); },
        [&](const ir::Region& s) {
          finish_group(into);
          into.push_back({ir::Region{s.name, block(s.body)}});
        },
        [&](const ir::OneOf<ir::Store, ir::AtomicAdd, ir::Barrier> auto&) {
          group_.push_back(stmt);
        });
  }

  // What all items have in common, or what the others have follows from the first's.
  void let(const Stmt& stmt, const ir::Let& s, Block& into) {
    const Form form = lanes_.form_of(s);
    if (form == Form::copies) return group_.push_back(stmt);
    if (has_load(s.value) || s.is_mutable) return once(stmt, into);
    hold(s, form);
    into.push_back(lanes_.item(stmt, ir::literal(0U)));
  }

  void hold(const ir::Let& s, Form form) {
    lanes_.hold(s.name, {.form = form, .type = s.value.type()});
    lanes_.define(s);
  }

  // After the group, which may change what it reads.
  void once(const Stmt& stmt, Block& into) {
    finish_group(into);
    into.push_back(lanes_.item(stmt, ir::literal(0U)));
  }

  void loop(const Stmt& stmt, const ir::For& s, Block& into) {
    if (lanes_.varying().diverges(stmt)) return group_.push_back(stmt);
    finish_group(into);
    has_common_loop_ = true;
    const auto head = [&](const Expr& e) { return lanes_.item(e, 0U); };
    into.push_back({ir::For{s.name, head(s.begin), head(s.end), head(s.step), block(s.body)}});
  }

  // Where items may part ways, it is tested whether all go where the loops are; else they go one
  // after the other.
  void branch(const Stmt& stmt, const ir::If& s, Block& into) {
    if (!lanes_.varying().diverges(stmt)) {
      finish_group(into);
      into.push_back({ir::If{lanes_.item(s.cond, 0U), block(s.then), block(s.otherwise)}});
      return;
    }
    constexpr std::size_t long_test = 64;
    const bool then = has_loop(s.then);
    const Expr together = lanes_.all(then ? s.cond : negation(s.cond));
    const bool plain = !then && !has_loop(s.otherwise);
    if (plain || node_count(together) > long_test) return group_.push_back(stmt);
    finish_group(into);
    group_ = {stmt};
    Block apart;
    finish_group(apart);
    into.push_back({ir::If{together, block(then ? s.then : s.otherwise), std::move(apart)}});
  }

  // The statements that were gathered, for one item after the other.
  void finish_group(Block& into) {
    const Block group = std::exchange(group_, {});
    if (group.empty()) return;
    const auto inside = uses_of(group);
    for (const Stmt& stmt : group) {
      const auto* let = ir::as<ir::Let>(stmt);
      if (let == nullptr) continue;
      const auto found = inside.find(let->name);
      if (uses_[let->name] > (found == inside.end() ? 0 : found->second)) hold_in_array(*let);
    }
    const std::string name = names_.fresh("item");
    const Expr item = ir::Var{name, {Scalar::u32}};
    Block body;
    for (const Stmt& stmt : group) body.push_back(lanes_.item(stmt, item));
    into.push_back({ir::For{name, ir::literal(0U), ir::literal(items_), ir::literal(1U),
                            stored(std::move(body), item)}});
  }

  void hold_in_array(const ir::Let& let) {
    const ir::Type type = let.value.type();
    const std::string name = names_.fresh(let.name + "_of");
    arrays_.push_back({.name = name,
                       .element = type.scalar,
                       .count = ir::literal(items_ * type.lanes),
                       .access = Access::read_write,
                       .memory = ir::Memory::own});
    lanes_.hold(let.name, {.form = Form::array, .type = type, .copies = {name}});
  }

  // What is held in arrays is stored there.
  Block stored(Block body, const Expr& item) {
    return map_stmts(std::move(body), [&](Stmt stmt, Block& into) {
      const auto* let = ir::as<ir::Let>(stmt);
      const auto* assign = ir::as<ir::Assign>(stmt);
      const std::string* name = let != nullptr ? &let->name : assign ? &assign->name : nullptr;
      if (name == nullptr || lanes_.value_of(*name).form != Form::array) {
        return into.push_back(std::move(stmt));
      }
      const LaneValue& held = lanes_.value_of(*name);
      const Expr index = times(item, ir::literal(std::uint32_t{held.type.lanes}));
      into.push_back(
          {ir::Store{held.copies.front(), index, let != nullptr ? let->value : assign->value}});
    });
  }

  Lanes lanes_;
  ir::Names& names_;
  std::uint32_t items_;
  std::unordered_map<std::string, std::size_t> uses_;  // in all of the body
  Block group_;
  std::vector<ir::Buffer> arrays_;
  bool has_common_loop_ = false;
};

constexpr std::array interchange_parameters = {
    Parameter{interchange_name, "items in x for each invocation, inside its loops"}};

// Only where neighbours read neighbouring elements in a loop is there a row to go along. In a grid
// with rows of its own, those that are side by side in y have more in common.
bool goes_along_rows(const ir::Program& program, const Extent& grid) {
  if (grid[1] > 1 || grid[2] > 1) return false;
  const ir::Program unique = ir::with_unique_names(program);
  const ir::Varying varying(unique.body, 0, ir::private_names(unique));
  const ir::Strides strides(unique.body, varying);
  return any_stmt(unique.body, [&](const Stmt& stmt) {
    return ir::is<ir::For>(stmt) && any_expr(stmt, [&](const Expr& e) {
             const auto* load = ir::as<ir::Load>(e);
             return load != nullptr && strides.is(load->index, 1);
           });
  });
}

void declare_interchange(SpaceMaker& space) {
  if (!space.independent() || !goes_along_rows(space.program(), space.grid())) return;
  std::vector<std::uint32_t> values = {1};
  for (const std::uint32_t items : {8U, 16U, 32U, 64U}) {
    const bool fits = items <= space.grid()[0] && interchanged(space.program(), items).has_value();
    if (fits) values.push_back(items);
  }
  if (values.size() == 1) return;
  space.parameter(interchange_name, values);
  const std::string lanes = space.has(vector_name) ? fmt::format(" * {}", vector_name) : "";
  constexpr std::uint32_t most_elements = 1024;  // of each variable
  space.constraint(fmt::format("{} == 1 or {}{} <= {}", interchange_name, interchange_name, lanes,
                               most_elements));
  space.constraint(fmt::format("{} * {}{} <= {}", workgroup_names[0], interchange_name, lanes,
                               std::max(space.covering(0), space.program().workgroup[0])));
  for (const std::string_view other :
       {items_names[0], items_names[1], items_names[2], loop_vector_name}) {
    if (!space.has(other)) continue;
    space.constraint(fmt::format("{} == 1 or {} == 1", interchange_name, other));
  }
  if (space.has(tile_name)) {
    space.constraint(fmt::format("{} == 1 or {} == 0", interchange_name, tile_name));
  }
}

Result<ir::Program> take_interchange(const ir::Program& program, const Schedule& schedule) {
  return interchanged(program, schedule[interchange_name]);
}

// What a CPU likes; on other devices it costs a try.
constexpr std::array<std::string_view, 1> interchange_guesses = {
    "wg_x=1 unroll=4 vector=16 contract=1 interchange=32"};

}  // namespace

constinit const Step interchange_step = {interchange_parameters, declare_interchange,
                                         take_interchange, nullptr, interchange_guesses};

Result<ir::Program> interchanged(const ir::Program& program, std::uint32_t items) {
  if (items == 1) return program;
  const std::string what = fmt::format("put {} items inside loops", items);
  if (items == 0) return refuse(what, "there is at least one");
  if (auto fine = check_independent(program, what); !fine) return Unexpected(fine.error());
  if (!ir::private_names(program).empty()) return refuse(what, "it has private buffers already");
  Items frame(ir::with_unique_names(program), 0, items);
  const Lanes::Options options = {.dim = 0, .width = items, .first = frame.first()};
  const Block body = with_common_ranges(frame.body(), options, frame.names());
  Interchanger made(body, options, frame.names());
  Block fast = made.block(body);
  if (!made.has_common_loop()) return refuse(what, "no loop is run alike by all items");
  ir::Program result = frame.with_body(frame.in_full(std::move(fast)));
  result.buffers.insert(result.buffers.end(), made.arrays().begin(), made.arrays().end());
  return finished(std::move(result), what);
}

}  // namespace vyre::schedule
