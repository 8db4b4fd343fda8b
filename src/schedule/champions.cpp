#include "schedule/champions.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::Assign;
using ir::Binary;
using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

bool is_order(BinaryOp op) {
  return op == BinaryOp::lt || op == BinaryOp::le || op == BinaryOp::gt || op == BinaryOp::ge;
}

// The same comparison with its sides exchanged.
BinaryOp turned(BinaryOp op) {
  switch (op) {
    case BinaryOp::lt:
      return BinaryOp::gt;
    case BinaryOp::le:
      return BinaryOp::ge;
    case BinaryOp::gt:
      return BinaryOp::lt;
    default:
      return BinaryOp::le;
  }
}

bool is_last_of_equals(BinaryOp op) { return op == BinaryOp::ge || op == BinaryOp::le; }
bool is_least(BinaryOp op) { return op == BinaryOp::lt || op == BinaryOp::le; }

std::size_t uses_of(const Block& body, const std::string& name) {
  std::size_t count = 0;
  for_each_expr(body, [&](const Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    if (var != nullptr && var->name == name) ++count;
  });
  for_each_stmt(body, [&](const Stmt& stmt) {
    const auto* assign = ir::as<Assign>(stmt);
    if (assign != nullptr && assign->name == name) ++count;
  });
  return count;
}

class ContestFinder {
 public:
  ContestFinder(const ir::For& loop, ir::Names& names)
      : loop_(loop), names_(names), inside_(declared_names(loop.body)) {
    inside_.insert(loop.name);
  }

  Contest run() {
    Contest made{.loop = loop_, .rest = {}, .champions = {}};
    made.loop.body.clear();
    for (const Stmt& stmt : loop_.body) {
      const auto* branch = ir::as<ir::If>(stmt);
      auto champion = branch == nullptr ? std::nullopt : champion_of(*branch);
      if (!champion) {
        made.rest.push_back(stmt);
        made.loop.body.push_back(stmt);
        continue;
      }
      add(*branch, *champion, made.loop.body);
      made.champions.push_back(*std::move(champion));
    }
    return made;
  }

 private:
  [[nodiscard]] bool is_outside(const Expr& e) const {
    const auto* var = ir::as<ir::Var>(e);
    return var != nullptr && !inside_.contains(var->name);
  }

  // `value op best`, as it stands or turned.
  [[nodiscard]] std::optional<Champion> champion_of(const ir::If& branch) const {
    const auto* test = ir::as<Binary>(branch.cond);
    if (test == nullptr || !is_order(test->op) || !branch.otherwise.empty()) return std::nullopt;
    auto found = champion_of(branch, test->left, test->op, test->right);
    return found ? found : champion_of(branch, test->right, turned(test->op), test->left);
  }

  [[nodiscard]] std::optional<Champion> champion_of(const ir::If& branch, const Expr& value,
                                                    BinaryOp op, const Expr& best) const {
    if (!is_outside(best) || best.type().lanes != 1) return std::nullopt;
    Champion made{.best = *ir::as<ir::Var>(best), .op = op, .place = {}, .followers = {}};
    bool takes_value = false;
    for (const Stmt& stmt : branch.then) {
      const auto* assign = ir::as<Assign>(stmt);
      if (assign == nullptr || inside_.contains(assign->name)) return std::nullopt;
      const bool is_best = assign->name == made.best.name;
      if (is_best && (takes_value || assign->value != value)) return std::nullopt;
      if (!is_best && (has_load(assign->value) || assign->value.type().lanes != 1)) {
        return std::nullopt;
      }
      if (is_best) takes_value = true;
      if (!is_best) made.followers.push_back({assign->name, assign->value.type()});
    }
    return takes_value && is_alone(made) ? std::optional(made) : std::nullopt;
  }

  // Tested and assigned here once, and nowhere else in the loop.
  [[nodiscard]] bool is_alone(const Champion& champion) const {
    return uses_of(loop_.body, champion.best.name) == 2 &&
           std::ranges::all_of(champion.followers, [&](const ir::Var& follower) {
             return uses_of(loop_.body, follower.name) == 1;
           });
  }

