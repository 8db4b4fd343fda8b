// One block per vector lane: element (r, c) of as many blocks as a vector has lanes lies side by
// side in shared memory, so that all is vector arithmetic whatever n is.
//
// With A = L L^T (Cholesky) and M = L^-1: A^-1 = M^T M. That is half the work of Gauss-Jordan. L, M
// and A^-1 take each other's place in the lower triangle. Four sums of products are made at a time;
// where four reach over an edge they meet zeros: the upper triangle, and rows and columns beyond n.
// A block that is not positive definite ends as nan.
#include <limits>

#include "primitives/kfac_lanes.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

constexpr std::uint32_t tile = 4;

class Interleaved {
 public:
  Interleaved(KfacBuilder& kfac, std::uint8_t lanes)
      : kfac_(kfac),
        k_(kfac.k),
        n_(kfac.n),
        lanes_(lanes),
        blocks_(kfac, lanes),
        side_((n_ + tile - 1) / tile * tile),
        work_(k_.shared("work", Scalar::f32, constant((n_ + tile - 1) * side_ * lanes))) {}

  void build() {
    const Variable norm = k_.var("norm", all(0));
    const Variable apart = k_.var("apart", all(0));
    const Variable inverse_norm = k_.var("inverse_norm", all(0));
    k_.region("load", [&] { load(norm); });
    k_.region("compare", [&] { compare_mirrored(apart); });
    k_.region("clear", [&] { clear_surroundings(); });
    const Variable least = k_.var("least", all(std::numeric_limits<float>::max()));
    k_.region("factor", [&] { factor(least); });
    k_.region("invert the factor", [&] { invert_factor(); });
    k_.region("multiply", [&] { multiply(); });
    k_.region("store", [&] { store(inverse_norm); });
    blocks_.finish(kfac_verdict(kfac_, norm, apart, least, inverse_norm));
  }

 private:
  // Where element (row, column) lies; the next column is `lanes_` further.
  [[nodiscard]] Value place(const Value& row, const Value& column) const {
    return row * (side_ * lanes_) + column * std::uint32_t{lanes_};
  }
  [[nodiscard]] ir::Element at(const Value& row, const Value& column) const {
    return work_.at(place(row, column), lanes_);
  }
  [[nodiscard]] Value all(float value) const { return blocks_.all(value); }
  void rows(const std::function<void(Value)>& body) {
    k_.loop("r", constant(0U), constant(n_), body);
  }

  // Where row `r` of each block begins.
  [[nodiscard]] std::vector<Value> row_starts(const Value& r) const {
    std::vector<Value> starts;
    for (const Value& block : blocks_.blocks()) starts.push_back(block + r * n_);
    return starts;
  }

  void load(const Variable& norm) {
    rows([&](const Value& r) {
      const std::vector<Value> row = blocks_.load(row_starts(r), n_);
      const Value to = k_.let("to", place(r, constant(0U)));
      for (std::uint32_t c = 0; c < n_; ++c) work_.at(to + c * lanes_, lanes_) = row[c];
      const Value damped = at(r, r) + splat(lanes_, kfac_.damping);
      raise(norm, row, abs(damped) - abs(at(r, r)));
      at(r, r) = damped;
    });
  }

  void store(const Variable& norm) {
    rows([&](const Value& r) {
      const Value from = k_.let("from", place(r, constant(0U)));
      std::vector<Value> row;
      for (std::uint32_t c = 0; c < n_; ++c) {
        row.push_back(k_.let("a", work_.at(from + c * lanes_, lanes_)));
      }
      raise(norm, row, all(0));
      blocks_.store(row_starts(r), row);
    });
  }

  // Raises the norm to the sum of a row's sizes; to infinity where a number is not finite.
  void raise(const Variable& norm, const std::vector<Value>& row, const Value& more) {
    Value even = more;
    Value odd = all(0);
    for (const Value& value : row) {
      even = even + abs(value);
      std::swap(even, odd);
    }
    const Value sum = k_.let("sum", even + odd);
    const Value infinity = all(std::numeric_limits<float>::infinity());
    norm = select(sum < infinity, max(Value(norm), sum), infinity);
  }

  void compare_mirrored(const Variable& apart) {
    rows([&](const Value& r) {
      k_.loop("c", constant(0U), r, [&](const Value& c) {
        const Value difference = k_.let("difference", abs(at(r, c) - at(c, r)));
        apart = select(difference > Value(apart), difference, apart);
      });
    });
  }

