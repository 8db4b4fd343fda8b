#include "primitives/kfac_parts.h"

#include <cmath>
#include <limits>

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Elements further apart than this times the norm make a block asymmetric.
constexpr float asymmetry = 1e-5F;

// Verdicts on blocks that must be done again.
constexpr float retry = -1;
constexpr float retry_symmetric = -2;

// A pivot at or below this times the block's norm counts as zero: sqrt(n) times the spacing of f32.
float zero_pivot(std::uint32_t n) {
  return std::sqrt(static_cast<float>(n)) * std::numeric_limits<float>::epsilon();
}

Value state_of(BlockState state) { return constant(static_cast<std::uint32_t>(state)); }

ir::Value total(const KfacKernel& kernel) { return kernel.blocks * (kernel.n * kernel.n); }

// Inverts one block in place in blocks_out with partial pivoting, row swaps noted in scratch.
class Pivoted {
 public:
  Pivoted(KfacKernel& kernel, const Value& b)
      : kernel_(kernel),
        k_(kernel.k),
        n_(constant(kernel.n)),
        base_(k_.let("base", b * (kernel.n * kernel.n))),
        swaps_(k_.let("swaps", b * kernel.n)),
        norm_(k_.var("norm", constant(0.0F))),
        regular_(k_.var("regular", constant(1U))) {}

  // 1 where the block has an inverse.
  Variable invert() {
    load();
    k_.loop("c", constant(0U), n_,
            [&](const Value& c) { k_.when(regular_ == 1U, [&] { eliminate(c); }); });
    k_.when(regular_ == 1U, [&] { unscramble(); });
    return regular_;
  }

  // 1 where every number was finite.
  [[nodiscard]] Value finite() const { return norm_ < infinity; }
  [[nodiscard]] Value norm() const { return norm_; }
  ir::Element at(const Value& row, const Value& column) {
    return kernel_.out[base_ + row * kernel_.n + column];
  }
  void each(const std::function<void(Value, Value)>& body) {
    k_.loop("r", constant(0U), n_, [&](const Value& r) {
      k_.loop("c", constant(0U), n_, [&](const Value& c) { body(r, c); });
    });
  }

 private:
  // A sum that is not finite makes the norm infinite; max() alone could lose a nan.
  void load() {
    k_.loop("r", constant(0U), n_, [&](const Value& r) {
      const Variable sum = k_.var("sum", constant(0.0F));
      k_.loop("c", constant(0U), n_, [&](const Value& c) {
        const Value damped = select(r == c, kernel_.damping, constant(0.0F));
        const Value a = k_.let("a", kernel_.in[base_ + r * kernel_.n + c] + damped);
        at(r, c) = a;
        sum += abs(a);
      });
      norm_ = select(sum < infinity, max(norm_, sum), constant(infinity));
    });
    regular_ = select(finite(), constant(1U), constant(0U));
  }

  void eliminate(const Value& c) {
    const Variable row = k_.var("row", c);
    const Variable largest = k_.var("largest", constant(0.0F));
    k_.loop("r", c, n_, [&](const Value& r) {
      const Value size = k_.let("size", abs(at(r, c)));
      k_.when(size > largest, [&] {
        largest = size;
        row = r;
      });
    });
    kernel_.scratch[swaps_ + c] = row;
    k_.when(
        largest > zero_pivot(kernel_.n) * norm_,
        [&] {
          k_.when(row != c, [&] { swap_rows(c, row); });
          clear_column(c);
        },
        [&] { regular_ = constant(0U); });
  }

  void swap_rows(const Value& a, const Value& b) {
    k_.loop("j", constant(0U), n_, [&](const Value& j) { swap(at(a, j), at(b, j)); });
  }
  void swap(const ir::Element& a, const ir::Element& b) {
    const Value kept = k_.let("kept", a);
    a = Value(b);
    b = kept;
  }

