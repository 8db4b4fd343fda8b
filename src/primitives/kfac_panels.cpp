// One invocation per block, for blocks too large for a lane each: vectors lie along rows, and eight
// pivots are eliminated at a time, so that each element of the block is loaded and stored once for
// eight multiplications. The block is worked on in shared memory, padded with the identity to whole
// tiles.
//
// With K the eight pivots' rows and columns, and D = A_KK:
//   A_K := D^-1 A_K (and A_KK := D^-1);  A_i := A_i - A_iK A_K, where A_iK is taken out first.
#include <limits>

#include "primitives/kfac_builder.h"
#include "primitives/lanes.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

constexpr std::uint8_t lanes = 8;  // of a vector, and the pivots of a panel
constexpr std::uint32_t tile_rows = 4;
constexpr std::uint32_t tile_columns = 16;

class Panels {
 public:
  explicit Panels(KfacBuilder& kfac)
      : kfac_(kfac),
        k_(kfac.k),
        n_(kfac.n),
        side_((n_ + tile_columns - 1) / tile_columns * tile_columns),
        work_(k_.shared("work", Scalar::f32, constant(side_ * side_))),
        panel_(k_.shared("panel", Scalar::f32, constant(side_ * lanes))),
        base_(constant(0U)) {}

  void build() {
    k_.grid(kfac_.blocks);
    k_.workgroup(1);
    base_ = k_.let("base", ir::invocation(0) * (n_ * n_));
    k_.region("load", [&] { load(); });
    const Value norm = k_.let("norm", row_sum_norm("norm_of_block"));
    const Value apart = k_.let("apart", largest_asymmetry());
    const Variable least = k_.var("least", constant(std::numeric_limits<float>::max()));
    k_.region("eliminate", [&] {
      k_.loop("p", constant(0U), constant(side_), constant(std::uint32_t{lanes}),
              [&](const Value& p) { eliminate(p, least); });
    });
    const Value inverse_norm = k_.let("inverse_norm", row_sum_norm("norm_of_inverse"));
    k_.region("store", [&] { store(); });
    keep_verdict(kfac_, ir::invocation(0), kfac_verdict(kfac_, norm, apart, least, inverse_norm));
    settle_block(kfac_, k_.let("block", ir::invocation(0)));
  }

 private:
  [[nodiscard]] ir::Element at(const Value& row, const Value& column) const {
    return work_.at(row * side_ + column, lanes);
  }
  [[nodiscard]] ir::Element one(const Value& row, const Value& column) const {
    return work_[row * side_ + column];
  }
  [[nodiscard]] static Value all(float value) { return splat(lanes, constant(value)); }
  void rows(std::uint32_t count, const std::function<void(Value)>& body) {
    k_.loop("r", constant(0U), constant(count), body);
  }
  // Columns of whole vectors from 0 to `count`, and the remainder one by one.
  void columns(std::uint32_t count, const std::function<void(Value)>& whole,
               const std::function<void(Value)>& single) {
    const std::uint32_t split = count / lanes * lanes;
    k_.loop("c", constant(0U), constant(split), constant(std::uint32_t{lanes}), whole);
    if (split < count) k_.loop("c", constant(split), constant(count), single);
  }

  void load() {
    rows(n_, [&](const Value& r) {
      const Value from = k_.let("from", base_ + r * n_);
      columns(
          n_, [&](const Value& c) { at(r, c) = kfac_.in.at(from + c, lanes); },
          [&](const Value& c) { one(r, c) = kfac_.in[from + c]; });
      if (side_ > n_)
        k_.loop("c", constant(n_), constant(side_), [&](const Value& c) { one(r, c) = 0.0F; });
      one(r, r) = one(r, r) + kfac_.damping;
    });
    if (side_ > n_)
      k_.loop("r", constant(n_), constant(side_), [&](const Value& r) {
        columns(side_, [&](const Value& c) { at(r, c) = all(0); }, {});
        one(r, r) = 1.0F;
      });
  }

  void store() {
    rows(n_, [&](const Value& r) {
      const Value to = k_.let("to", base_ + r * n_);
      columns(
          n_, [&](const Value& c) { kfac_.out.at(to + c, lanes) = Value(at(r, c)); },
          [&](const Value& c) { kfac_.out[to + c] = Value(one(r, c)); });
    });
  }

  // The largest sum of a row's sizes; infinite where a number is not finite.
  Value row_sum_norm(const std::string& name) {
    const Value infinity = constant(std::numeric_limits<float>::infinity());
    const Variable norm = k_.var(name, constant(0.0F));
    rows(n_, [&](const Value& r) {
      const Variable sums = k_.var("sums", all(0));
      const Variable sum = k_.var("sum", constant(0.0F));
      columns(
          n_, [&](const Value& c) { sums += abs(at(r, c)); },
          [&](const Value& c) { sum += abs(one(r, c)); });
      for (std::uint8_t lane = 0; lane < lanes; ++lane) sum += Value(sums).lane(lane);
      norm = select(Value(sum) < infinity, max(Value(norm), Value(sum)), infinity);
    });
    return norm;
  }

