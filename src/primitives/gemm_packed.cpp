// The packed layout of gemm. A panel of A holds 6 rows, element (row, i) at i * 6 + row; a panel of
// B holds 16 columns, element (i, column) at i * 16 + column; both are padded with zeros. An
// invocation makes a block of C, panel by panel, and goes along k in passes short enough that what
// it reads again stays in the cache.
#include <algorithm>

#include "primitives/gemm_programs.h"
#include "primitives/programs.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

constexpr std::uint32_t tile_rows = 6;
constexpr std::uint32_t tile_columns = 16;
constexpr std::uint8_t lanes = 8;
constexpr std::uint32_t rows_at_once = 8;  // of B, by one invocation that packs

Value panels(const Value& count, std::uint32_t size) { return (count + (size - 1)) / size; }

Result<ir::Program> pack_a(const GemmOptions& options, const GemmNames& names) {
  ir::Builder k("gemm_pack_a");
  const GemmSizes size(k, options);
  const auto a = k.read(names.a, Scalar::f32, size.m * size.k);
  const auto packed =
      k.write(names.packed_a, Scalar::f32, panels(size.m, tile_rows) * tile_rows * size.k);
  k.grid(panels(size.m, tile_rows));
  k.workgroup(1);
  const Value row = k.let("row", ir::invocation(0) * tile_rows);
  const Value to = k.let("to", ir::invocation(0) * tile_rows * size.k);
  std::vector<Value> rows;  // beyond the last row the last is read, and zero taken
  for (std::uint32_t r = 0; r < tile_rows; ++r) {
    rows.push_back(k.let("from", min(row + r, size.m - 1) * size.k));
  }
  const auto keep = [&](std::uint32_t r, const Value& value) {
    return select(row + r < size.m, value, constant(0.0F));
  };
  const Value whole = k.let("whole", size.k / std::uint32_t{lanes} * std::uint32_t{lanes});
  k.loop("i", constant(0U), whole, constant(std::uint32_t{lanes}), [&](const Value& i) {
    std::vector<Value> values;
    for (const Value& from : rows) values.push_back(k.let("v", a.at(from + i, lanes)));
    const Value at = k.let("at", to + i * tile_rows);
    for (std::uint8_t lane = 0; lane < lanes; ++lane) {
      for (std::uint32_t r = 0; r < tile_rows; ++r) {
        packed[at + (lane * tile_rows + r)] = keep(r, values[r].lane(lane));
      }
    }
  });
  k.loop("i", whole, size.k, [&](const Value& i) {
    for (std::uint32_t r = 0; r < tile_rows; ++r) {
      packed[to + i * tile_rows + r] = keep(r, a[rows[r] + i]);
    }
  });
  return finished(gemm_name, k);
}

// An invocation packs a few rows of B, so that both sides are read and written in runs.
Result<ir::Program> pack_b(const GemmOptions& options, const GemmNames& names) {
  ir::Builder k("gemm_pack_b");
  const GemmSizes size(k, options);
  const auto b = k.read(names.b, Scalar::f32, size.k * size.n);
  const auto packed =
      k.write(names.packed_b, Scalar::f32, panels(size.n, tile_columns) * tile_columns * size.k);
  k.grid(panels(size.k, rows_at_once));
  k.workgroup(1);
  const Value begin = k.let("begin", ir::invocation(0) * rows_at_once);
  const Value end = k.let("end", min(begin + rows_at_once, size.k));
  const Value whole = k.let("whole", size.n / tile_columns);
  k.loop("panel", constant(0U), whole, [&](const Value& panel) {
    k.loop("i", begin, end, [&](const Value& i) {
      const Value from = k.let("from", i * size.n + panel * tile_columns);
      const Value to = k.let("to", (panel * size.k + i) * tile_columns);
      for (std::uint32_t j = 0; j < tile_columns; j += lanes) {
        packed.at(to + j, lanes) = Value(b.at(from + j, lanes));
      }
    });
  });
  k.when(whole * tile_columns < size.n, [&] {
    k.loop("i", begin, end, [&](const Value& i) {
      k.loop("j", constant(0U), constant(tile_columns), [&](const Value& j) {
        const Value column = k.let("column", whole * tile_columns + j);
        const Value value = b[i * size.n + min(column, size.n - 1)];
        packed[(whole * size.k + i) * tile_columns + j] =
            select(column < size.n, value, constant(0.0F));
      });
    });
  });
  return finished(gemm_name, k);
}

