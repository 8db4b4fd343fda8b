// Expressions for several items at once: items that stand side by side in one dimension, or that
// follow each other in a loop.
//
// Each name is held in one of four forms: once for all items where it is uniform; once, for the
// first item, where it grows by a stride from item to item; as a vector with a lane for each item;
// in as many copies as there are items; or in a private buffer, the first of `copies`, which has
// the items one after the other. So is each private buffer: as a vector, element e of item l stands
// at e * width + l, so that what all items access at one index is one vector; as copies, one item's
// elements follow the other's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/stride.h"
#include "ir/varying.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

[[nodiscard]] ir::NameSet names_of(const std::vector<ir::Buffer>& buffers);

// What all lanes count together in a loop that they may leave apart (see schedule/counters.h), by
// name: what each item begins with.
using Counters = std::map<std::string, ir::Expr>;
[[nodiscard]] ir::NameSet names_of(const Counters& counters);

// Whether items that are so many elements apart are worth vectors of memory of this width: those
// are then no more work than an access for each item.
[[nodiscard]] constexpr bool is_gap(std::uint32_t elements, std::uint32_t width) {
  return elements >= 2 && elements <= 4 && width >= 2 * elements;
}

enum class Form : std::uint8_t { uniform, strided, vector, copies, array };

struct LaneValue {
  Form form = Form::uniform;
  ir::Type type = {};  // of one item
  std::vector<std::string> copies = {};
};

class Lanes {
 public:
  // Item l is the invocation whose id in `dim` is first + l; or, of a loop, the iteration whose
  // variable is that of the loop plus l. With `vectors`, scalars are held in vectors; `width` must
  // be a lane count then.
  struct Options {
    std::uint8_t dim = 0;
    std::uint32_t width = 1;
    bool vectors = false;
    ir::Expr first = {};
    std::vector<ir::Buffer> private_buffers = {};   // of which each item has its own
    std::vector<ir::Buffer> constant_buffers = {};  // that nobody writes to; need not be all
    std::optional<ir::Var> loop = {};               // the items are its iterations
    std::vector<ir::Var> carried = {};  // scalars from outside the loop, held in vectors
    Counters counters = {};
  };
  Lanes(const ir::Block& body, Options options);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const ir::Varying& varying() const { return varying_; }

  // The form a declaration takes, and what is known of it from then on.
  [[nodiscard]] Form form_of(const ir::Let& let) const;
  void hold(const std::string& name, LaneValue held) { values_[name] = std::move(held); }
  void forget(const std::string& name) { values_.erase(name); }
  [[nodiscard]] const LaneValue& value_of(const std::string& name) const;
  void define(const ir::Let& let);
  // Whether it is counted once for all lanes.
  [[nodiscard]] bool is_counter(const std::string& name) const {
    return options_.counters.contains(name) && !varying_.varies(name);
  }
  // Nothing for buffers that are not private to an item.
  [[nodiscard]] std::optional<Form> form_of_buffer(const std::string& buffer) const;

  // The value of item `l`, a u32 expression; a literal where vectors or copies are read.
  [[nodiscard]] ir::Expr item(const ir::Expr& expr, const ir::Expr& l) const;
  [[nodiscard]] ir::Expr item(const ir::Expr& expr, std::uint32_t l) const;
  [[nodiscard]] ir::Stmt item(const ir::Stmt& stmt, const ir::Expr& l) const;
  // The values of all items as a vector. Requires: vectors; a scalar.
  [[nodiscard]] ir::Expr wide(const ir::Expr& expr) const;
  // The same, with the loads that differ from item to item as `gather` has them.
  using Gather = std::function<ir::Expr(const ir::Load&)>;
  [[nodiscard]] ir::Expr wide(const ir::Expr& expr, const Gather& gather) const;
  // Whether the condition holds for every item. Where it does, it may still say no.
  [[nodiscard]] ir::Expr all(const ir::Expr& cond) const { return all(cond, 3); }
  // Whether items that part ways at the condition, or at the bounds of a loop, do so by their place
  // alone: then few vectors of them do.
  [[nodiscard]] bool is_by_place(const ir::Expr& cond) const;
  [[nodiscard]] bool is_by_place(const ir::For& loop) const;
  [[nodiscard]] static bool is_by_place(const ir::While& /*loop*/) { return false; }
  // Whether it differs from item to item by more than a stride.
  [[nodiscard]] bool is_scattered(const ir::Expr& expr) const {
    return varying_.varies(expr) && !strides_.of(expr);
  }
  // Where the elements begin that the items access at this index, if they stand side by side in the
  // order of the items.
  [[nodiscard]] std::optional<ir::Expr> vector_index(const std::string& buffer,
                                                     const ir::Expr& index) const;
  // How many elements the items are apart at this index, where that is a gap, or the length of a
  // long record.
  [[nodiscard]] std::optional<std::uint32_t> gap(const ir::Expr& index) const;
  [[nodiscard]] bool is_constant(const std::string& buffer) const {
    return constants_.contains(buffer);
  }
  // How many elements it has; null where somebody may write to it.
  [[nodiscard]] const ir::Expr* constant_count(const std::string& buffer) const;
  // Where the element is that item `l` has at this index, which is the item's.
  [[nodiscard]] ir::Expr place(const std::string& buffer, const ir::Expr& index,
                               const ir::Expr& l) const;
  // Where they all are, of a vector of the items' indices.
  [[nodiscard]] ir::Expr places(const std::string& buffer, const ir::Expr& indices) const;

 private:
  // A private buffer of one item.
  struct Held {
    Form form = Form::uniform;
    ir::Expr count;
  };
  void hold_private_buffers(const ir::Block& body);
  [[nodiscard]] ir::Expr all(const ir::Expr& cond, int lets) const;
  [[nodiscard]] ir::Replace replacement(const ir::Expr& l) const;
  [[nodiscard]] std::optional<ir::Expr> item_of_name(const ir::Expr& e, const ir::Var& var,
                                                     const ir::Expr& l) const;
  [[nodiscard]] ir::Expr ramp(const ir::Expr& expr, const ir::Expr& stride) const;
  [[nodiscard]] ir::Expr gathered(const ir::Expr& expr) const;
  [[nodiscard]] ir::Expr all_compared(const ir::Expr& cond, const ir::Binary& node) const;
  [[nodiscard]] ir::Expr all_in_step(const ir::Expr& cond, const ir::Binary& node) const;
  [[nodiscard]] std::optional<std::uint32_t> small_stride(const ir::Expr& growing) const;
  [[nodiscard]] ir::Expr does_not_wrap(const ir::Expr& growing) const;
  [[nodiscard]] ir::Expr outside(const ir::Expr& growing, const ir::Expr& value) const;
  [[nodiscard]] ir::Expr each(const ir::Expr& cond) const;
  [[nodiscard]] bool is_own_id(const ir::Expr& expr) const;
  [[nodiscard]] bool is_item_number(const ir::Expr& expr) const;

  Options options_;
  ir::NameSet constants_;
  ir::Varying varying_;
  ir::Strides strides_;
  ir::NameSet mutable_;
  std::unordered_map<std::string, LaneValue> values_;
  std::unordered_map<std::string, Held> buffers_;
  std::unordered_map<std::string, ir::Expr> definitions_;  // of lets that may be looked through
};

}  // namespace vyre::schedule
