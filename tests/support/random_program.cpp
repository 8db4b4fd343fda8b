#include "support/random_program.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "ir/visit.h"
#include "support/random_expr.h"
#include "support/random_source.h"

namespace vyre::testing {

using namespace ir;  // NOLINT(google-build-using-namespace): this file is about nothing else

namespace {

constexpr std::uint32_t input_count = 48;
constexpr std::uint32_t slot = 16;  // elements of each output that belong to one invocation
constexpr std::uint32_t counters = 8;

Expr u32_var(const std::string& name) { return Var{name, {Scalar::u32}}; }
Expr binary(BinaryOp op, Expr a, Expr b) { return Binary{op, std::move(a), std::move(b)}; }

class ProgramMaker {
 public:
  ProgramMaker(std::uint64_t seed, RandomOptions options)
      : random_(seed),
        expr_(random_, names_, readable_, options.f64),
        elements_(random_scalars(options.f64).begin(), random_scalars(options.f64).end()),
        seed_(seed),
        options_(options) {}

  Generated make() {
    Generated made;
    program_.name = fmt::format("random_{}", seed_);
    program_.reassociate = seed_ % 3 == 0;
    shape();
    declare();
    own_place();
    own_memory();
    block(program_.body, 3, true);
    for (const Scalar scalar : elements_) store_to(program_.body, scalar);
    mark_what_is_only_written();
    made.program = program_;
    for (const Buffer& b : program_.buffers) {
      if (b.memory == Memory::global) made.buffers.push_back(content(b));
    }
    return made;
  }

 private:
  // Whole workgroups where the program may hold barriers; ragged edges elsewhere.
  void shape() {
    constexpr std::array<Extent, 7> workgroups = {
        {{8, 1, 1}, {16, 1, 1}, {64, 1, 1}, {4, 4, 1}, {2, 3, 1}, {2, 2, 2}, {1, 1, 1}}};
    program_.workgroup = random_.pick(workgroups);
    has_barriers_ = random_.one_in(2) && !options_.independent;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t w = program_.workgroup[d];
      const bool flat = w == 1 && d > 0;
      extent_[d] = flat ? 1 : has_barriers_ ? w * (1 + random_.below(3)) : 1 + random_.below(3 * w);
      program_.grid[d] = literal(extent_[d]);
    }
    if (random_.one_in(2)) {
      uniform("width", Literal{Scalar::u32, extent_[0]});
      program_.grid[0] = u32_var("width");
    }
  }

  // Some of the outputs that nothing reads.
  void mark_what_is_only_written() {
    for (Buffer& buffer : program_.buffers) {
      if (!buffer.name.starts_with("out_") || random_.one_in(2)) continue;
      const bool is_read = any_expr(program_.body, [&](const Expr& e) {
        const auto* load = as<Load>(e);
        return load != nullptr && load->buffer == buffer.name;
      });
      if (is_read) continue;
      buffer.access = Access::write;
      buffer.nontemporal = random_.one_in(2);
    }
  }

  void uniform(const std::string& name, Literal value) {
    program_.uniforms.push_back({name, value});
    names_.push_back({name, {value.scalar}});
  }

  [[nodiscard]] std::uint32_t invocations() const { return extent_[0] * extent_[1] * extent_[2]; }
  [[nodiscard]] std::uint32_t group_size() const {
    return program_.workgroup[0] * program_.workgroup[1] * program_.workgroup[2];
  }