  // Tile by tile: the tile against the transpose of its mirror image. The padding is symmetric.
  Value largest_asymmetry() {
    const Variable apart = k_.var("asymmetry", all(0));
    const Value step = constant(std::uint32_t{lanes});
    k_.loop("r", constant(0U), constant(side_), step, [&](const Value& r) {
      k_.loop("c", constant(0U), r + step, step, [&](const Value& c) {
        std::vector<Value> mirror;
        for (std::uint32_t i = 0; i < lanes; ++i) mirror.push_back(k_.let("m", at(c + i, r)));
        mirror = transpose_lanes(k_, std::move(mirror));
        for (std::uint32_t i = 0; i < lanes; ++i) {
          apart = max(Value(apart), abs(at(r + i, c) - mirror[i]));
        }
      });
    });
    Value most = Value(apart).lane(0);
    for (std::uint8_t lane = 1; lane < lanes; ++lane) {
      most = k_.let("most", max(most, Value(apart).lane(lane)));
    }
    return most;
  }

  void eliminate(const Value& p, const Variable& least) {
    take_panel(p);
    const std::vector<Value> inverse = invert_diagonal(p, least);
    multiply_panel_rows(p, inverse);
    for (std::uint32_t i = 0; i < lanes; ++i) at(p + i, p) = inverse[i];
    const auto update = [&](const Value& r) { update_rows(r, p); };
    k_.loop("above", constant(0U), p, constant(tile_rows), update);
    k_.loop("below", p + std::uint32_t{lanes}, constant(side_), constant(tile_rows), update);
  }

  // Moves the columns of the panel out, and leaves zeros.
  void take_panel(const Value& p) {
    rows(side_, [&](const Value& r) {
      panel_.at(r * std::uint32_t{lanes}, lanes) = Value(at(r, p));
      at(r, p) = all(0);
    });
  }

  // The diagonal square in eight registers, by Gauss-Jordan.
  std::vector<Value> invert_diagonal(const Value& p, const Variable& least) {
    std::vector<Value> square;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      square.push_back(k_.let("d", panel_.at((p + i) * std::uint32_t{lanes}, lanes)));
    }
    for (std::uint8_t i = 0; i < lanes; ++i) {
      const Value pivot = k_.let("pivot", square[i].lane(i));
      least = min(Value(least), pivot);
      const Value scale = k_.let("scale", 1.0F / pivot);
      square[i] = k_.let("d", with_lane(square[i], i, constant(1.0F)) * splat(lanes, scale));
      for (std::uint8_t r = 0; r < lanes; ++r) {
        if (r == i) continue;
        const Value factor = splat(lanes, -square[r].lane(i));
        square[r] = k_.let("d", fma(factor, square[i], with_lane(square[r], i, constant(0.0F))));
      }
    }
    return square;
  }

  void multiply_panel_rows(const Value& p, const std::vector<Value>& inverse) {
    columns(side_,
            [&](const Value& c) {
              std::vector<Value> old;
              for (std::uint32_t i = 0; i < lanes; ++i) old.push_back(k_.let("old", at(p + i, c)));
              for (std::uint32_t i = 0; i < lanes; ++i) {
                Value sum = k_.let("sum", splat(lanes, inverse[i].lane(0)) * old[0]);
                for (std::uint8_t j = 1; j < lanes; ++j) {
                  sum = k_.let("sum", fma(splat(lanes, inverse[i].lane(j)), old[j], sum));
                }
                at(p + i, c) = sum;
              }
            },
            {});
  }

  // A_i := A_i - A_iK A_K for the rows of one tile.
  void update_rows(const Value& r, const Value& p) {
    const Value factors = k_.let("factors", r * std::uint32_t{lanes});
    k_.loop("c", constant(0U), constant(side_), constant(tile_columns), [&](const Value& c) {
      const Value corner = k_.let("corner", r * side_ + c);
      const Value pivots = k_.let("pivots", p * side_ + c);
      std::vector<Value> sums;
      each_vector([&](std::uint32_t i, std::uint32_t j) {
        sums.push_back(k_.let("s", work_.at(corner + (i * side_ + j), lanes)));
      });
      for (std::uint32_t q = 0; q < lanes; ++q) {
        std::vector<Value> row;
        for (std::uint32_t j = 0; j < tile_columns; j += lanes) {
          row.push_back(k_.let("row", work_.at(pivots + (q * side_ + j), lanes)));
        }
        auto sum = sums.begin();
        each_vector([&](std::uint32_t i, std::uint32_t j) {
          const Value factor = -Value(panel_[factors + (i * lanes + q)]);
          *sum = k_.let("s", fma(splat(lanes, factor), row[j / lanes], *sum));
          ++sum;
        });
      }
      auto sum = sums.begin();
      each_vector([&](std::uint32_t i, std::uint32_t j) {
        work_.at(corner + (i * side_ + j), lanes) = *sum++;
      });
    });
  }
  static void each_vector(const std::function<void(std::uint32_t, std::uint32_t)>& body) {
    for (std::uint32_t i = 0; i < tile_rows; ++i) {
      for (std::uint32_t j = 0; j < tile_columns; j += lanes) body(i, j);
    }
  }

  KfacBuilder& kfac_;
  ir::Builder& k_;
  std::uint32_t n_;
  std::uint32_t side_;
  ir::BufferRef work_;
  ir::BufferRef panel_;
  Value base_;
};

}  // namespace

void kfac_panels(KfacBuilder& kfac) { Panels(kfac).build(); }

}  // namespace vyre::primitives
