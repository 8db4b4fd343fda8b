// Statements that only some of the items take, for all items at once: vectors with a lane for each,
// and a mask that says whose lanes count.
//
//   if d < r { s = s + f * m[j] }    becomes    let mask = d < splat8(r)
//                                               if any(mask) { s = select(mask, s + f * m[j], s) }
//
// What touches memory runs only where a lane is on. Lanes that are off load what one that is on
// loads, which is in bounds, written before and written by nobody else; or any element of a buffer
// that nobody writes to, which has some. Stores and atomics are done lane by lane, by those that
// are on; but small private arrays are loaded and stored as vectors, in which lanes that are off
// keep what they had, so that compilers can hold them in registers. Loops go on as long as any lane
// does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/names.h"
#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Whether so many elements from `first` on are among the first `count`.
[[nodiscard]] ir::Expr are_among(const ir::Expr& first, const ir::Expr& count,
                                 std::uint32_t elements);

class Masks {
 public:
  // Requires: vectors; both outlive this.
  Masks(Lanes& lanes, ir::Names& names) : lanes_(lanes), names_(names) {}

  // Whether an if or a loop that items part ways at can go under masks: its values are scalars, and
  // what it assigns to is held in vectors or declared in it.
  [[nodiscard]] bool can_take(const ir::Stmt& stmt) const;
  // Whether it can, and is likely to be faster so than lane by lane.
  [[nodiscard]] bool suit(const ir::Stmt& stmt) const;
  // Whether all that it does is to compute: then it does no harm where no lane is on.
  [[nodiscard]] static bool only_computes(const ir::Stmt& stmt);

  // A mask of those that the condition holds for, with a name.
  [[nodiscard]] ir::Expr mask_of(const ir::Expr& cond, ir::Block& into);
  // Both branches, each keeping what it assigns only where it is taken.
  void branch(const ir::If& s, const ir::Expr& mask, ir::Block& into);
  void loop(const ir::While& s, ir::Block& into) { loop(s, std::nullopt, into); }
  void loop(const ir::For& s, ir::Block& into) { loop(s, std::nullopt, into); }

  // What must be done first: lanes that are off keep what nobody may have stored.
  [[nodiscard]] ir::Block filled() const;

 private:
  using Stmts = std::span<const ir::Stmt>;
  using Mask = std::optional<ir::Expr>;  // none: all lanes are on

  // What differs from lane to lane: operations on vectors, and accesses lane by lane. The heads of
  // loops are evaluated once and not counted.
  struct Work {
    std::size_t operations = 0;
    std::size_t accesses = 0;
    [[nodiscard]] bool is_mostly_arithmetic() const { return operations >= 2 * accesses; }
  };
  [[nodiscard]] bool pays(const ir::Stmt& stmt) const;
  void count(const ir::Block& body, Work& work) const;
  void count(const ir::Expr& expr, Work& work) const;
  void branch(const ir::If& s, const Mask& outer, const ir::Expr& cond, ir::Block& into);
  void loop(const ir::While& s, const Mask& outer, ir::Block& into);
  void loop(const ir::For& s, const Mask& outer, ir::Block& into);
  [[nodiscard]] ir::Expr running_named(const ir::Expr& at_first, ir::Block& into);

  void where_any(const ir::Expr& mask, Stmts body, ir::Block& into);
  [[nodiscard]] std::size_t counted_last(Stmts body) const;
  void under(const ir::Expr& mask, Stmts body, ir::Block& into);
  void under(const ir::Expr& mask, const ir::Stmt& stmt, ir::Block& into);
  void let(const ir::Let& s, const ir::Expr& mask, ir::Block& into);
  void assign(const ir::Assign& s, const ir::Expr& mask, ir::Block& into);
  void store(const ir::Store& s, const ir::Expr& mask, ir::Block& into);
  void store_each(const ir::Store& s, const ir::Expr& values, const ir::Expr& mask,
                  ir::Block& into);
  void atomic_add(const ir::AtomicAdd& s, const ir::Expr& mask, ir::Block& into);
  void uniform_loop(const ir::For& s, const ir::Expr& mask, ir::Block& into);
  void leave(const ir::Expr& mask, ir::Block& into);

  // The values of all items; of those that are off, any.
  [[nodiscard]] ir::Expr wide(const ir::Expr& expr, const Mask& mask, ir::Block& into);
  // Whether that is a vector of a small private array; and notes it.
  [[nodiscard]] bool is_kept(const std::string& buffer, const ir::Expr& index) const;
  [[nodiscard]] bool keeps(const std::string& buffer, const ir::Expr& index);
  [[nodiscard]] ir::Expr loaded(const ir::Load& load, const ir::Expr& mask, ir::Block& into);
  [[nodiscard]] ir::Expr vector_at(const ir::Load& load, const ir::Expr& first) const;
  [[nodiscard]] std::optional<std::uint32_t> short_gap(const ir::Load& load) const;
  [[nodiscard]] ir::Expr gathered(const ir::Load& load, const ir::Expr& mask, ir::Block& into);
  [[nodiscard]] ir::Expr in_bounds(const std::string& buffer, const ir::Expr& places,
                                   const ir::Expr& mask, ir::Block& into);
  [[nodiscard]] const ir::Buffer* kept_array(const std::string& buffer) const;
  [[nodiscard]] ir::Expr named(const std::string& like, const ir::Expr& value, ir::Block& into);
  [[nodiscard]] std::uint8_t width() const {
    return static_cast<std::uint8_t>(lanes_.options().width);
  }

  Lanes& lanes_;
  ir::Names& names_;
  std::vector<std::string> kept_;  // small private arrays that are accessed as vectors
  std::vector<ir::Expr> running_;  // the items that are in the whiles around
};

}  // namespace vyre::schedule