  void declare() {
    if (options_.independent) {
      expr_.see_no_groups();
      side_by_side_ = random_.one_in(2);
      only_scalars_ = random_.one_in(2);
      if (only_scalars_) expr_.see_no_vectors();
    }
    for (const Scalar narrow : narrow_scalars()) {
      if (random_.one_in(3)) elements_.push_back(narrow);
    }
    const std::uint32_t beyond = side_by_side_ ? invocations() : 0;
    for (const Scalar scalar : elements_) {
      const std::string type(name_of(scalar));
      if (!is_narrow(scalar) && random_.one_in(2)) {
        uniform("k_" + type, *as<Literal>(expr_.literal_of(scalar)));
      }
      program_.buffers.push_back(
          {"in_" + type, scalar, literal(input_count + beyond), Access::read});
      readable_.push_back({"in_" + type, scalar, input_count});
      program_.buffers.push_back(
          {"out_" + type, scalar, literal(invocations() * slot), Access::read_write});
      if (has_barriers_) {
        program_.buffers.push_back(
            {"tile_" + type, scalar, literal(group_size()), Access::read_write, Memory::shared});
      }
    }
    program_.buffers.push_back({"count_u32", Scalar::u32, literal(counters), Access::read_write});
    program_.buffers.push_back({"count_i32", Scalar::i32, literal(counters), Access::read_write});
    if (program_.reassociate) {
      program_.buffers.push_back({"count_f32", Scalar::f32, literal(counters), Access::read_write});
    }
    if (has_barriers_) {
      program_.buffers.push_back(
          {"votes", Scalar::u32, literal(counters), Access::read_write, Memory::shared});
    }
  }

  // me: the invocation's number in the grid; at: its number in the group.
  void own_place() {
    const auto linear = [](IdKind kind, const Expr& width, const Expr& height) {
      const Expr row =
          binary(BinaryOp::add, binary(BinaryOp::mul, Id{kind, 2}, height), Id{kind, 1});
      return binary(BinaryOp::add, binary(BinaryOp::mul, row, width), Id{kind, 0});
    };
    let("me", linear(IdKind::invocation, Id{IdKind::grid, 0}, Id{IdKind::grid, 1}));
    if (side_by_side_) expr_.read_from(u32_var("me"));
    if (has_barriers_) {
      let("at", linear(IdKind::local, Id{IdKind::workgroup, 0}, Id{IdKind::workgroup, 1}));
    }
  }

  // Private buffers that are written in full before anything reads them.
  void own_memory() {
    constexpr std::array<std::uint32_t, 3> counts = {1, 5, 18};
    for (const Scalar scalar : elements_) {
      if (!random_.one_in(4)) continue;
      const Readable own = {fmt::format("own_{}", name_of(scalar)), scalar, random_.pick(counts),
                            false};
      program_.buffers.push_back(
          {own.name, scalar, literal(own.count), Access::read_write, Memory::own});
      For fill{
          .name = fresh(), .begin = literal(0U), .end = literal(own.count), .step = literal(1U)};
      names_.push_back({fill.name, {Scalar::u32}});
      fill.body.push_back(
          {Store{own.name, u32_var(fill.name), expr_.exact({value_type(scalar)}, 2)}});
      names_.pop_back();
      program_.body.push_back({std::move(fill)});
      readable_.push_back(own);
      own_.push_back(own);
    }
  }

  void store_to_own(Block& into) {
    if (own_.empty()) return assign(into);
    const Readable& own = own_[random_.below(static_cast<std::uint32_t>(own_.size()))];
    const std::uint8_t lanes = own.count >= 4 && !only_scalars_ && random_.one_in(4) ? 4 : 1;
    into.push_back({Store{own.name,
                          random_.one_in(2) ? literal(random_.below(own.count - lanes + 1U))
                                            : expr_.index_below(own.count - lanes + 1U, 2),
                          expr_.exact({value_type(own.element), lanes}, 3)}});
  }

  void let(const std::string& name, const Expr& value) {
    program_.body.push_back({Let{name, value}});
    names_.push_back({name, value.type()});
  }

  std::string fresh() { return fmt::format("v{}", ++fresh_); }

  // `uniform_flow`: every invocation of the group comes here together, so that barriers are
  // allowed.
  void block(Block& into, int depth, bool uniform_flow) {
    const std::size_t outside = names_.size();
    const std::size_t outside_vars = vars_.size();
    const std::uint32_t statements = 1 + random_.below(4);
    for (std::uint32_t i = 0; i < statements; ++i) statement(into, depth, uniform_flow);
    names_.resize(outside);
    vars_.resize(outside_vars);
  }

