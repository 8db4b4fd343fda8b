#include "ir/facts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "ir/visit.h"

namespace vyre::ir {
namespace {

class FactFinder {
 public:
  FactFinder(const Program& program, const Uniforms& uniforms, const Shape& shape)
      : program_(program), uniforms_(uniforms) {
    for (std::size_t d = 0; d < 3; ++d) times_ *= shape.grid[d];
    facts_.invocations = times_;
  }

  Result<Facts> run() {
    for (const Buffer& b : program_.buffers) {
      const auto count = evaluate_size(program_, b.count, uniforms_);
      if (!count) return Unexpected(count.error());
      if (b.memory == Memory::shared) facts_.shared_bytes += *count * storage_bytes(b.element);
    }
    block(program_.body);
    return facts_;
  }

 private:
  void block(const Block& body) {
    for (const Stmt& stmt : body) {
      for_each_operand(stmt, [&](const Expr& e) { expr(e); });
      match(
          stmt,
          [&](const Let& s) {
            if (varies(s.value) || s.is_mutable) varying_.insert(s.name);
          },
          [](const Assign&) {}, [&](const Store& s) { store(s); },
          [&](const AtomicAdd& s) {
            facts_.atomics += times_;
            moved(s.buffer, 1, true);
            moved(s.buffer, 1, false);
          },
          [&](const If& s) {
            ++facts_.branches;
            if (varies(s.cond)) ++facts_.divergent;
            block(s.then);
            block(s.otherwise);
          },
          [&](const For& s) { loop(s); },
          [&](const While& s) {
            ++facts_.loops;
            if (varies(s.cond)) ++facts_.divergent;
            facts_.exact = false;
            block(s.body);
          },
          [](const Break&) {}, [&](const Barrier&) { ++facts_.barriers; },
          [&](const Region& s) { block(s.body); });
    }
  }

  void store(const Store& s) {
    if (is_private(s.buffer)) return;
    facts_.stores += times_;
    moved(s.buffer, s.value.type().lanes, true);
  }

  void loop(const For& s) {
    ++facts_.loops;
    if (varies(s.begin) || varies(s.end) || varies(s.step)) {
      ++facts_.divergent;
      varying_.insert(s.name);
    }
    const std::optional<std::uint64_t> trips = trip_count(s);
    facts_.exact = facts_.exact && trips.has_value();
    const std::uint64_t outside = times_;
    times_ *= trips.value_or(1);
    block(s.body);
    times_ = outside;
  }

  std::optional<std::uint64_t> trip_count(const For& s) const {
    const auto begin = constant(s.begin);
    const auto end = constant(s.end);
    const auto step = constant(s.step);
    if (!begin || !end || !step || *step <= 0) return std::nullopt;
    return *end <= *begin ? 0 : static_cast<std::uint64_t>((*end - *begin + *step - 1) / *step);
  }

  std::optional<std::int64_t> constant(const Expr& e) const {
    if (const auto* n = as<Literal>(e); n != nullptr && n->scalar == Scalar::i32) {
      return static_cast<std::int32_t>(n->bits);
    }
    if (!why_not_size(e).empty() || names_local(e)) return std::nullopt;
    const auto value = evaluate_size(program_, e, uniforms_);
    return value ? std::optional<std::int64_t>(*value) : std::nullopt;
  }

  bool names_local(const Expr& e) const {
    return any_expr(e, [&](const Expr& part) {
      const auto* var = as<Var>(part);
      return var != nullptr && find_uniform(program_, var->name) == nullptr;
    });
  }

  // Whether invocations of one group can see different values, as far as can be told without
  // knowing what memory holds.
  bool varies(const Expr& e) const {
    return any_expr(e, [&](const Expr& part) {
      return match(
          part, [](const Id& n) { return n.kind == IdKind::invocation || n.kind == IdKind::local; },
          [](const Load&) { return true; }, [&](const Var& n) { return varying_.contains(n.name); },
          [](const OneOf<Literal, Unary, Binary, Fma, Select, Convert, Bitcast, Splat, Vector, Lane,
                         Reduce> auto&) { return false; });
    });
  }

  void expr(const Expr& e) {
    for_each_operand(e, [&](const Expr& operand) { expr(operand); });
    const std::uint64_t ops = times_ * e.type().lanes;
    match(
        e,
        [&](const Load& n) {
          if (is_private(n.buffer)) return;
          facts_.loads += times_;
          moved(n.buffer, n.lanes, false);
        },
        [&](const Unary& n) { arithmetic(n.arg.type().scalar, ulps(n.op) > 0) += ops; },
        [&](const Binary& n) {
          if (is_comparison(n.op)) {
            facts_.comparisons += ops;
          } else {
            const Scalar scalar = n.left.type().scalar;
            const bool special = n.op == BinaryOp::pow || n.op == BinaryOp::div;
            arithmetic(scalar, special && is_float(scalar)) += ops;
          }
        },
        [&](const Fma&) { facts_.float_ops += 2 * ops; },
        [&](const Select&) { facts_.comparisons += ops; },
        [&](const Convert&) { facts_.conversions += ops; },
        [&](const Reduce& n) {
          const Type type = n.vector.type();
          arithmetic(type.scalar, false) += times_ * (type.lanes - 1U);
        },
        [](const OneOf<Literal, Var, Id, Bitcast, Splat, Vector, Lane> auto&) {});
  }

  std::uint64_t& arithmetic(Scalar scalar, bool special) {
    if (special) return facts_.special_ops;
    return is_float(scalar) ? facts_.float_ops : facts_.integer_ops;
  }

  [[nodiscard]] bool is_private(const std::string& buffer) const {
    return find_buffer(program_, buffer)->memory == Memory::own;
  }

  void moved(const std::string& name, std::uint8_t lanes, bool written) {
    const Buffer& b = *find_buffer(program_, name);
    const std::uint64_t bytes = times_ * lanes * storage_bytes(b.element);
    if (b.memory == Memory::shared) {
      (written ? facts_.shared_bytes_written : facts_.shared_bytes_read) += bytes;
    } else {
      (written ? facts_.global_bytes_written : facts_.global_bytes_read) += bytes;
    }
  }

  const Program& program_;
  const Uniforms& uniforms_;
  std::uint64_t times_ = 1;
  std::set<std::string> varying_;
  Facts facts_;
};

// A workgroup has the shared memory of one stage at a time.
void add(Facts& to, const Facts& more) {
  for (const auto member :
       {&Facts::integer_ops, &Facts::float_ops, &Facts::special_ops, &Facts::comparisons,
        &Facts::conversions, &Facts::loads, &Facts::stores, &Facts::atomics,
        &Facts::global_bytes_read, &Facts::global_bytes_written, &Facts::shared_bytes_read,
        &Facts::shared_bytes_written, &Facts::invocations}) {
    to.*member += more.*member;
  }
  for (const auto member : {&Facts::barriers, &Facts::branches, &Facts::loops, &Facts::divergent}) {
    to.*member += more.*member;
  }
  to.shared_bytes = std::max(to.shared_bytes, more.shared_bytes);
  to.exact = to.exact && more.exact;
}

Result<Facts> facts_of_stages(const Program& program, const Uniforms& uniforms) {
  Facts all;
  for (const Program& stage : stages(program)) {
    VYRE_TRY(const Facts one, facts(stage, uniforms));
    add(all, one);
  }
  return all;
}

}  // namespace

Result<Facts> facts(const Program& program, const Uniforms& uniforms) {
  if (has_stages(program)) return facts_of_stages(program, uniforms);
  const auto shape = launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  return FactFinder(program, uniforms, *shape).run();
}

}  // namespace vyre::ir
