#include "schedule/widen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "ir/fold.h"
#include "ir/rewrite.h"
#include "schedule/interleave.h"
#include "schedule/long_records.h"
#include "schedule/loops.h"
#include "schedule/masks.h"
#include "schedule/overrun.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::Stmt;

class Widener {
 public:
  Widener(const Block& body, const Lanes::Options& options, ir::Names& names)
      : lanes_(body, options), names_(names), width_(options.width), masks_(lanes_, names_) {}

  Block block(const Block& body) {
    Block made;
    for (std::span<const Stmt> rest = body; !rest.empty();) {
      std::size_t done = interleaved_stores(rest, lanes_, names_, made);
      if (done == 0) done = statements(rest, made);
      rest = rest.subspan(done);
    }
    return made;
  }
  [[nodiscard]] const Lanes& lanes() const { return lanes_; }
  [[nodiscard]] Block filled() const { return masks_.filled(); }

 private:
  // One, or all that load the parts of a record.
  std::size_t statements(std::span<const Stmt> stmts, Block& into) {
    record_ = loaded_record(stmts, lanes_, names_, into);
    const std::size_t count = record_ ? record_->loads.size() : 1;
    for (const Stmt& stmt : stmts.first(count)) statement(stmt, into);
    record_.reset();
    return count;
  }

  void statement(const Stmt& stmt, Block& into) {
    match(
        stmt, [&](const ir::Let& s) { let(s, into); },
        [&](const ir::Assign& s) { assign(s, into); }, [&](const ir::Store& s) { store(s, into); },
        [&](const ir::AtomicAdd& s) { atomic_add(stmt, s, into); },
        [&](const ir::If& s) { branch(stmt, s, into); },
        [&](const ir::For& s) { loop(stmt, s, into); },
        [&](const ir::While& s) { loop(stmt, s, into); },
        [&](const ir::OneOf<ir::Break, ir::Barrier> auto&) { into.push_back(stmt); },
        [&](const ir::Region& s) { into.push_back({ir::Region{s.name, block(s.body)}}); });
  }

  void let(const ir::Let& s, Block& into) {
    const Form form = lanes_.form_of(s);
    LaneValue held{.form = form, .type = s.value.type()};
    if (form == Form::copies) {
      for (std::uint32_t l = 0; l < width_; ++l) {
        held.copies.push_back(names_.fresh(s.name));
        into.push_back({ir::Let{held.copies[l], lanes_.item(s.value, l), s.is_mutable}});
      }
    } else {
      const Expr value = form == Form::vector ? wide(s.value, into) : lanes_.item(s.value, 0U);
      into.push_back({ir::Let{s.name, value, s.is_mutable}});
    }
    lanes_.hold(s.name, std::move(held));
    lanes_.define(s);
  }

  Expr wide(const Expr& value, Block& into) {
    const auto picked = picked_load(value, record_, lanes_, names_, into);
    return picked ? *picked : lanes_.wide(value);
  }

  void assign(const ir::Assign& s, Block& into) {
    const LaneValue& held = lanes_.value_of(s.name);
    if (held.form == Form::copies) {
      for (std::uint32_t l = 0; l < width_; ++l) {
        into.push_back({ir::Assign{held.copies[l], lanes_.item(s.value, l)}});
      }
    } else {
      const bool wide = held.form == Form::vector;
      into.push_back({ir::Assign{s.name, wide ? lanes_.wide(s.value) : lanes_.item(s.value, 0U)}});
    }
  }

  // A value is computed for all items at once even where its lanes go to different places.
  void store(const ir::Store& s, Block& into) {
    if (lanes_.form_of_buffer(s.buffer) == Form::uniform) {
      into.push_back({ir::Store{s.buffer, lanes_.item(s.index, 0U), lanes_.item(s.value, 0U)}});
      return;
    }
    if (!lanes_.options().vectors || s.value.type().lanes > 1) return for_each_item({s}, into);
    const Expr value = lanes_.wide(s.value);
    if (const auto first = lanes_.vector_index(s.buffer, s.index)) {
      into.push_back({ir::Store{s.buffer, *first, value}});
      return;
    }
    const std::string name = names_.fresh("values");
    into.push_back({ir::Let{name, value}});
    for (std::uint32_t l = 0; l < width_; ++l) {
      const Expr lane = ir::Lane{ir::Var{name, value.type()}, static_cast<std::uint8_t>(l)};
      const Expr index = lanes_.place(s.buffer, lanes_.item(s.index, l), ir::literal(l));
      into.push_back({ir::Store{s.buffer, index, lane}});
    }
  }

  // Items that add to the same element add their sum.
  void atomic_add(const Stmt& stmt, const ir::AtomicAdd& s, Block& into) {
    if (lanes_.varying().varies(s.index)) return for_each_item(stmt, into);
    into.push_back({ir::AtomicAdd{s.buffer, lanes_.item(s.index, 0U), sum_of_items(s.value)}});
  }

