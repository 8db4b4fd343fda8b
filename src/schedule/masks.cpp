#include "schedule/masks.h"

#include <algorithm>

#include "ir/fold.h"
#include "ir/visit.h"
#include "schedule/interleave.h"

namespace vyre::schedule {

using ir::BinaryOp;
using ir::Block;
using ir::Expr;
using ir::Stmt;

namespace {

Expr any_lane(const Expr& mask) { return ir::Reduce{BinaryOp::bit_or, mask}; }
Expr all_lanes(const Expr& mask) { return ir::Reduce{BinaryOp::bit_and, mask}; }
Expr off(const Expr& mask) { return ir::Unary{ir::UnaryOp::bit_not, mask}; }
Expr lane_of(const Expr& vector, std::uint32_t l) {
  return ir::Lane{vector, static_cast<std::uint8_t>(l)};
}

// What is small enough for registers.
constexpr std::uint32_t most_kept = 64;

// Loads that are looked into lane by lane are left to those who go lane by lane.
bool has_vector_load(const Expr& expr) {
  return has_load(expr) && any_expr(expr, [](const Expr& e) { return e.type().lanes > 1; });
}

}  // namespace

Expr are_among(const Expr& first, const Expr& count, std::uint32_t elements) {
  const Expr width = ir::literal(elements);
  const Expr from_there = compared(BinaryOp::le, first, minus(count, width));
  const bool enough = literal_bits(count).value_or(0) >= elements;
  return enough ? from_there : both(compared(BinaryOp::ge, count, width), from_there);
}

bool Masks::can_take(const Stmt& stmt) const {
  const ir::NameSet inside = ir::declared_names({stmt});
  return !any_stmt(stmt, [&](const Stmt& s) {
    if (any_operand(s, has_vector_load)) return true;
    return match(
        s,
        [](const ir::OneOf<ir::Let, ir::Store, ir::AtomicAdd> auto& n) {
          return n.value.type().lanes > 1;
        },
        [&](const ir::Assign& n) {
          const bool held = inside.contains(n.name) || lanes_.is_counter(n.name) ||
                            lanes_.value_of(n.name).form == Form::vector;
          return n.value.type().lanes > 1 || !held;
        },
        [](const ir::OneOf<ir::If, ir::For, ir::While, ir::Break, ir::Region> auto&) {
          return false;
        },
        [](const ir::Barrier&) { return true; });
  });
}

bool Masks::only_computes(const Stmt& stmt) {
  return !any_stmt(stmt, [](const Stmt& s) {
    return any_operand(s, ir::has_load) || ir::is<ir::Store>(s) || ir::is<ir::AtomicAdd>(s) ||
           ir::is<ir::For>(s);
  });
}

bool Masks::suit(const Stmt& stmt) const {
  return can_take(stmt) && (only_computes(stmt) || pays(stmt));
}

bool Masks::pays(const Stmt& stmt) const {
  return match(
      stmt,
      [&](const ir::If& s) {
        Work work;
        count(s.then, work);
        count(s.otherwise, work);
        return !lanes_.is_by_place(s.cond) && work.is_mostly_arithmetic();
      },
      [&](const ir::OneOf<ir::For, ir::While> auto& s) {
        Work work;
        count({stmt}, work);
        return !lanes_.is_by_place(s) && work.is_mostly_arithmetic();
      },
      [](const ir::OneOf<ir::Let, ir::Assign, ir::Store, ir::AtomicAdd, ir::Break, ir::Barrier,
                         ir::Region> auto&) { return false; });
}

void Masks::count(const Block& body, Work& work) const {
  for (const Stmt& stmt : body) {
    if (!ir::is<ir::For>(stmt)) for_each_operand(stmt, [&](const Expr& e) { count(e, work); });
    match(
        stmt,
        [&](const ir::Store& s) {
          ++(is_kept(s.buffer, s.index) ? work.operations : work.accesses);
        },
        [&](const ir::AtomicAdd& s) {
          work.accesses += lanes_.varying().varies(s.index) ? 1U : 0U;
        },
        // To count, and to test for the end.
        [&](const ir::For&) { work.operations += lanes_.varying().diverges(stmt) ? 2U : 0U; },
        [](const ir::OneOf<ir::Let, ir::Assign, ir::If, ir::While, ir::Break, ir::Barrier,
                           ir::Region> auto&) {});
    for_each_block(stmt, [&](const Block& inner) { count(inner, work); });
  }
}

void Masks::count(const Expr& expr, Work& work) const {
  for_each_expr(expr, [&](const Expr& e) {
    if (!lanes_.is_scattered(e) || ir::is<ir::Var>(e)) return;
    const auto* load = ir::as<ir::Load>(e);
    if (load == nullptr || is_kept(load->buffer, load->index)) {
      ++work.operations;
    } else if (!lanes_.constant_count(load->buffer) ||
               !(lanes_.vector_index(load->buffer, load->index) || short_gap(*load))) {
      ++work.accesses;
    }
  });
}

Expr Masks::named(const std::string& like, const Expr& value, Block& into) {
  const std::string name = names_.fresh(like);
  into.push_back({ir::Let{name, value}});
  return ir::Var{name, value.type()};
}

Expr Masks::mask_of(const Expr& cond, Block& into) {
  return named("mask", wide(cond, std::nullopt, into), into);
}

Expr Masks::wide(const Expr& expr, const Mask& mask, Block& into) {
  if (!mask) return lanes_.wide(expr);
  return lanes_.wide(expr, [&](const ir::Load& load) { return loaded(load, *mask, into); });
}

// Null for those that are too large, or not held in vectors.
const ir::Buffer* Masks::kept_array(const std::string& buffer) const {
  const auto& arrays = lanes_.options().private_buffers;
  const auto found = std::ranges::find(arrays, buffer, &ir::Buffer::name);
  if (found == arrays.end() || lanes_.form_of_buffer(buffer) != Form::vector) return nullptr;
  const bool small = literal_bits(found->count).value_or(most_kept + 1) <= most_kept;
  return small && found->element != Scalar::boolean ? &*found : nullptr;
}

bool Masks::is_kept(const std::string& buffer, const Expr& index) const {
  return kept_array(buffer) != nullptr && lanes_.vector_index(buffer, index).has_value();
}

bool Masks::keeps(const std::string& buffer, const Expr& index) {
  if (!is_kept(buffer, index)) return false;
  if (std::ranges::find(kept_, buffer) == kept_.end()) kept_.push_back(buffer);
  return true;
}

Block Masks::filled() const {
  Block made;
  for (const std::string& name : kept_) {
    const ir::Buffer& buffer = *kept_array(name);
    const Expr zeros = ir::Splat{width(), ir::zero(value_type(buffer.element))};
    const std::uint32_t count = *literal_bits(buffer.count);
    for (std::uint32_t i = 0; i < count; ++i) {
      made.push_back({ir::Store{name, ir::literal(i * width()), zeros}});
    }
  }
  return made;
}

// Neighbours, or elements of records, as vectors where all that these touch may be loaded.
Expr Masks::loaded(const ir::Load& load, const Expr& mask, Block& into) {
  const auto first = lanes_.vector_index(load.buffer, load.index);
  const Expr* count = lanes_.constant_count(load.buffer);
  const auto gap = count == nullptr ? std::nullopt : short_gap(load);
  if (!first && !gap) return gathered(load, mask, into);
  if (first && keeps(load.buffer, load.index)) return vector_at(load, *first);
  const std::string name = names_.fresh(load.buffer + "_values");
  const ir::Type type = {Expr(load).type().scalar, width()};
  into.push_back({ir::Let{name, ir::Splat{width(), ir::zero(type.scalar)}, true}});
  ir::If made{all_lanes(mask), {}, {}};
  if (count != nullptr) {
    const std::uint32_t elements = gap.value_or(1) * (width() - 1U) + 1;
    made.cond = are_among(lanes_.item(load.index, 0U), *count, elements);
  }
  const Expr whole =
      first ? vector_at(load, *first) : *picked_load(load, std::nullopt, lanes_, names_, made.then);
  made.then.push_back({ir::Assign{name, whole}});
  const Expr apart = gathered(load, mask, made.otherwise);
  made.otherwise.push_back({ir::Assign{name, apart}});
  into.push_back({std::move(made)});
  return ir::Var{name, type};
}

Expr Masks::vector_at(const ir::Load& load, const Expr& first) const {
  return ir::Load{load.buffer, load.element, first, width()};
}

// How far apart the items' elements are in records that vectors may hold.
std::optional<std::uint32_t> Masks::short_gap(const ir::Load& load) const {
  const auto gap = lanes_.gap(load.index);
  return gap && is_gap(*gap, width()) ? gap : std::nullopt;
}

Expr Masks::gathered(const ir::Load& load, const Expr& mask, Block& into) {
  const Expr places = lanes_.places(load.buffer, wide(load.index, mask, into));
  const Expr safe = named("at", in_bounds(load.buffer, places, mask, into), into);
  ir::Vector made;
  for (std::uint32_t l = 0; l < width(); ++l) {
    made.lanes.push_back(ir::Load{load.buffer, load.element, lane_of(safe, l)});
  }
  return made;
}

// Of the places of lanes that are on, the greatest stands in for those of lanes that are off.
Expr Masks::in_bounds(const std::string& buffer, const Expr& places, const Expr& mask,
                      Block& into) {
  const auto splat = [&](const Expr& e) { return ir::Splat{width(), e}; };
  if (const Expr* count = lanes_.constant_count(buffer)) {
    return ir::Binary{BinaryOp::min, places, splat(minus(*count, ir::literal(1U)))};
  }
  const Expr at = named("at", places, into);
  const Expr on = ir::Select{mask, at, splat(ir::literal(0U))};
  return ir::Select{mask, at, splat(ir::Reduce{BinaryOp::max, on})};
}

void Masks::branch(const ir::If& s, const Expr& mask, Block& into) {
  branch(s, std::nullopt, mask, into);
}

void Masks::branch(const ir::If& s, const Mask& outer, const Expr& cond, Block& into) {
  const auto within = [&](const Expr& mask) { return outer ? both(*outer, mask) : mask; };
  where_any(outer ? named("mask", within(cond), into) : cond, s.then, into);
  if (s.otherwise.empty()) return;
  where_any(named("mask", within(off(cond)), into), s.otherwise, into);
}

Expr Masks::running_named(const Expr& at_first, Block& into) {
  const std::string name = names_.fresh("running");
  into.push_back({ir::Let{name, at_first, true}});
  return ir::Var{name, at_first.type()};
}

// Until no item goes on, for all of them. Those that have left keep what they have.
void Masks::loop(const ir::While& s, const Mask& outer, Block& into) {
  const Expr cond = wide(s.cond, outer, into);
  const Expr running = running_named(outer ? both(*outer, cond) : cond, into);
  ir::While made{any_lane(running), {}};
  running_.push_back(running);
  under(running, s.body, made.body);
  running_.pop_back();
  Block next;
  const Expr again = both(running, wide(s.cond, running, next));
  next.push_back({ir::Assign{ir::as<ir::Var>(running)->name, again}});
  if (has_load(s.cond) && has_break(s.body)) {
    made.body.push_back({ir::If{any_lane(running), std::move(next), {}}});
  } else {
    made.body.insert(made.body.end(), next.begin(), next.end());
  }
  into.push_back({std::move(made)});
}

// Each lane counts for itself. One that has come to its end counts on, which nobody sees.
void Masks::loop(const ir::For& s, const Mask& outer, Block& into) {
  const auto once = [&](const Expr& bound, std::string_view part) {
    const Expr value = wide(bound, outer, into);
    return ir::is<Literal>(bound) ? value : named(s.name + std::string(part), value, into);
  };
  into.push_back({ir::Let{s.name, wide(s.begin, outer, into), true}});
  const Expr end = once(s.end, "_end");
  const Expr step = once(s.step, "_step");
  lanes_.hold(s.name, {Form::vector, s.begin.type()});
  const Expr counter = ir::Var{s.name, end.type()};
  const Expr inside = ir::Binary{BinaryOp::lt, counter, end};
  const Expr running = running_named(outer ? both(*outer, inside) : inside, into);
  ir::While made{any_lane(running), {}};
  under(running, s.body, made.body);
  made.body.push_back({ir::Assign{s.name, ir::Binary{BinaryOp::add, counter, step}}});
  made.body.push_back({ir::Assign{ir::as<ir::Var>(running)->name, both(running, inside)}});
  into.push_back({std::move(made)});
}

// What all lanes count is counted even where none is on, so that others who go through the loop
// beside these lanes count with them.
void Masks::where_any(const Expr& mask, Stmts body, Block& into) {
  if (std::ranges::all_of(body, only_computes)) return under(mask, body, into);
  const bool in_loop = !running_.empty() && mask == running_.back();  // even after a break
  const Stmts first = body.first(body.size() - (in_loop ? counted_last(body) : 0));
  ir::If made{any_lane(mask), {}, {}};
  under(mask, first, made.then);
  into.push_back({std::move(made)});
  under(mask, body.subspan(first.size()), into);
}

// How many statements at the end only count, by what is known without those before them.
std::size_t Masks::counted_last(Stmts body) const {
  const ir::NameSet inside = ir::declared_names(Block(body.begin(), body.end()));
  const auto counts = [&](const Stmt& stmt) {
    const auto* assign = ir::as<ir::Assign>(stmt);
    if (assign == nullptr || !only_computes(stmt) || mentions(assign->value, inside)) return false;
    const auto* value = ir::as<ir::Var>(assign->value);
    return lanes_.is_counter(assign->name) || (value != nullptr && lanes_.is_counter(value->name));
  };
  const auto last = std::ranges::find_if_not(body.rbegin(), body.rend(), counts);
  return static_cast<std::size_t>(last - body.rbegin());
}

// What follows a statement that some may leave the loop in is for those that are still in it.
void Masks::under(const Expr& mask, Stmts body, Block& into) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    under(mask, body[i], into);
    if (!has_break(body[i]) || i + 1 == body.size()) continue;
    const Expr& running = running_.back();
    const Expr still = mask == running ? mask : named("mask", both(mask, running), into);
    return where_any(still, body.subspan(i + 1), into);
  }
}