  void statement(Block& into, int depth, bool uniform_flow) {
    if (only_computes_) return computation(into, depth);
    switch (random_.below(13)) {
      case 0:
      case 1:
        return declare_value(into);
      case 2:
      case 3:
        return assign(into);
      case 4:
        return store_to(into, random_.pick(elements_));
      case 5:
        return count(into);
      case 6:
        if (has_barriers_ && uniform_flow) return random_.one_in(3) ? vote(into) : exchange(into);
        return store_to(into, random_.pick(elements_));
      case 7:
        if (depth > 0) return branch(into, depth, uniform_flow);
        return assign(into);
      case 8:
        if (depth > 0) return loop(into, depth, uniform_flow);
        return declare_value(into);
      case 9:
        return store_to_own(into);
      case 10:
        if (depth > 0) return while_loop(into, depth, uniform_flow);
        return declare_value(into);
      case 11:
        if (may_break(uniform_flow)) return leave(into);
        return assign(into);
      default: {
        if (depth == 0) return assign(into);
        Region made{.name = fmt::format("part {}", ++fresh_)};
        block(made.body, depth - 1, uniform_flow);
        into.push_back({std::move(made)});
      }
    }
  }

  void declare_value(Block& into) {
    const Type type = only_computes_ ? Type{expr_.any_scalar()} : expr_.any_type();
    const bool is_mutable = random_.one_in(2);
    const std::string name = fresh();
    into.push_back({Let{name, expr_.exact(type, 3), is_mutable}});
    names_.push_back({name, type});
    if (is_mutable) vars_.push_back({name, type});
  }

  void assign(Block& into) {
    std::vector<KnownName> fitting = vars_;
    if (only_computes_) std::erase_if(fitting, [](const auto& v) { return v.type.lanes > 1; });
    if (fitting.empty()) return declare_value(into);
    const KnownName& var = random_.pick(fitting);
    into.push_back({Assign{var.name, expr_.exact(var.type, 3)}});
  }

  // Each invocation writes only to its own slot, and reads back from there.
  void store_to(Block& into, Scalar scalar) {
    constexpr std::array<std::uint8_t, 7> lane_choices = {1, 1, 1, 2, 4, 8, 16};
    const std::uint8_t lanes = side_by_side_ || only_scalars_ ? 1 : random_.pick(lane_choices);
    const std::string buffer = fmt::format("out_{}", name_of(scalar));
    const auto place = [&]() -> Expr {
      if (side_by_side_) {
        const Expr row =
            random_.one_in(2) ? literal(random_.below(slot)) : expr_.index_below(slot, 2);
        return binary(BinaryOp::add, binary(BinaryOp::mul, row, literal(invocations())),
                      u32_var("me"));
      }
      return binary(BinaryOp::add, binary(BinaryOp::mul, u32_var("me"), literal(slot)),
                    expr_.index_below(slot - lanes + 1U, 2));
    };
    Expr value = expr_.loose({value_type(scalar), lanes}, 4);
    // Values read back may be inexact, so they go through no further operation.
    if (random_.one_in(8)) value = Load{buffer, scalar, place(), lanes};
    into.push_back({Store{buffer, place(), std::move(value)}});
  }

  void count(Block& into) {
    if (program_.reassociate && random_.one_in(2)) return weigh(into);
    const Scalar scalar = random_.one_in(2) ? Scalar::u32 : Scalar::i32;
    into.push_back({AtomicAdd{fmt::format("count_{}", name_of(scalar)),
                              expr_.index_below(counters, 2), expr_.exact({scalar}, 2)}});
  }

  // So few that no sum is rounded.
  void weigh(Block& into) {
    into.push_back({AtomicAdd{"count_f32", expr_.index_below(counters, 2),
                              Convert{Scalar::f32, expr_.index_below(16, 2)}}});
  }

