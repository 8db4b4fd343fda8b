#include "primitives/kfac_builder.h"

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

// A condition number above this is reported: with f32, about two digits of such an inverse are
// right.
constexpr float ill_conditioned_above = 1e5F;

// Verdicts on blocks that must be done again.
constexpr float retry = -1;
constexpr float retry_symmetric = -2;

// A pivot at or below this times the block's norm counts as zero: sqrt(n) times the spacing of f32.
float zero_pivot(std::uint32_t n) {
  return std::sqrt(static_cast<float>(n)) * std::numeric_limits<float>::epsilon();
}

Value state_of(BlockState state) { return constant(static_cast<std::uint32_t>(state)); }

ir::Value total(const KfacBuilder& kfac) { return kfac.blocks * (kfac.n * kfac.n); }

// Inverts one block in place in blocks_out with partial pivoting, row swaps noted in scratch.
class Pivoted {
 public:
  Pivoted(KfacBuilder& kfac, const Value& b)
      : kfac_(kfac),
        k_(kfac.k),
        n_(constant(kfac.n)),
        base_(k_.let("base", b * (kfac.n * kfac.n))),
        swaps_(k_.let("swaps", b * kfac.n)),
        norm_(k_.var("norm", constant(0.0F))),
        regular_(k_.var("regular", constant(1U))) {}

  // 1 where the block has an inverse.
  const Variable& invert() {
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
    return kfac_.out[base_ + row * kfac_.n + column];
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
        const Value damped = select(r == c, kfac_.damping, constant(0.0F));
        const Value a = k_.let("a", kfac_.in[base_ + r * kfac_.n + c] + damped);
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
    kfac_.scratch[swaps_ + c] = row;
    k_.when(
        largest > zero_pivot(kfac_.n) * norm_,
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
    const Value kept = k_.let("kept", a.load());
    a = b.load();
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
      const Value c = k_.let("c", kfac_.n - 1 - up);
      const Value other = k_.let("other", kfac_.scratch[swaps_ + c]);
      k_.when(other != c, [&] {
        k_.loop("r", constant(0U), n_, [&](const Value& r) { swap(at(r, c), at(r, other)); });
      });
    });
  }

  KfacBuilder& kfac_;
  ir::Builder& k_;
  Value n_;
  Value base_;
  Value swaps_;
  Variable norm_;
  Variable regular_;
};

void do_again(KfacBuilder& kfac, const Value& b, const Value& verdict) {
  ir::Builder& k = kfac.k;
  Pivoted block(kfac, b);
  const Value regular = block.invert();
  const auto clear = [&] {
    block.each([&](const Value& r, const Value& c) { block.at(r, c) = 0.0F; });
  };
  if (!kfac.report) return k.when(regular == 0U, clear);
  const auto& report = *kfac.report;
  k.when(
      regular == 1U,
      [&] {
        const Variable norm = k.var("inverse_norm", constant(0.0F));
        k.loop("r", constant(0U), constant(kfac.n), [&](const Value& r) {
          const Variable sum = k.var("sum", constant(0.0F));
          k.loop("c", constant(0U), constant(kfac.n),
                 [&](const Value& c) { sum += abs(block.at(r, c)); });
          norm = max(norm, sum);
        });
        report.condition[b] = block.norm() * norm;
        report.state[b] = select(verdict == retry_symmetric, state_of(BlockState::indefinite),
                                 state_of(BlockState::asymmetric));
      },
      [&] {
        clear();
        report.condition[b] = infinity;
        report.state[b] = select(block.finite(), state_of(BlockState::singular),
                                 state_of(BlockState::not_finite));
      });
}

Value kept_verdict(KfacBuilder& kfac, const Value& b) {
  if (kfac.report) return kfac.report->condition[b];
  return ir::bitcast(Scalar::f32, kfac.scratch[b * kfac.n]);
}

}  // namespace

KfacBuilder::KfacBuilder(ir::Builder& builder, const KfacOptions& options, const KfacNames& names,
                         bool reports)
    : k(builder),
      n(options.n),
      blocks(k.uniform("num_blocks", options.num_blocks)),
      damping(k.uniform("damping", options.damping)),
      out(k.read_write(names.blocks_out, Scalar::f32, total(*this))),
      in(k.read(names.blocks_in, Scalar::f32, total(*this))),
      scratch(k.read_write(names.scratch, Scalar::u32, blocks * n)) {
  if (!reports) return;
  report.emplace(Report{k.uniform("ill_conditioned_above", ill_conditioned_above),
                        k.write(names.state, Scalar::u32, blocks),
                        k.read_write(names.condition, Scalar::f32, blocks)});
}

// A nan fails every comparison, so it is never good.
Value kfac_verdict(KfacBuilder& kfac, const Value& norm, const Value& apart, const Value& least,
                   const Value& inverse_norm) {
  ir::Builder& k = kfac.k;
  const auto all = [&](float value) { return constant(value, norm.expr().type()); };
  const Value symmetric = k.let("symmetric", apart <= norm * asymmetry);
  const Value regular = least > norm * (2 * zero_pivot(kfac.n));
  const Value good = k.let("good", symmetric & regular & (inverse_norm < infinity));
  const Value again = select(symmetric, all(retry_symmetric), all(retry));
  return k.let("verdict", select(good, norm * inverse_norm, again));
}

// Without a report, where row swaps are noted: a block that is done again notes them afterwards.
void keep_verdict(KfacBuilder& kfac, const Value& b, const Value& verdict) {
  if (kfac.report) {
    kfac.report->condition[b] = verdict;
  } else {
    kfac.scratch[b * kfac.n] = ir::bitcast(Scalar::u32, verdict);
  }
}

void settle_block(KfacBuilder& kfac, const Value& b) {
  ir::Builder& k = kfac.k;
  const Value fast = k.let("fast", kept_verdict(kfac, b));
  const auto again = [&] { do_again(kfac, b, fast); };
  if (!kfac.report) return k.when(fast < 0.0F, again);
  const auto& report = *kfac.report;
  report.state[b] = state_of(BlockState::good);
  k.when(fast < 0.0F, again);
  k.when((report.condition[b] > report.ill_above) & (report.condition[b] < infinity),
         [&] { report.state[b] = state_of(BlockState::ill_conditioned); });
}

}  // namespace vyre::primitives