void Masks::under(const Expr& mask, const Stmt& stmt, Block& into) {
  match(
      stmt, [&](const ir::Let& s) { let(s, mask, into); },
      [&](const ir::Assign& s) { assign(s, mask, into); },
      [&](const ir::Store& s) { store(s, mask, into); },
      [&](const ir::AtomicAdd& s) { atomic_add(s, mask, into); },
      [&](const ir::If& s) {
        if (lanes_.varying().diverges(stmt)) {
          return branch(s, mask, named("mask", wide(s.cond, mask, into), into), into);
        }
        ir::If made{lanes_.item(s.cond, 0U), {}, {}};
        under(mask, s.then, made.then);
        under(mask, s.otherwise, made.otherwise);
        into.push_back({std::move(made)});
      },
      [&](const ir::For& s) {
        if (lanes_.varying().diverges(stmt)) return loop(s, mask, into);
        uniform_loop(s, mask, into);
      },
      // Even where all go on alike: nobody may be here at all.
      [&](const ir::While& s) { loop(s, mask, into); },
      [&](const ir::Break&) { leave(mask, into); },
      [&](const ir::Region& s) {
        ir::Region made{s.name, {}};
        under(mask, s.body, made.body);
        into.push_back({std::move(made)});
      },
      [](const ir::Barrier&) {});
}