  // Zeros as far beyond the diagonal and below the last row as four elements reach.
  void clear_surroundings() {
    rows([&](const Value& r) {
      for (std::uint32_t t = 1; t < tile; ++t) {
        k_.when(r + t < side_, [&] { at(r, r + t) = all(0); });
      }
    });
    k_.loop("r", constant(n_), constant(n_ + tile - 1), [&](const Value& r) {
      k_.loop("c", constant(0U), constant(side_), [&](const Value& c) { at(r, c) = all(0); });
    });
  }

  // Four sums over i: sum += one(i) * (vectors at four(i), `step` apart).
  std::vector<Variable> four_sums(const Value& begin, const Value& end,
                                  const std::function<Value(Value)>& one,
                                  const std::function<Value(Value)>& four, std::uint32_t step) {
    std::vector<Variable> sums;
    for (std::uint32_t i = 0; i < tile; ++i) sums.push_back(k_.var("sum", all(0)));
    k_.loop("i", begin, end, [&](const Value& i) {
      const Value factor = k_.let("factor", one(i));
      const Value first = k_.let("first_of_four", four(i));
      for (std::uint32_t t = 0; t < tile; ++t) {
        sums[t] = fma(factor, work_.at(first + t * step, lanes_), sums[t]);
      }
    });
    return sums;
  }

  // L_rc = (A_rc - sum of L_ri L_ci over i < c) / L_cc; for r = c the sum is the pivot L_cc^2. The
  // diagonal keeps 1 / L_cc.
  void factor(const Variable& least) {
    k_.loop("c", constant(0U), constant(n_), [&](const Value& c) {
      const Variable pivot = k_.var("pivot", at(c, c));
      k_.loop("i", constant(0U), c,
              [&](const Value& i) { pivot = fma(-Value(at(c, i)), at(c, i), pivot); });
      least = min(Value(least), Value(pivot));
      const Value scale = k_.let("scale", all(1) / sqrt(pivot));
      at(c, c) = scale;
      k_.loop("r", c + 1, constant(n_), constant(tile), [&](const Value& r) {
        const std::uint32_t row = side_ * lanes_;
        const auto sums = four_sums(
            constant(0U), c, [&](const Value& i) { return at(c, i); },
            [&](const Value& i) { return place(r, i); }, row);
        const Value to = k_.let("to", place(r, c));
        for (std::uint32_t t = 0; t < tile; ++t) {
          const ir::Element element = work_.at(to + t * row, lanes_);
          element = (element.load() - sums[t]) * scale;
        }
      });
    });
  }

  // M_rc = -(sum of L_ri M_ic over c <= i < r) / L_rr.
  void invert_factor() {
    rows([&](const Value& r) {
      const Value scale = k_.let("scale", at(r, r));
      k_.loop("c", constant(0U), r, constant(tile), [&](const Value& c) {
        const auto sums = four_sums(
            c, r, [&](const Value& i) { return at(r, i); },
            [&](const Value& i) { return place(i, c); }, lanes_);
        const Value to = k_.let("to", place(r, c));
        for (std::uint32_t t = 0; t < tile; ++t) {
          work_.at(to + t * lanes_, lanes_) = -Value(sums[t]) * scale;
        }
      });
      at(r, r) = scale;
    });
  }

  // A^-1_rc = sum of M_ir M_ic over i >= r, for r >= c, and its mirror image.
  void multiply() {
    rows([&](const Value& r) {
      k_.loop("c", constant(0U), r + 1, constant(tile), [&](const Value& c) {
        const auto sums = four_sums(
            r, constant(n_), [&](const Value& i) { return at(i, r); },
            [&](const Value& i) { return place(i, c); }, lanes_);
        const Value to = k_.let("to", place(r, c));
        for (std::uint32_t t = 0; t < tile; ++t) work_.at(to + t * lanes_, lanes_) = sums[t];
      });
      k_.loop("c", constant(0U), r, [&](const Value& c) { at(c, r) = Value(at(r, c)); });
    });
  }

  KfacBuilder& kfac_;
  ir::Builder& k_;
  std::uint32_t n_;
  std::uint8_t lanes_;
  KfacLanes blocks_;
  std::uint32_t side_;  // columns of a row, with padding
  ir::BufferRef work_;
};

}  // namespace

void kfac_interleaved(KfacBuilder& kfac, std::uint8_t lanes) { Interleaved(kfac, lanes).build(); }

}  // namespace vyre::primitives