  // Every invocation puts a value into shared memory and takes one that another has put there.
  void exchange(Block& into) {
    const Scalar scalar = random_.pick(elements_);
    const std::string tile = fmt::format("tile_{}", name_of(scalar));
    into.push_back({Store{tile, u32_var("at"), expr_.exact({value_type(scalar)}, 3)}});
    into.push_back({Barrier{}});
    const std::string name = fresh();
    into.push_back({Let{name, Load{tile, scalar, expr_.index_below(group_size(), 2)}}});
    into.push_back({Barrier{}});
    names_.push_back({name, {value_type(scalar)}});
  }

  // Invocations count together in shared memory and all read the result.
  void vote(Block& into) {
    For clear{.name = fresh(),
              .begin = u32_var("at"),
              .end = literal(counters),
              .step = literal(group_size())};
    clear.body.push_back({Store{"votes", u32_var(clear.name), literal(0U)}});
    into.push_back({std::move(clear)});
    into.push_back({Barrier{}});
    into.push_back(
        {AtomicAdd{"votes", expr_.index_below(counters, 2), expr_.exact({Scalar::u32}, 2)}});
    into.push_back({Barrier{}});
    const std::string name = fresh();
    into.push_back({Let{name, Load{"votes", Scalar::u32, expr_.index_below(counters, 2)}}});
    into.push_back({Barrier{}});
    names_.push_back({name, {Scalar::u32}});
  }

  // A bool that is the same for the whole group.
  Expr uniform_condition() {
    const Id id = options_.independent ? Id{IdKind::invocation, 1} : Id{IdKind::group, 0};
    return Binary{random_.one_in(2) ? BinaryOp::lt : BinaryOp::eq,
                  binary(BinaryOp::rem, id, literal(2U)), literal(random_.below(2))};
  }

  void branch(Block& into, int depth, bool uniform_flow) {
    const bool together = uniform_flow && random_.one_in(2);
    If made{.cond = together ? uniform_condition() : expr_.exact({Scalar::boolean}, 3)};
    block(made.then, depth - 1, together);
    if (random_.one_in(2)) block(made.otherwise, depth - 1, together);
    into.push_back({std::move(made)});
  }

  void loop(Block& into, int depth, bool uniform_flow) {
    const bool together = uniform_flow && random_.one_in(2);
    const bool is_signed = random_.one_in(2);
    For made{.name = fresh()};
    if (is_signed) {
      made.begin = literal(-static_cast<std::int32_t>(random_.below(4)));
      made.end = together ? literal(static_cast<std::int32_t>(random_.below(3)))
                          : Expr(Convert{Scalar::i32, expr_.index_below(4, 2)});
      made.step = literal(1 + static_cast<std::int32_t>(random_.below(2)));
    } else {
      made.begin = together ? literal(random_.below(3)) : expr_.index_below(3, 2);
      made.end = together ? literal(random_.below(5)) : expr_.index_below(6, 2);
      made.step = together ? literal(1U + random_.below(2))
                           : binary(BinaryOp::max, expr_.index_below(3, 2), literal(1U));
    }
    names_.push_back({made.name, made.begin.type()});
    const Loop outer = std::exchange(loop_, Loop::none);
    block(made.body, depth - 1, together);
    loop_ = outer;
    names_.pop_back();
    into.push_back({std::move(made)});
  }

  // What vectors can do under masks.
  void computation(Block& into, int depth) {
    switch (random_.below(8)) {
      case 0:
        if (depth > 0) return branch(into, depth, false);
        return assign(into);
      case 1:
        if (depth > 0) return while_loop(into, depth, false);
        return assign(into);
      case 2:
        return may_break(false) ? leave(into) : assign(into);
      case 3:
        return declare_value(into);
      default:
        return assign(into);
    }
  }