void Masks::let(const ir::Let& s, const Expr& mask, Block& into) {
  const Form form = lanes_.form_of(s);
  const Expr value = form == Form::vector ? wide(s.value, mask, into) : lanes_.item(s.value, 0U);
  into.push_back({ir::Let{s.name, value, s.is_mutable}});
  lanes_.hold(s.name, {form, s.value.type()});
  lanes_.define(s);
}

// Where no lane is on, nobody sees what is counted.
void Masks::assign(const ir::Assign& s, const Expr& mask, Block& into) {
  if (lanes_.is_counter(s.name)) {
    into.push_back({ir::Assign{s.name, lanes_.item(s.value, 0U)}});
    return;
  }
  const Expr value = wide(s.value, mask, into);
  into.push_back({ir::Assign{s.name, ir::Select{mask, value, ir::Var{s.name, value.type()}}}});
}

void Masks::store(const ir::Store& s, const Expr& mask, Block& into) {
  const Expr values = named("values", wide(s.value, mask, into), into);
  const auto first = lanes_.vector_index(s.buffer, s.index);
  if (keeps(s.buffer, s.index)) {
    const Expr before = ir::Load{s.buffer, kept_array(s.buffer)->element, *first, width()};
    into.push_back({ir::Store{s.buffer, *first, ir::Select{mask, values, before}}});
  } else if (first) {
    ir::If made{all_lanes(mask), {{ir::Store{s.buffer, *first, values}}}, {}};
    store_each(s, values, mask, made.otherwise);
    into.push_back({std::move(made)});
  } else {
    store_each(s, values, mask, into);
  }
}