  [[nodiscard]] Expr sum_of_items(const Expr& value) const {
    if (lanes_.options().vectors && lanes_.varying().varies(value)) {
      return ir::Reduce{ir::BinaryOp::add, lanes_.wide(value)};
    }
    Expr sum = lanes_.item(value, 0U);
    for (std::uint32_t l = 1; l < width_; ++l) {
      const Expr more = lanes_.item(value, l);
      sum = is_integer(value.type().scalar) ? plus(sum, more)
                                            : Expr(ir::Binary{ir::BinaryOp::add, sum, more});
    }
    return sum;
  }

  void branch(const Stmt& stmt, const ir::If& s, Block& into) {
    if (!lanes_.varying().diverges(stmt)) {
      into.push_back({ir::If{lanes_.all(s.cond), block(s.then), block(s.otherwise)}});
      return;
    }
    if (goes_under_masks(stmt)) return masks_.branch(s, masks_.mask_of(s.cond, into), into);
    const bool rarely = !loads_a_vector(s.then) && weight(s.otherwise) > weight(s.then);
    const Expr together = rarely ? lanes_.all(negation(s.cond)) : lanes_.all(s.cond);
    ir::If made{together, block(rarely ? s.otherwise : s.then), {}};
    if (lanes_.options().vectors && loads_much(s) && masks_.can_take(stmt)) {
      masks_.branch(s, masks_.mask_of(s.cond, made.otherwise), made.otherwise);
    } else {
      one_after_the_other({stmt}, made.otherwise);
    }
    into.push_back({std::move(made)});
  }

  // So much that the few vectors whose lanes part ways by their place, at borders, would take
  // longer than all others if they went one after the other.
  [[nodiscard]] static bool loads_much(const ir::If& s) {
    constexpr int much = 12;
    int loads = 0;
    for (const Block* body : {&s.then, &s.otherwise}) {
      const bool in_loops = has_loop(*body);
      for_each_expr(*body, [&](const Expr& e) {
        if (ir::is<ir::Load>(e)) loads += in_loops ? much : 1;
      });
    }
    return loads >= much;
  }

  [[nodiscard]] bool goes_under_masks(const Stmt& stmt) const {
    return lanes_.options().vectors && masks_.suit(stmt);
  }

  // As masks load neighbours where all of them are in the buffer, which is nearly always.
  [[nodiscard]] static bool loads_a_vector(const Block& body) {
    const auto* assign = body.size() == 1 ? ir::as<ir::Assign>(body.front()) : nullptr;
    const auto* load = assign == nullptr ? nullptr : ir::as<ir::Load>(assign->value);
    return load != nullptr && load->lanes > 1;
  }

  // How much there is to gain from going through a block side by side: vectors, then that items
  // stay together, then all else.
  [[nodiscard]] std::array<int, 3> weight(const Block& body) const {
    int vectors = 0;
    int together = 0;
    int expressions = 0;
    for_each_expr(body, [&](const Expr& e) {
      ++expressions;
      const auto* load = ir::as<ir::Load>(e);
      if (load != nullptr && lanes_.vector_index(load->buffer, load->index)) ++vectors;
    });
    for_each_stmt(body, [&](const Stmt& stmt) {
      if (lanes_.varying().diverges(stmt)) --together;
    });
    return {vectors, together, expressions};
  }

  void loop(const Stmt& stmt, const ir::For& s, Block& into) {
    if (lanes_.varying().diverges(stmt)) {
      if (goes_under_masks(stmt)) return masks_.loop(s, into);
      return one_after_the_other({stmt}, into);
    }
    const auto head = [&](const Expr& e) { return lanes_.item(e, 0U); };
    into.push_back({ir::For{s.name, head(s.begin), head(s.end), head(s.step), block(s.body)}});
  }

  void loop(const Stmt& stmt, const ir::While& s, Block& into) {
    if (!lanes_.varying().diverges(stmt)) {
      into.push_back({ir::While{lanes_.item(s.cond, 0U), block(s.body)}});
    } else if (goes_under_masks(stmt)) {
      masks_.loop(s, into);
    } else if (!lanes_.options().vectors && may_overrun(s, lanes_)) {
      into.push_back({ir::While{some(s.cond), block(s.body)}});
    } else {
      Block each = counters_begun(s);
      each.push_back(stmt);
      one_after_the_other(each, into);
    }
  }

  // Who goes alone begins with its own count, not with the last one's.
  [[nodiscard]] Block counters_begun(const ir::While& s) const {
    Block made;
    for (const Stmt& stmt : s.body) {
      const auto* assign = ir::as<ir::Assign>(stmt);
      if (assign == nullptr || !lanes_.is_counter(assign->name)) continue;
      made.push_back({ir::Assign{assign->name, lanes_.options().counters.at(assign->name)}});
    }
    return made;
  }

  [[nodiscard]] Expr some(const Expr& cond) const {
    Expr made = lanes_.item(cond, 0U);
    for (std::uint32_t l = 1; l < width_; ++l) {
      made = ir::Binary{ir::BinaryOp::bit_or, made, lanes_.item(cond, l)};
    }
    return made;
  }