  // A counter that nothing else changes ends it; memory is read at the invocation's place and from
  // there on by what was counted.
  void while_loop(Block& into, int depth, bool uniform_flow) {
    const bool together = uniform_flow && random_.one_in(2);
    const bool only_computes = only_computes_ || (!together && random_.one_in(2));
    const bool outer_computes = std::exchange(only_computes_, only_computes);
    const Loop outer = std::exchange(loop_, together ? Loop::together : Loop::apart);
    expr_.see_memory(!only_computes);
    const std::string turn = fresh();
    const Expr counter = u32_var(turn);
    const std::optional<Expr> outer_near = expr_.near();
    if (side_by_side_) expr_.read_from(binary(BinaryOp::add, u32_var("me"), counter));
    into.push_back({Let{turn, literal(random_.below(3)), true}});
    While made{.cond = binary(BinaryOp::lt, counter, literal(random_.below(5)))};
    if (!together) {
      made.cond = binary(BinaryOp::bit_and, made.cond, expr_.exact({Scalar::boolean}, 3));
    }
    const Stmt next = {Assign{turn, binary(BinaryOp::add, counter, literal(1U))}};
    const bool counts_first = random_.one_in(2);
    if (counts_first) made.body.push_back(next);
    names_.push_back({turn, {Scalar::u32}});
    block(made.body, depth - 1, together);
    names_.pop_back();
    if (!counts_first) made.body.push_back(next);
    into.push_back({std::move(made)});
    expr_.read_from(outer_near);
    loop_ = outer;
    only_computes_ = outer_computes;
    expr_.see_memory(!only_computes_);
  }

  // Where all of a group go on together, they leave together too.
  [[nodiscard]] bool may_break(bool uniform_flow) const {
    return loop_ == Loop::apart || (loop_ == Loop::together && uniform_flow);
  }

  void leave(Block& into) {
    if (random_.one_in(8)) return into.push_back({Break{}});
    If made{.cond =
                loop_ == Loop::together ? uniform_condition() : expr_.exact({Scalar::boolean}, 3)};
    if (random_.one_in(2)) block(made.then, 0, false);
    made.then.push_back({Break{}});
    if (random_.one_in(4)) block(made.otherwise, 0, false);
    into.push_back({std::move(made)});
  }

  // Plain numbers and awkward ones; floats are never nan.
  std::vector<std::byte> content(const Buffer& b) {
    const std::size_t count = as<Literal>(b.count)->bits;
    const std::size_t size = storage_bytes(b.element);
    std::vector<std::byte> bytes(count * size);
    for (std::size_t i = 0; i < count; ++i) {
      const Expr value = b.name == "count_f32" ? literal(static_cast<float>(random_.below(100)))
                                               : element(b.element);
      const std::uint64_t bits = as<Literal>(value)->bits;
      std::memcpy(bytes.data() + i * size, &bits, size);
    }
    return bytes;
  }

  static Expr narrow(const Expr& f32) {
    const auto bits = static_cast<std::uint32_t>(as<Literal>(f32)->bits);
    return Literal{Scalar::f16, Half(std::bit_cast<float>(bits)).bits()};
  }

  Expr element(Scalar scalar) {
    if (scalar == Scalar::f16) return narrow(element(Scalar::f32));
    if (!is_float(scalar) || random_.one_in(4)) return expr_.literal_of(value_type(scalar));
    const double value = (static_cast<double>(random_.below(20001)) - 10000.0) / 64.0;
    return scalar == Scalar::f32 ? literal(static_cast<float>(value)) : literal(value);
  }

  RandomSource random_;
  std::vector<KnownName> names_;
  std::vector<KnownName> vars_;
  std::vector<Readable> readable_;
  std::vector<Readable> own_;
  RandomExpr expr_;
  std::vector<Scalar> elements_;  // of buffers: all that values have, and some narrow ones
  std::uint64_t seed_;
  Program program_;
  Extent extent_ = {1, 1, 1};
  RandomOptions options_;
  bool has_barriers_ = false;
  bool side_by_side_ = false;
  bool only_scalars_ = false;
  // The nearest loop: a while that all of a group go through together, another, or none or a for.
  enum class Loop : std::uint8_t { none, together, apart };
  Loop loop_ = Loop::none;
  bool only_computes_ = false;  // no memory is read or written
  int fresh_ = 0;
};

}  // namespace

Generated random_program(std::uint64_t seed, RandomOptions options) {
  return ProgramMaker(seed, options).make();
}

}  // namespace vyre::testing
