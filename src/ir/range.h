// Interval analysis: which values integer expressions can have at a point of a program.
//
//   lo <= e <= hi   for every invocation that gets here; [a, b] + [c, d] = [a + c, b + d]
//
// Whoever walks a program tells Ranges what it passes: statements, and conditions that hold from
// here on. What was learned inside a block is given up again with undo(); keep() and join() carry
// over what later statements may rely on. A let follows what its operands are found to be: after
// `let i = y * w + x`, a test of x narrows i.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/interval.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class Ranges {
 public:
  // A uniform, loop variable or id with known bounds. What is not known has its type's full range.
  void know(const std::string& name, Interval values);
  void know(Id id, Interval values);

  // Statements that the walk passes; blocks and loops are walked with all that is in them.
  void pass(const Let& let);
  void pass(const Assign& assign);
  void pass(const Block& block);
  // Before a loop's body: gives up what its assignments can change, and returns the values of its
  // variable. What is known then holds at the start of every iteration and after the loop.
  Interval enter(const For& loop);
  // The same of a while; its condition is not assumed yet.
  void enter(const While& loop);

  // From here on the condition is known to hold, or not to.
  void assume(const Expr& cond, bool holds);

  // Bounds on every lane of an integer or bool expression.
  [[nodiscard]] Interval of(const Expr& expr) const;
  // The same before the last operation wraps: within the type's range, it does not. Integers of 64
  // bits, which are not followed, may always wrap.
  [[nodiscard]] Interval exact(const Expr& expr) const;
  [[nodiscard]] bool may_wrap(const Expr& expr) const;

  // What changed since a mark.
  using Changes = std::unordered_map<std::string, Interval>;
  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  Changes undo(std::size_t mark);
  // After the branches of an if: for names known before it, what holds either way.
  void join(const Changes& one, const Changes& other);
  // After a block that always runs.
  void keep(const Changes& changes) { join(changes, changes); }

 private:
  // What was known of a key before it changed.
  struct TrailEntry {
    std::string key;
    bool known;
    Interval values;
  };
  struct Definition {
    std::string name;
    Expr value;
  };
  using Assigned = std::unordered_map<std::string, Scalar>;

  void set(const std::string& key, Interval values);
  [[nodiscard]] Interval get(const std::string& key, Scalar scalar) const;

  void define(const Let& let);
  void undefine(const std::string& name);
  [[nodiscard]] const Definition* definition(const std::string& name) const;
  void narrow(const Expr& expr, Interval to);
  void narrow_operand(const Binary& node, Interval to);
  void narrow_dependents(const std::string& key);
  void assume_binary(const Binary& node, bool holds);
  void assume_compared(const Binary& node, bool holds);

  void pass(const If& branch);
  template <class Begin>
  void widen_assigned(const Block& body, const Begin& begin);
  void forget(const Assigned& assigned);
  bool widen(const Assigned& assigned, const Changes& after);
  [[nodiscard]] Assigned known_assigned(const Block& body) const;

  std::unordered_map<std::string, Interval> known_;
  std::vector<TrailEntry> trail_;
  // Lets whose value is a function of names that keep theirs, and which of them use a name.
  std::vector<Definition> definitions_;
  std::unordered_map<std::string, std::size_t> defined_;
  std::unordered_map<std::string, std::set<std::size_t>> users_;
  std::unordered_set<std::string> mutable_;
};

}  // namespace vyre::ir