class Multiply {
 public:
  Multiply(const GemmOptions& options, const GemmNames& names)
      : schedule_(options.schedule),
        k_("gemm_multiply"),
        size_(k_, options),
        alpha_(k_.uniform("alpha", options.alpha)),
        beta_(k_.uniform("beta", options.beta)),
        a_(k_.read(names.packed_a, Scalar::f32, panels(size_.m, tile_rows) * tile_rows * size_.k)),
        b_(k_.read(names.packed_b, Scalar::f32,
                   panels(size_.n, tile_columns) * tile_columns * size_.k)),
        c_(k_.read_write(names.c, Scalar::f32, size_.m * size_.n)) {}

  Result<ir::Program> build() {
    const Value row_panels = k_.let("row_panels", panels(size_.m, tile_rows));
    const Value column_panels = k_.let("column_panels", panels(size_.n, tile_columns));
    k_.grid(panels(size_.n, schedule_.column_panels * tile_columns),
            panels(size_.m, schedule_.row_panels * tile_rows));
    k_.workgroup(1);
    const auto block = [&](const char* name, std::uint8_t dim, std::uint32_t count,
                           const Value& all, const std::function<void(Value)>& body) {
      const Value first = k_.let("first", ir::invocation(dim) * count);
      k_.loop(name, first, k_.let("last", min(first + count, all)), body);
    };
    k_.loop("begin", constant(0U), size_.k, constant(schedule_.depth), [&](const Value& begin) {
      const Value end = k_.let("end", min(begin + schedule_.depth, size_.k));
      block("column_panel", 0, schedule_.column_panels, column_panels, [&](const Value& column) {
        block("row_panel", 1, schedule_.row_panels, row_panels,
              [&](const Value& row) { tile(row, column, begin, end); });
      });
    });
    return finished(gemm_name, k_);
  }

 private:
  // One pass over a tile of C: its sums in registers, then into C.
  void tile(const Value& row_panel, const Value& column_panel, const Value& begin,
            const Value& end) {
    std::vector<Variable> sums;
    for (std::uint32_t s = 0; s < tile_rows * tile_columns / lanes; ++s) {
      sums.push_back(k_.var("sum", splat(lanes, constant(0.0F))));
    }
    const Value a_panel = k_.let("a_panel", row_panel * size_.k);
    const Value b_panel = k_.let("b_panel", column_panel * size_.k);
    k_.loop("i", begin, end, [&](const Value& i) {
      const Value at_a = k_.let("at_a", (a_panel + i) * tile_rows);
      const Value at_b = k_.let("at_b", (b_panel + i) * tile_columns);
      const Value left = k_.let("left", b_.at(at_b, lanes));
      const Value right = k_.let("right", b_.at(at_b + std::uint32_t{lanes}, lanes));
      for (std::uint32_t r = 0; r < tile_rows; ++r) {
        const Value factor = k_.let("factor", splat(lanes, a_[at_a + r]));
        sums[2 * r] = fma(factor, left, sums[2 * r]);
        sums[2 * r + 1] = fma(factor, right, sums[2 * r + 1]);
      }
    });
    const Value beta = k_.let("part_of_c", select(begin == 0U, beta_, constant(1.0F)));
    for (std::uint32_t r = 0; r < tile_rows; ++r) {
      const Value row = k_.let("row", row_panel * tile_rows + r);
      k_.when(row < size_.m, [&] {
        store_row(row, column_panel * tile_columns, beta, sums[2 * r], sums[2 * r + 1]);
      });
    }
  }

  void store_row(const Value& row, const Value& first, const Value& beta, const Value& left,
                 const Value& right) {
    const Value column = k_.let("column", first);
    const auto update = [&](const ir::Element& c, const Value& sum) {
      const auto as_sum = [&](const Value& scalar) {
        return sum.expr().type().lanes == 1 ? scalar : splat(lanes, scalar);
      };
      c = blended(sum, as_sum(alpha_), as_sum(beta), c.load());
    };
    k_.when(
        column + tile_columns <= size_.n,
        [&] {
          const Value at = k_.let("at", row * size_.n + column);
          update(c_.at(at, lanes), left);
          update(c_.at(at + std::uint32_t{lanes}, lanes), right);
        },
        [&] {
          for (std::uint32_t j = 0; j < tile_columns; ++j) {
            const Value half = j < lanes ? left : right;
            k_.when(column + j < size_.n, [&] {
              update(c_[row * size_.n + column + j],
                     half.lane(static_cast<std::uint8_t>(j % lanes)));
            });
          }
        });
  }

  GemmSchedule schedule_;
  ir::Builder k_;
  GemmSizes size_;
  Value alpha_;
  Value beta_;
  ir::BufferRef a_, b_, c_;
};

}  // namespace

Result<std::vector<ir::Program>> gemm_packed(const GemmOptions& options, const GemmNames& names) {
  return all_of({pack_a(options, names), pack_b(options, names), Multiply(options, names).build()});
}

}  // namespace vyre::primitives
