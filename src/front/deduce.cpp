#include "front/deduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "run/sizes.h"
#include "vyre/ir/text.h"

namespace vyre::detail {
namespace {

using ir::BinaryOp;
using ir::Expr;

// Size expressions are made of literals, uniforms, ids and these.
bool is_known(const Expr& size, const ir::Uniforms& known) {
  if (const auto* var = ir::as<ir::Var>(size)) return known.contains(var->name);
  if (const auto* binary = ir::as<ir::Binary>(size)) {
    return is_known(binary->left, known) && is_known(binary->right, known);
  }
  return true;
}

void add_factors(const Expr& size, std::vector<Expr>& factors) {
  const auto* binary = ir::as<ir::Binary>(size);
  if (binary == nullptr || binary->op != BinaryOp::mul) {
    factors.push_back(size);
    return;
  }
  add_factors(binary->left, factors);
  add_factors(binary->right, factors);
}

class Deduction {
 public:
  Deduction(const ir::Program& program, const ir::Uniforms& given, std::span<const Extents> arrays)
      : program_(program), arrays_(arrays), buffers_(run::global_buffers(program)), known_(given) {}

  Result<ir::Uniforms> run() {
    // What one array says may be what another needs.
    for (std::size_t before = known_.size() + 1; before != known_.size();) {
      before = known_.size();
      for (std::size_t i = 0; i < buffers_.size(); ++i) {
        solve_extents(buffers_[i].count, arrays_[i]);
        solve(buffers_[i].count, arrays_[i].count());
      }
    }
    for (std::size_t i = 0; i < buffers_.size(); ++i) VYRE_CHECK(check_count(i));
    return known_;
  }

 private:
  // f32[h * w] and an array of {h, w}.
  void solve_extents(const Expr& size, const Extents& extents) {
    std::vector<Expr> factors;
    add_factors(size, factors);
    if (factors.size() < 2 || factors.size() != extents.dims()) return;
    for (std::size_t d = 0; d < factors.size(); ++d) solve(factors[d], extents[d]);
  }

  void solve(const Expr& size, std::uint64_t value) {
    if (value > std::numeric_limits<std::uint32_t>::max()) return;
    if (const auto* var = ir::as<ir::Var>(size)) {
      known_.try_emplace(var->name, Literal{Scalar::u32, value});
    } else if (const auto* binary = ir::as<ir::Binary>(size)) {
      solve(*binary, value);
    }
  }

  void solve(const ir::Binary& size, std::uint64_t value) {
    const bool left = is_known(size.left, known_);
    if (left == is_known(size.right, known_)) return;
    const Expr& unknown = left ? size.right : size.left;
    const auto other = ir::evaluate_size(program_, left ? size.left : size.right, known_);
    if (!other) return;
    if (size.op == BinaryOp::add && *other <= value) solve(unknown, value - *other);
    if (size.op == BinaryOp::sub && !left) return;
    if (size.op == BinaryOp::sub && *other >= value) solve(unknown, *other - value);
    if (size.op == BinaryOp::mul && *other != 0 && value % *other == 0) {
      solve(unknown, value / *other);
    }
  }

  Result<void> check_count(std::size_t index) const {
    const ir::Buffer& buffer = buffers_[index];
    const auto count = ir::evaluate_size(program_, buffer.count, known_);
    if (!count) return Failure(count.error());
    if (*count == arrays_[index].count()) return {};
    return fail(ErrorKind::input,
                fmt::format("argument {} of {}, '{}', has {} elements; it must have {} ({})",
                            index + 1, program_.name, buffer.name, arrays_[index].count(), *count,
                            explained(buffer.count)));
  }

  // "f32[w * h] with w = 512 by what it was made with, h = 512 by argument 1".
  std::string explained(const Expr& size) const {
    std::string text = ir::print(size);
    for (const ir::Uniform& uniform : program_.uniforms) {
      if (!mentions(size, uniform.name)) continue;
      const auto found = known_.find(uniform.name);
      text += fmt::format(", {} = {}{}", uniform.name,
                          (found == known_.end() ? uniform.value : found->second).bits,
                          found == known_.end() ? " by default" : "");
    }
    return text;
  }

  static bool mentions(const Expr& size, std::string_view name) {
    if (const auto* var = ir::as<ir::Var>(size)) return var->name == name;
    const auto* binary = ir::as<ir::Binary>(size);
    return binary != nullptr && (mentions(binary->left, name) || mentions(binary->right, name));
  }

  const ir::Program& program_;
  std::span<const Extents> arrays_;
  std::vector<ir::Buffer> buffers_;
  ir::Uniforms known_;
};

}  // namespace

Result<ir::Uniforms> deduce_sizes(const ir::Program& program, const ir::Uniforms& given,
                                  std::span<const Extents> arrays) {
  return Deduction(program, given, arrays).run();
}

}  // namespace vyre::detail
