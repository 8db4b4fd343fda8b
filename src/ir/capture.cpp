#include "ir/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "ir/rewrite.h"
#include "ir/visit.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using Time = History::Time;
using BlockId = History::BlockId;
using Visited = std::unordered_set<const ExprNode*>;

const std::string& source_of(const Expr& read) {
  if (const auto* load = as<Load>(read)) return load->buffer;
  return as<Var>(read)->name;
}

std::unordered_set<std::string> names_in(const Program& program) {
  std::unordered_set<std::string> names;
  for (const Uniform& uniform : program.uniforms) names.insert(uniform.name);
  for (const Buffer& buffer : program.buffers) names.insert(buffer.name);
  for_each_stmt(program.body, [&](const Stmt& stmt) {
    if (const auto* let = as<Let>(stmt)) names.insert(let->name);
    if (const auto* loop = as<For>(stmt)) names.insert(loop->name);
  });
  return names;
}

class Capture {
 public:
  Capture(const Program& program, const History& history)
      : program_(program), history_(history), names_(names_in(program)) {}

  Problems run(Program& program) {
    for_each_stmt(program_.body, [&](const Stmt& stmt) { find_stale(stmt); });
    for (const auto& [expr, place] : outside_) {
      if (kept_.contains(&*expr)) report_ended(expr, place);
    }
    if (!kept_.empty()) program.body = block(program_.body, History::root);
    return std::move(problems_);
  }

 private:
  struct Use {
    Time time;
    BlockId block;
    Place place;
  };
  struct Kept {
    Expr expr;
    std::string name;
    Place place;  // of the first use
  };

  void find_stale(const Stmt& stmt) {
    const History::Entry& entry = history_.entry(stmt.place);
    const Use use{entry.time, entry.block, stmt.place};
    Visited visited;
    for_each_operand(stmt, [&](const Expr& e) {
      if (e.depth() <= max_nesting) find_stale(e, use, visited);  // else it is refused
    });
  }

  void find_stale(const Expr& expr, const Use& use, Visited& visited) {
    if (!visited.insert(&*expr).second) return;
    if (const auto home = history_.home(expr); home && !history_.is_inside(use.block, *home)) {
      report(fmt::format("'{}' was declared in a block that has ended: declare it before the block",
                         source_of(expr)),
             use.place);
    }
    if (const History::Read* read = history_.find_read(expr); read && is_kept(*read, use)) return;
    for_each_operand(expr, [&](const Expr& e) { find_stale(e, use, visited); });
  }

  bool is_kept(const History::Read& read, const Use& use) {
    const bool stale = history_.is_stale(read, use.time, use.block);
    if (!history_.is_inside(use.block, read.block)) {
      if (stale) report_ended(read.expr, use.place);
      if (!stale) outside_.emplace_back(read.expr, use.place);
      return false;
    }
    if (stale) keep(read, use.place);
    return stale;
  }

  void keep(const History::Read& read, Place place) {
    if (!kept_.insert(&*read.expr).second) return;
    lets_[read.block].insert({read.time, {read.expr, new_name(source_of(read.expr)), place}});
    // Its operands are used where the value was made.
    Visited visited;
    for_each_operand(
        read.expr, [&](const Expr& e) { find_stale(e, {read.time, read.block, place}, visited); });
  }

  std::string new_name(const std::string& of) {
    constexpr std::size_t longest = 48;  // leaves room for a number
    const std::string stem = "old_" + of.substr(0, longest);
    std::string name = stem;
    for (unsigned i = 1; !names_.insert(name).second; ++i) name = stem + std::to_string(i);
    return name;
  }

  Block block(const Block& body, BlockId id) {
    Block made;
    auto& lets = lets_[id];
    auto next = lets.begin();
    for (const Stmt& stmt : body) {
      const History::Entry& entry = history_.entry(stmt.place);
      for (; next != lets.end() && next->first < entry.time; ++next) add_let(next->second, made);
      std::size_t inner = 0;
      made.push_back(with_parts(
          stmt, [&](const Expr& e) { return renamed(e); },
          [&](const Block& b) { return block(b, entry.inside[inner++]); }));
    }
    return made;
  }

  // What was read before has its name by now.
  void add_let(const Kept& kept, Block& into) {
    const Type type = kept.expr.type();
    Expr value = with_operands(kept.expr, [&](const Expr& e) { return renamed(e); });
    into.push_back({Let{kept.name, std::move(value)}, kept.place});
    renamed_.insert_or_assign(&*kept.expr, Expr(Var{kept.name, type}));
  }

  // Each shared part is looked at once.
  Expr renamed(const Expr& expr) {
    if (const auto known = renamed_.find(&*expr); known != renamed_.end()) return known->second;
    const bool same = !any_operand(expr, [&](const Expr& e) { return &*renamed(e) != &*e; });
    Expr made = same ? expr : with_operands(expr, [&](const Expr& e) { return renamed(e); });
    renamed_.insert({&*expr, made});
    return made;
  }

  void report_ended(const Expr& read, Place place) {
    report(
        fmt::format("this value of '{}' was read in a block that has ended, and '{}' has changed "
                    "since: assign it to a var that is declared before the block",
                    source_of(read), source_of(read)),
        place);
  }

  void report(std::string message, Place place) {
    problems_.push_back({ErrorKind::input, std::move(message), place});
  }

  const Program& program_;
  const History& history_;
  std::unordered_set<std::string> names_;
  std::unordered_set<const ExprNode*> kept_;
  std::unordered_map<BlockId, std::map<Time, Kept>> lets_;
  std::vector<std::pair<Expr, Place>> outside_;  // not stale, used after their block
  std::unordered_map<const ExprNode*, Expr> renamed_;
  Problems problems_;
};

}  // namespace

Problems capture(Program& program, const History& history) {
  const Program before = program;
  return Capture(before, history).run(program);
}

}  // namespace vyre::ir
