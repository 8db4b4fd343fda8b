#include "ir/polynomial.h"

#include <algorithm>

#include "ir/fold.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

constexpr std::size_t most_terms = 64;
constexpr std::size_t most_factors = 8;
constexpr int most_names = 200;  // looked through: an index that needs more is hostile

class PolynomialReader {
 public:
  explicit PolynomialReader(const Definition& define) : define_(define) {}

  std::optional<Polynomial> read(const Expr& expr) {
    if (!is_word(expr.type().scalar) || expr.type().lanes != 1) return std::nullopt;
    return match(
        expr,
        [](const Literal& n) -> std::optional<Polynomial> {
          return constant(static_cast<std::uint32_t>(n.bits));
        },
        [&](const Var& n) { return name(n.name); },
        [&](const Id&) -> std::optional<Polynomial> { return Polynomial{{{print(expr)}, 1}}; },
        [&](const Binary& n) { return binary(n); },
        [&](const OneOf<Convert, Bitcast> auto& n) { return read(n.arg); },
        [](const OneOf<Load, Unary, Fma, Select, Splat, Vector, Lane, Reduce> auto&)
            -> std::optional<Polynomial> { return std::nullopt; });
  }

 private:
  static Polynomial constant(std::uint32_t value) {
    return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
  }

  std::optional<Polynomial> name(const std::string& name) {
    if (--names_left_ < 0) return std::nullopt;
    const auto value = define_(name);
    if (value) return read(*value);
    return Polynomial{{{name}, 1}};
  }

  std::optional<Polynomial> binary(const Binary& node) {
    using enum BinaryOp;
    if (node.op != add && node.op != sub && node.op != mul) return std::nullopt;
    const auto left = read(node.left);
    const auto right = left ? read(node.right) : std::nullopt;
    if (!right) return std::nullopt;
    Polynomial made = node.op == mul ? Polynomial{} : *left;
    if (node.op == mul) {
      for (const auto& [monomial, factor] : *left) add_product(made, *right, monomial, factor);
    } else {
      add_product(made, *right, {}, node.op == add ? 1U : ~0U);
    }
    const bool is_short = made.size() <= most_terms && std::ranges::all_of(made, [](auto& term) {
                            return term.first.size() <= most_factors;
                          });
    return is_short ? std::optional(std::move(made)) : std::nullopt;
  }

  const Definition& define_;
  int names_left_ = most_names;
};

}  // namespace

std::optional<Polynomial> polynomial_of(const Expr& expr, const Definition& define) {
  return PolynomialReader(define).read(expr);
}

std::optional<Polynomial> polynomial_of(const Expr& expr) {
  return polynomial_of(expr, [](const std::string&) { return std::nullopt; });
}

void add_product(Polynomial& sum, const Polynomial& more, const Monomial& monomial,
                 std::uint32_t factor) {
  for (const auto& [other, value] : more) {
    Monomial product = monomial;
    product.insert(product.end(), other.begin(), other.end());
    std::ranges::sort(product);
    const auto term = sum.try_emplace(std::move(product), 0).first;
    term->second += value * factor;
    if (term->second == 0) sum.erase(term);
  }
}

bool are_uniforms(const Program& program, const Monomial& monomial) {
  return std::ranges::all_of(monomial, [&](const std::string& name) {
    const Uniform* uniform = find_uniform(program, name);
    return uniform != nullptr && uniform->value.scalar == Scalar::u32;
  });
}

Expr expression_of(const Polynomial& polynomial) {
  Expr sum = literal(0U);
  for (const auto& [names, factor] : polynomial) {
    Expr product = literal(factor);
    for (const std::string& name : names) product = times(product, Var{name, {Scalar::u32}});
    sum = plus(sum, product);
  }
  return sum;
}

std::optional<Monomial> without(const Monomial& monomial, const Monomial& factors) {
  if (!std::ranges::includes(monomial, factors)) return std::nullopt;
  Monomial left;
  std::ranges::set_difference(monomial, factors, std::back_inserter(left));
  return left;
}

}  // namespace vyre::ir