void Masks::store_each(const ir::Store& s, const Expr& values, const Expr& mask, Block& into) {
  for (std::uint32_t l = 0; l < width(); ++l) {
    const Expr index = lanes_.place(s.buffer, lanes_.item(s.index, l), ir::literal(l));
    into.push_back(
        {ir::If{lane_of(mask, l), {{ir::Store{s.buffer, index, lane_of(values, l)}}}, {}}});
  }
}

// Items that add to the same element add their sum.
void Masks::atomic_add(const ir::AtomicAdd& s, const Expr& mask, Block& into) {
  const Expr value = wide(s.value, mask, into);
  if (!lanes_.varying().varies(s.index)) {
    const Expr none = ir::Splat{width(), ir::zero(value.type().scalar)};
    const Expr sum = ir::Reduce{BinaryOp::add, ir::Select{mask, value, none}};
    into.push_back({ir::AtomicAdd{s.buffer, lanes_.item(s.index, 0U), sum}});
    return;
  }
  const Expr values = named("values", value, into);
  for (std::uint32_t l = 0; l < width(); ++l) {
    const ir::AtomicAdd add = {s.buffer, lanes_.item(s.index, l), lane_of(values, l)};
    into.push_back({ir::If{lane_of(mask, l), {{add}}, {}}});
  }
}

void Masks::uniform_loop(const ir::For& s, const Expr& mask, Block& into) {
  const auto head = [&](const Expr& e) { return lanes_.item(e, 0U); };
  ir::For made{s.name, head(s.begin), head(s.end), head(s.step), {}};
  under(mask, s.body, made.body);
  into.push_back({std::move(made)});
}

void Masks::leave(const Expr& mask, Block& into) {
  const Expr& running = running_.back();
  into.push_back({ir::Assign{ir::as<ir::Var>(running)->name, both(running, off(mask))}});
}

}  // namespace vyre::schedule
