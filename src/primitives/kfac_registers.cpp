// One block per vector lane, every element in a variable of its own, all of it straight-line vector
// arithmetic. The code grows with n^3, and so does the time to compile it: for small n.
//
// With A = L L^T (Cholesky) and M = L^-1: A^-1 = M^T M. L, M and A^-1 take each other's place in
// the lower triangle. A block that is not positive definite ends as nan.
#include <limits>

#include "primitives/kfac_lanes.h"

namespace vyre::primitives {

using ir::Value;

namespace {

class Registers {
 public:
  Registers(KfacBuilder& kfac, std::uint8_t lanes)
      : kfac_(kfac), k_(kfac.k), n_(kfac.n), lanes_(lanes), blocks_(kfac, lanes) {}

  void build() {
    square_ = blocks_.load(blocks_.blocks(), n_ * n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      at(i, i) = k_.let("d", at(i, i) + splat(lanes_, kfac_.damping));
    }
    const Value norm = row_sum_norm();
    const Value apart = largest_asymmetry();
    const Value least = factor();
    invert_factor();
    multiply();
    blocks_.store(blocks_.blocks(), square_);
    blocks_.finish(kfac_verdict(kfac_, norm, apart, least, row_sum_norm()));
  }

 private:
  [[nodiscard]] Value& at(std::uint32_t row, std::uint32_t column) {
    return square_[row * n_ + column];
  }

  // The largest sum of a row's sizes; infinite where a number is not finite.
  Value row_sum_norm() {
    const Value infinity = blocks_.all(std::numeric_limits<float>::infinity());
    Value norm = blocks_.all(0);
    for (std::uint32_t r = 0; r < n_; ++r) {
      Value sum = abs(at(r, 0));
      for (std::uint32_t c = 1; c < n_; ++c) sum = sum + abs(at(r, c));
      sum = k_.let("sum", sum);
      norm = k_.let("norm", select(sum < infinity, max(norm, sum), infinity));
    }
    return norm;
  }

  Value largest_asymmetry() {
    Value apart = blocks_.all(0);
    for (std::uint32_t r = 0; r < n_; ++r) {
      for (std::uint32_t c = 0; c < r; ++c) {
        apart = k_.let("apart", max(apart, abs(at(r, c) - at(c, r))));
      }
    }
    return apart;
  }

  // L_rc = (A_rc - sum of L_ri L_ci over i < c) / L_cc; for r = c the sum is the pivot L_cc^2. The
  // diagonal keeps 1 / L_cc. Gives the least pivot.
  Value factor() {
    Value least = blocks_.all(std::numeric_limits<float>::max());
    const auto remainder = [&](std::uint32_t r, std::uint32_t c) {
      Value sum = at(r, c);
      for (std::uint32_t i = 0; i < c; ++i) sum = fma(-at(r, i), at(c, i), sum);
      return sum;
    };
    for (std::uint32_t c = 0; c < n_; ++c) {
      const Value pivot = k_.let("pivot", remainder(c, c));
      least = k_.let("least", min(least, pivot));
      at(c, c) = k_.let("scale", blocks_.all(1) / sqrt(pivot));
      for (std::uint32_t r = c + 1; r < n_; ++r) at(r, c) = k_.let("l", remainder(r, c) * at(c, c));
    }
    return least;
  }

  // M_rc = -(sum of L_ri M_ic over c <= i < r) / L_rr.
  void invert_factor() {
    for (std::uint32_t r = 0; r < n_; ++r) {
      for (std::uint32_t c = 0; c < r; ++c) {
        Value sum = at(r, c) * at(c, c);
        for (std::uint32_t i = c + 1; i < r; ++i) sum = fma(at(r, i), at(i, c), sum);
        at(r, c) = k_.let("m", -sum * at(r, r));
      }
    }
  }

  // A^-1_rc = sum of M_ir M_ic over i >= r, for r >= c, and its mirror image.
  void multiply() {
    for (std::uint32_t r = 0; r < n_; ++r) {
      for (std::uint32_t c = 0; c <= r; ++c) {
        Value sum = at(r, r) * at(r, c);
        for (std::uint32_t i = r + 1; i < n_; ++i) sum = fma(at(i, r), at(i, c), sum);
        at(c, r) = k_.let("inverse", sum);
      }
      // Row r of M is done with; its place below the diagonal takes the mirror image.
      for (std::uint32_t c = 0; c < r; ++c) at(r, c) = at(c, r);
    }
  }

  KfacBuilder& kfac_;
  ir::Builder& k_;
  std::uint32_t n_;
  std::uint8_t lanes_;
  KfacLanes blocks_;
  std::vector<Value> square_;
};

}  // namespace

void kfac_registers(KfacBuilder& kfac, std::uint8_t lanes) { Registers(kfac, lanes).build(); }

}  // namespace vyre::primitives