  // One step of Gauss-Jordan: column c of the inverse takes the place of column c of the block.
  void clear_column(const Value& c) {
    const Value scale = k_.let("scale", 1.0F / at(c, c));
    at(c, c) = 1.0F;
    k_.loop("j", constant(0U), n_, [&](const Value& j) { at(c, j) = at(c, j) * scale; });
    k_.loop("r", constant(0U), n_, [&](const Value& r) {
      k_.when(r != c, [&] {
        const Value factor = k_.let("factor", at(r, c));
        at(r, c) = 0.0F;
        k_.loop("j", constant(0U), n_,
                [&](const Value& j) { at(r, j) = fma(-factor, at(c, j), at(r, j)); });
      });
    });
  }

  // The rows were swapped, so the columns of the inverse are swapped back, the last first.
  void unscramble() {
    k_.loop("up", constant(0U), n_, [&](const Value& up) {
      const Value c = k_.let("c", kernel_.n - 1 - up);
      const Value other = k_.let("other", kernel_.scratch[swaps_ + c]);
      k_.when(other != c, [&] {
        k_.loop("r", constant(0U), n_, [&](const Value& r) { swap(at(r, c), at(r, other)); });
      });
    });
  }

  KfacKernel& kernel_;
  ir::Builder& k_;
  Value n_;
  Value base_;
  Value swaps_;
  Variable norm_;
  Variable regular_;
};

void do_again(KfacKernel& kernel, const Value& b, const Value& symmetric) {
  ir::Builder& k = kernel.k;
  Pivoted block(kernel, b);
  const Value regular = block.invert();
  k.when(
      regular == 1U,
      [&] {
        const Variable norm = k.var("inverse_norm", constant(0.0F));
        k.loop("r", constant(0U), constant(kernel.n), [&](const Value& r) {
          const Variable sum = k.var("sum", constant(0.0F));
          k.loop("c", constant(0U), constant(kernel.n),
                 [&](const Value& c) { sum += abs(block.at(r, c)); });
          norm = max(norm, sum);
        });
        kernel.condition[b] = block.norm() * norm;
        kernel.state[b] =
            select(symmetric, state_of(BlockState::indefinite), state_of(BlockState::asymmetric));
      },
      [&] {
        block.each([&](const Value& r, const Value& c) { block.at(r, c) = 0.0F; });
        kernel.condition[b] = infinity;
        kernel.state[b] = select(block.finite(), state_of(BlockState::singular),
                                 state_of(BlockState::not_finite));
      });
}

}  // namespace

KfacKernel::KfacKernel(ir::Builder& builder, const KfacOptions& options)
    : k(builder),
      n(options.n),
      blocks(k.uniform("num_blocks", options.num_blocks)),
      damping(k.uniform("damping", options.damping)),
      ill_above(k.uniform("ill_conditioned_above", options.ill_conditioned_above)),
      out(k.read_write("blocks_out", Scalar::f32, total(*this))),
      in(k.read("blocks_in", Scalar::f32, total(*this))),
      scratch(k.read_write("scratch", Scalar::u32, blocks * n)),
      state(k.write("state", Scalar::u32, blocks)),
      condition(k.read_write("condition", Scalar::f32, blocks)) {}

// A nan fails every comparison, so it is never good.
Value kfac_verdict(KfacKernel& kernel, const Value& norm, const Value& apart, const Value& least,
                   const Value& inverse_norm) {
  ir::Builder& k = kernel.k;
  const auto all = [&](float value) { return constant(value, norm.expr().type()); };
  const Value symmetric = k.let("symmetric", apart <= norm * asymmetry);
  const Value regular = least > norm * (2 * zero_pivot(kernel.n));
  const Value good = k.let("good", symmetric & regular & (inverse_norm < infinity));
  const Value again = select(symmetric, all(retry_symmetric), all(retry));
  return k.let("verdict", select(good, norm * inverse_norm, again));
}

void settle_block(KfacKernel& kernel, const Value& b) {
  ir::Builder& k = kernel.k;
  const Value fast = k.let("fast", kernel.condition[b]);
  kernel.state[b] = state_of(BlockState::good);
  k.when(fast < 0.0F, [&] { do_again(kernel, b, fast == retry_symmetric); });
  k.when((kernel.condition[b] > kernel.ill_above) & (kernel.condition[b] < infinity),
         [&] { kernel.state[b] = state_of(BlockState::ill_conditioned); });
}

}  // namespace vyre::primitives