  // In a loop where every item's values are found from its number; else written out.
  void one_after_the_other(const Block& stmts, Block& into) {
    for (const std::string& name : ir::declared_names(stmts)) lanes_.forget(name);
    const auto assigned = ir::assigned_names(stmts);
    const bool looks_into_lanes = any_expr(stmts, [&](const Expr& e) {
      const auto* var = ir::as<ir::Var>(e);
      return var != nullptr && is_apart(var->name);
    });
    if (looks_into_lanes ||
        std::ranges::any_of(assigned, [&](const std::string& name) { return is_apart(name); })) {
      return written_out(stmts, assigned, into);
    }
    const std::string lane = names_.fresh("lane");
    const Expr l = ir::Var{lane, {Scalar::u32}};
    into.push_back(
        {ir::For{lane, ir::literal(0U), ir::literal(width_), ir::literal(1U), items(stmts, l)}});
  }

  [[nodiscard]] Block items(const Block& stmts, const Expr& l) const {
    Block made;
    for (const Stmt& stmt : stmts) made.push_back(lanes_.item(stmt, l));
    return made;
  }

  [[nodiscard]] bool is_apart(const std::string& name) const {
    const Form form = lanes_.value_of(name).form;
    return form == Form::vector || form == Form::copies;
  }

  // Vectors that are assigned to are taken apart before it and put together after it.
  void written_out(const Block& stmts, const ir::NameSet& assigned, Block& into) {
    std::vector<std::pair<std::string, LaneValue>> vectors;
    std::vector<std::string> sorted(assigned.begin(), assigned.end());
    std::ranges::sort(sorted);
    for (const std::string& name : sorted) {
      if (lanes_.value_of(name).form == Form::vector) {
        vectors.emplace_back(name, lanes_.value_of(name));
        take_apart(name, into);
      }
    }
    for (std::uint32_t l = 0; l < width_; ++l) {
      std::unordered_map<std::string, std::string> targets;
      for (const std::string& name : sorted) {
        const LaneValue& held = lanes_.value_of(name);
        if (held.form == Form::copies) targets.emplace(name, held.copies[l]);
      }
      for (const Stmt& made : items(stmts, ir::literal(l))) {
        into.push_back(with_targets(made, targets));
      }
    }
    for (const auto& [name, held] : vectors) put_together(name, held, into);
  }

  void take_apart(const std::string& name, Block& into) {
    const ir::Type type = lanes_.value_of(name).type;
    LaneValue apart{.form = Form::copies, .type = type};
    for (std::uint32_t l = 0; l < width_; ++l) {
      apart.copies.push_back(names_.fresh(name));
      into.push_back({ir::Let{apart.copies[l], lanes_.item(ir::Var{name, type}, l), true}});
    }
    lanes_.hold(name, std::move(apart));
  }

  void put_together(const std::string& name, const LaneValue& held, Block& into) {
    into.push_back({ir::Assign{name, lanes_.wide(ir::Var{name, held.type})}});
    lanes_.hold(name, held);
  }

  void for_each_item(const Stmt& stmt, Block& into) {
    for (std::uint32_t l = 0; l < width_; ++l) {
      into.push_back(lanes_.item(stmt, ir::literal(l)));
    }
  }

  Lanes lanes_;
  ir::Names& names_;
  std::uint32_t width_;
  std::optional<Record> record_;  // that the statements at hand load
  Masks masks_;
};

// Whether it loads or stores a vector of memory.
bool is_wide(const Stmt& stmt, const Lanes& lanes) {
  const std::uint32_t width = lanes.options().width;
  const auto is_vector = [&](std::uint32_t length, const std::string& buffer) {
    const bool fits = length == width || length == shuffled_lanes(width);
    return fits && !lanes.form_of_buffer(buffer);
  };
  const auto* store = ir::as<ir::Store>(stmt);
  return (store != nullptr && is_vector(store->value.type().lanes, store->buffer)) ||
         any_expr(stmt, [&](const Expr& e) {
           const auto* load = ir::as<ir::Load>(e);
           return load != nullptr && is_vector(load->lanes, load->buffer);
         });
}

}  // namespace

Widened widened(const Block& body, const Lanes::Options& options, ir::Names& names) {
  Widener widener(body, options, names);
  Widened made{.body = widener.block(body)};
  const Block filled = widener.filled();
  made.body.insert(made.body.begin(), filled.begin(), filled.end());
  const Lanes& lanes = widener.lanes();
  if (options.vectors) {
    made.has_wide_access =
        std::ranges::any_of(made.body, [&](const Stmt& stmt) { return is_wide(stmt, lanes); });
  }
  for (const ir::Buffer& buffer : options.private_buffers) {
    if (lanes.form_of_buffer(buffer.name) != Form::uniform) made.spread.insert(buffer.name);
  }
  return made;
}

}  // namespace vyre::schedule