  // The value gets a name, so that the branch only computes.
  void add(const ir::If& branch, Champion& champion, Block& into) {
    const ir::Type type = loop_.begin.type();
    champion.place = {names_.fresh(champion.best.name + "_place"), type};
    const auto& test = *ir::as<Binary>(branch.cond);
    const bool turned_round = test.op != champion.op;
    const Expr value = named(turned_round ? test.right : test.left, "value", names_, into);
    ir::If made{Binary{champion.op, value, champion.best}, branch.then, {}};
    for (Stmt& stmt : made.then) {
      auto* assign = ir::as<Assign>(stmt);
      if (assign->name == champion.best.name) assign->value = value;
    }
    const Expr here = ir::Var{loop_.name, type};
    const Expr place =
        is_last_of_equals(champion.op) ? plus(here, ir::integer(1, type.scalar)) : here;
    made.then.push_back({Assign{champion.place.name, place}});
    into.push_back({std::move(made)});
  }

  const ir::For& loop_;
  ir::Names& names_;
  ir::NameSet inside_;
};

}  // namespace

Contest contest_of(const ir::For& loop, ir::Names& names) {
  return ContestFinder(loop, names).run();
}

// No iteration has it: the greatest number is never below the end; where the last counts, places
// are one ahead, so that the least is of none.
Expr no_place(const Champion& champion) {
  const Scalar scalar = champion.place.type.scalar;
  const bool last = is_last_of_equals(champion.op);
  if (scalar == Scalar::u32) return ir::literal(last ? 0U : ~0U);
  const std::uint32_t least = 1U << 31U;
  return ir::integer(last ? least : least - 1, scalar);
}

std::vector<ir::Var> carried(const Champion& champion) {
  std::vector<ir::Var> made = {champion.best, champion.place};
  made.insert(made.end(), champion.followers.begin(), champion.followers.end());
  return made;
}

void crown(const Champion& champion, std::span<const std::vector<std::string>> parts,
           std::uint32_t width, ir::Names& names, Block& into) {
  const auto lanes = static_cast<std::uint8_t>(width);
  const std::vector<ir::Var> variables = carried(champion);
  const auto vector = [&](std::size_t part, std::size_t at) {
    return Expr(ir::Var{parts[part][at], {variables[at].type.scalar, lanes}});
  };
  const bool last = is_last_of_equals(champion.op);
  const BinaryOp better = is_least(champion.op) ? BinaryOp::lt : BinaryOp::gt;
  // All parts into the first.
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const Expr nearer = Binary{last ? BinaryOp::gt : BinaryOp::lt, vector(p, 1), vector(0, 1)};
    const Expr equal = Binary{BinaryOp::eq, vector(p, 0), vector(0, 0)};
    const Expr wins = named(Binary{BinaryOp::bit_or, Binary{better, vector(p, 0), vector(0, 0)},
                                   Binary{BinaryOp::bit_and, equal, nearer}},
                            "wins", names, into);
    for (std::size_t at = 0; at < variables.size(); ++at) {
      into.push_back({Assign{parts[0][at], ir::Select{wins, vector(p, at), vector(0, at)}}});
    }
  }
  // The place of the best of all lanes; none where no lane has one, and then all are as before.
  const Expr top =
      named(ir::Reduce{is_least(champion.op) ? BinaryOp::min : BinaryOp::max, vector(0, 0)}, "top",
            names, into);
  const Expr is_top = Binary{BinaryOp::eq, vector(0, 0), ir::Splat{lanes, top}};
  const Expr places = ir::Select{is_top, vector(0, 1), ir::Splat{lanes, no_place(champion)}};
  const Expr place =
      named(ir::Reduce{last ? BinaryOp::max : BinaryOp::min, places}, "place", names, into);
  for (std::uint8_t l = 0; l < lanes; ++l) {
    ir::If made{compared(BinaryOp::eq, ir::Lane{vector(0, 1), l}, place), {}, {}};
    for (std::size_t at = 0; at < variables.size(); ++at) {
      if (at == 1) continue;  // the place was only for this
      made.then.push_back({Assign{variables[at].name, ir::Lane{vector(0, at), l}}});
    }
    into.push_back({std::move(made)});
  }
}

}  // namespace vyre::schedule
