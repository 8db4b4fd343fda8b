#include "ir/varying.h"

#include "ir/visit.h"

namespace vyre::ir {

Varying::Varying(const Block& body, std::uint8_t dim, NameSet private_buffers, NameSet counters)
    : dim_(dim), private_(std::move(private_buffers)), counters_(std::move(counters)) {
  learn_all(body);
}
Varying::Varying(const Block& body, NameSet seeds) : names_(std::move(seeds)) { learn_all(body); }

// What is assigned late in a loop is read early in its next iteration: hence until nothing is new.
void Varying::learn_all(const Block& body) {
  while (learn(body, true)) {
  }
}

bool Varying::varies(const Expr& expr) const {
  return any_expr(expr, [&](const Expr& e) {
    return match(
        e, [&](const Id& id) { return dim_ && id == Id{IdKind::invocation, *dim_}; },
        [&](const Var& var) { return varies(var.name); },
        [&](const Load& load) { return varies(load.buffer); },
        [](const OneOf<Literal, Unary, Binary, Fma, Select, Convert, Bitcast, Splat, Vector, Lane,
                       Reduce> auto&) { return false; });
  });
}

bool Varying::diverges(const Stmt& stmt) const {
  const auto varied = [&] { return any_operand(stmt, [&](const Expr& e) { return varies(e); }); };
  return match(
      stmt, [&](const OneOf<If, For> auto&) { return varied(); },
      [&](const While& s) { return varied() || leaves_apart(s.body); },
      [](const OneOf<Let, Assign, Store, AtomicAdd, Break, Barrier, Region> auto&) {
        return false;
      });
}

// Whether a break that ends the loop around the block stands where invocations part ways.
bool Varying::leaves_apart(const Block& block) const {
  return std::ranges::any_of(block, [&](const Stmt& stmt) {
    if (!has_break(stmt)) return false;
    if (is<If>(stmt) && diverges(stmt)) return true;
    return any_block(stmt, [&](const Block& inner) { return leaves_apart(inner); });
  });
}

bool Varying::learn(const std::string& name) { return names_.insert(name).second; }

// `together`: all invocations come here together. Where they do not, what they assign varies.
// What is declared there need not: whoever sees it came the same way.
bool Varying::learn(const Block& block, bool together) {
  bool is_new = false;
  for (const Stmt& stmt : block) {
    const bool splits = diverges(stmt);
    is_new |= match(
        stmt, [&](const Let& s) { return varies(s.value) && learn(s.name); },
        [&](const Assign& s) {
          const bool apart = !together && !counters_.contains(s.name);
          return (apart || varies(s.value)) && learn(s.name);
        },
        [&](const Store& s) {
          const bool differs = !together || varies(s.index) || varies(s.value);
          return private_.contains(s.buffer) && differs && learn(s.buffer);
        },
        [&](const For& s) { return splits && learn(s.name); },
        [](const OneOf<AtomicAdd, If, While, Break, Barrier, Region> auto&) { return false; });
    for_each_block(stmt, [&](const Block& inner) { is_new |= learn(inner, together && !splits); });
  }
  return is_new;
}

}  // namespace vyre::ir
