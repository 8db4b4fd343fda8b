#include "schedule/gather.h"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/coarsen.h"
#include "schedule/element_sums.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"

namespace vyre::schedule {
namespace {

using ir::AtomicAdd;
using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

// The buffers that a loop reads or stores to.
ir::NameSet accessed(const For& loop) {
  ir::NameSet buffers;
  for_each_stmt(loop.body, [&](const Stmt& stmt) {
    if (const auto* store = ir::as<ir::Store>(stmt)) buffers.insert(store->buffer);
  });
  for_each_expr(loop.body, [&](const Expr& e) {
    if (const auto* load = ir::as<ir::Load>(e)) buffers.insert(load->buffer);
  });
  return buffers;
}

class Gatherer {
 public:
  explicit Gatherer(const ir::Program& program) : names_(program) {}

  // Outermost loops first: an atomic goes as far out as it can.
  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) {
      if (const auto* loop = ir::as<For>(stmt)) {
        this->loop(*loop, made);
      } else {
        made.push_back(with_blocks(stmt, [&](const Block& inner) { return block(inner); }));
      }
    }
    return made;
  }
  [[nodiscard]] bool any() const { return any_; }

 private:
  void loop(const For& before, Block& into) {
    ElementSums sums(names_);
    fixed_outside(before);
    For made = before;
    // Who waits at a barrier may count on the atomics before it.
    if (!has_barrier(before.body)) made.body = moved(before.body, sums);
    made.body = block(made.body);
    sums.declare(into);
    into.push_back({std::move(made)});
    for (const ElementSums::Sum& sum : sums.sums()) add(sum, into);
    any_ = any_ || !sums.sums().empty();
  }

  void add(const ElementSums::Sum& sum, Block& into) {
    Expr total = sum.total();
    if (!ir::is<ir::Var>(total)) total = named(total, "total", names_, into);
    into.push_back(added_if_any(sum.buffer, sum.index, total));
  }

  // What an index must not name, and which buffers an atomic must not go to.
  void fixed_outside(const For& loop) {
    inside_ = declared_names(loop.body);
    inside_.insert(loop.name);
    inside_.merge(assigned_names(loop.body));
    accessed_ = accessed(loop);
  }

  [[nodiscard]] bool can_move(const AtomicAdd& add) const {
    return !accessed_.contains(add.buffer) && !has_load(add.index) && !mentions(add.index, inside_);
  }

  // The block with the atomics that can go replaced by sums.
  Block moved(const Block& body, ElementSums& sums) {
    return map_stmts(body, [&](const Stmt& stmt, Block& into) {
      const auto* add = ir::as<AtomicAdd>(stmt);
      into.push_back(add != nullptr && can_move(*add) ? sums.added(*add) : stmt);
    });
  }

  ir::Names names_;
  ir::NameSet inside_;
  ir::NameSet accessed_;
  bool any_ = false;
};

constexpr std::array gather_parameters = {
    Parameter{gather_name, "1: what a loop adds by atomics to one element is added once", 0}};

// Whether the loop over items of an invocation, one after the other, gathers.
bool gathers_items(const ir::Program& program) {
  const auto made = coarsened(program, {.dim = 0, .items = 2});
  return made && gathered(*made);
}

// Only loops gather: those of the program, and those of items one after the other.
void declare_gather(SpaceMaker& space) {
  if (!space.independent()) return;
  const bool loops = gathered(space.program()).has_value();
  if (!loops && !(space.has(items_names[0]) && gathers_items(space.program()))) return;
  space.parameter(gather_name, std::array{0U, 1U});
  if (loops) return;
  space.constraint(fmt::format("{} == 0 or ({} > 1 and {} != '{}')", gather_name, items_names[0],
                               order_name, order_words[2]));
}

Result<ir::Program> take_gather(const ir::Program& program, const Schedule& schedule) {
  return schedule[gather_name] == 0 ? program : gathered(program);
}

}  // namespace

constinit const Step gather_step = {gather_parameters, declare_gather, take_gather};

Result<ir::Program> gathered(const ir::Program& program) {
  constexpr std::string_view what = "gather atomic adds";
  ir::Program made = with_unique_names(program);
  Gatherer gatherer(made);
  made.body = gatherer.block(made.body);
  if (!gatherer.any()) return refuse(what, "no loop adds to one element only by atomics");
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
