// The straightforward layouts: a block is inverted in place in blocks_out, by one invocation, or by
// a workgroup whose invocations share its rows.
#include <algorithm>
#include <limits>
#include <optional>

#include "primitives/kfac_builder.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

constexpr std::uint32_t items_of_group = 16;

class Rows {
 public:
  Rows(KfacBuilder& kfac, bool group) : kfac_(kfac), k_(kfac.k), n_(kfac.n) {
    if (group) shared_.emplace(k_.shared("of_rows", Scalar::f32, constant(n_)));
    k_.grid(group ? kfac.blocks * items() : kfac.blocks);
    k_.workgroup(group ? items() : 64);
    block_ = k_.let("block", group ? ir::group(0) : ir::invocation(0));
    base_ = k_.let("first", block_ * (n_ * n_));
  }

  void build() {
    const Value norm = k_.let("norm", largest("load", [&](const Value& r) { return load(r); }));
    const Value apart =
        k_.let("apart", largest("asymmetry", [&](const Value& r) { return row_asymmetry(r); }));
    const Value least = k_.let("least", eliminate());
    const Value inverse_norm =
        k_.let("inverse_norm", largest("inverse", [&](const Value& r) { return row_sum(r); }));
    if (shared_) {
      k_.when(ir::local(0) == 0U, [&] { judge(norm, apart, least, inverse_norm); });
    } else {
      judge(norm, apart, least, inverse_norm);
    }
  }

 private:
  [[nodiscard]] std::uint32_t items() const { return std::min(n_, items_of_group); }
  [[nodiscard]] ir::Element at(const Value& row, const Value& column) const {
    return kfac_.out[base_ + row * n_ + column];
  }
  [[nodiscard]] Value end() const { return constant(n_); }
  void sync() {
    if (shared_) k_.barrier();
  }

  // The share of 0 .. n that this invocation has.
  void share(const std::string& name, const std::function<void(Value)>& body) {
    if (shared_) {
      k_.loop(name, ir::local(0), end(), constant(items()), body);
    } else {
      k_.loop(name, constant(0U), end(), body);
    }
  }

  // The largest of what `value` gives for the rows; infinite if one of them is not finite.
  Value largest(const std::string& name, const std::function<Value(Value)>& value) {
    const Value infinity = constant(std::numeric_limits<float>::infinity());
    const Variable most = k_.var(name, constant(0.0F));
    const auto take = [&](const Value& one) {
      most = select(one < infinity, max(Value(most), one), infinity);
    };
    if (!shared_) {
      share("r", [&](const Value& r) { take(k_.let("one", value(r))); });
      return most;
    }
    share("r", [&](const Value& r) { (*shared_)[r] = value(r); });
    k_.barrier();
    k_.loop("r", constant(0U), end(), [&](const Value& r) { take(k_.let("one", (*shared_)[r])); });
    k_.barrier();
    return most;
  }

  Value load(const Value& r) {
    const Variable sum = k_.var("sum", constant(0.0F));
    k_.loop("c", constant(0U), end(), [&](const Value& c) {
      const Value damped = select(r == c, kfac_.damping, constant(0.0F));
      const Value a = k_.let("a", kfac_.in[base_ + r * n_ + c] + damped);
      at(r, c) = a;
      sum += abs(a);
    });
    return sum;
  }

  Value row_sum(const Value& r) {
    const Variable sum = k_.var("sum", constant(0.0F));
    k_.loop("c", constant(0U), end(), [&](const Value& c) { sum += abs(at(r, c)); });
    return sum;
  }

  Value row_asymmetry(const Value& r) {
    const Variable most = k_.var("most", constant(0.0F));
    k_.loop("c", constant(0U), r,
            [&](const Value& c) { most = max(Value(most), abs(at(r, c) - at(c, r))); });
    return most;
  }

  // Gauss-Jordan without pivoting; gives the least pivot.
  Value eliminate() {
    const Variable least = k_.var("least_pivot", constant(std::numeric_limits<float>::max()));
    k_.loop("p", constant(0U), end(), [&](const Value& p) {
      const Value pivot = k_.let("pivot", at(p, p));
      least = min(Value(least), pivot);
      const Value scale = k_.let("scale", 1.0F / pivot);
      sync();
      share("c",
            [&](const Value& c) { at(p, c) = select(c == p, constant(1.0F), at(p, c)) * scale; });
      sync();
      share("r", [&](const Value& r) { k_.when(r != p, [&] { clear(r, p); }); });
      sync();
    });
    return least;
  }

  void clear(const Value& r, const Value& p) {
    const Value factor = k_.let("factor", -Value(at(r, p)));
    at(r, p) = 0.0F;
    k_.loop("c", constant(0U), end(),
            [&](const Value& c) { at(r, c) = fma(factor, at(p, c), at(r, c)); });
  }

  void judge(const Value& norm, const Value& apart, const Value& least, const Value& inverse_norm) {
    keep_verdict(kfac_, block_, kfac_verdict(kfac_, norm, apart, least, inverse_norm));
    settle_block(kfac_, block_);
  }

  KfacBuilder& kfac_;
  ir::Builder& k_;
  std::uint32_t n_;
  std::optional<ir::BufferRef> shared_;
  Value block_ = constant(0U);
  Value base_ = constant(0U);
};

}  // namespace

void kfac_item(KfacBuilder& kfac) { Rows(kfac, false).build(); }
void kfac_group(KfacBuilder& kfac) { Rows(kfac, true).build(); }

}  // namespace vyre::primitives
