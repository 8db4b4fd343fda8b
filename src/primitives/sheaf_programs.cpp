#include "primitives/sheaf_programs.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/fixed.h"
#include "primitives/checks.h"
#include "primitives/fixed_math.h"
#include "primitives/programs.h"
#include "primitives/sheaf_layout.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

constexpr std::string_view diagonal = "sheaf_diffusion_diagonal";
constexpr std::string_view diffusion = "sheaf_diffusion";

struct Sizes {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t entries = 0;
};

// A sparse matrix in compressed rows, times a vector: one row per invocation.
struct Product {
  ir::BufferRef start;
  ir::BufferRef column;
  ir::BufferRef value;

  Product(Builder& k, const std::string& name, const Value& rows, std::uint32_t entries)
      : start(k.read(name + "_start", Scalar::u32, rows + 1)),
        column(k.read(name + "_column", Scalar::u32, ir::constant(entries))),
        value(k.read(name + "_value", Scalar::f32, ir::constant(entries))) {
    k.grid(rows);
  }

  Value row(Builder& k, const Value& i, const ir::BufferRef& vector) const {
    const auto sum = k.var("sum", ir::constant(0.0F));
    k.loop("entry", start[i], start[i + 1], [&](const Value& entry) {
      sum = ir::fma(value[entry], vector[Value(column[entry])], sum);
    });
    return sum;
  }
};

Result<ir::Program> coboundary_program(const Sizes& sizes, const SheafNames& names) {
  Builder k("sheaf_coboundary");
  const Value rows = k.uniform("rows", sizes.rows);
  const auto x = k.read(names.x, Scalar::f32, ir::constant(sizes.columns));
  const Product d(k, names.d, rows, sizes.entries);
  const auto dx = k.write(names.dx, Scalar::f32, rows);
  const Value i = k.let("i", ir::invocation(0));
  dx[i] = d.row(k, i, x);
  return finished(diffusion, k);
}

Result<ir::Program> laplacian_program(const Sizes& sizes, const SheafNames& names) {
  Builder k("sheaf_laplacian");
  const Value nodes = k.uniform("nodes", sizes.columns);
  const auto dx = k.read(names.dx, Scalar::f32, ir::constant(sizes.rows));
  const Product transposed(k, names.t, nodes, sizes.entries);
  const auto lx = k.write(names.lx, Scalar::f32, nodes);
  const Value i = k.let("i", ir::invocation(0));
  lx[i] = transposed.row(k, i, dx);
  return finished(diffusion, k);
}

// A change that is nan counts as moving.
Result<ir::Program> diffuse_program(const Sizes& sizes, const SheafNames& names) {
  Builder k("sheaf_diffuse");
  const Value nodes = k.uniform("nodes", sizes.columns);
  const Value rate = k.uniform("rate", 0.0F);
  const Value tolerance = k.uniform("tolerance", 0.0F);
  const auto dx = k.read(names.dx, Scalar::f32, ir::constant(sizes.rows));
  const Product transposed(k, names.t, nodes, sizes.entries);
  const auto x = k.read_write(names.x, Scalar::f32, nodes);
  const auto moving = k.read_write(names.moving, Scalar::u32, ir::constant(1U));
  const Value i = k.let("i", ir::invocation(0));
  const Value before = k.let("before", x[i]);
  const Value after = k.let("after", ir::fma(-rate, transposed.row(k, i, dx), before));
  x[i] = after;
  k.when(!(ir::abs(after - before) <= tolerance), [&] { moving[0U].atomic_add(ir::constant(1U)); });
  return finished(diffusion, k);
}

Result<ir::Program> disagreement_program(const Sizes& sizes, std::uint32_t edge_count,
                                         const SheafNames& names) {
  Builder k("sheaf_disagreement");
  const Value edges = k.uniform("edges", edge_count);
  const Value threshold = k.uniform("threshold", 0.0F);
  const auto dx = k.read(names.dx, Scalar::f32, ir::constant(sizes.rows));
  const auto start = k.read(names.edge_start, Scalar::u32, edges + 1);
  const auto disagreement = k.write(names.disagreement, Scalar::f32, edges);
  const auto flags = k.write(names.flags, Scalar::u32, edges);
  k.grid(edges);
  const Value e = k.let("e", ir::invocation(0));
  const auto sum = k.var("sum", ir::constant(0.0F));
  k.loop("row", start[e], start[e + 1],
         [&](const Value& row) { sum = ir::fma(dx[row], dx[row], sum); });
  const Value length = k.let("length", ir::sqrt(sum));
  disagreement[e] = length;
  flags[e] = ir::convert(Scalar::u32, length > threshold);
  return finished(diffusion, k);
}

}  // namespace

Result<void> check_diffusion(const DiffusionOptions& options) {
  if (options.step >= 0 && options.tolerance >= 0 && !std::isinf(options.step)) return {};
  return refuse(diffusion, fmt::format("step is {} and tolerance {}; neither may be below 0",
                                       options.step, options.tolerance));
}

Result<std::vector<ir::Program>> sheaf_diffusion_programs(const Sheaf& sheaf,
                                                          const SheafNames& names) {
  if (auto good = check_sheaf(sheaf); !good) return Unexpected(good.error());
  const SheafLayout layout = lay_out(sheaf);
  const Sizes sizes{layout.rows(), layout.columns(), layout.entries()};
  return all_of({coboundary_program(sizes, names), laplacian_program(sizes, names),
                 diffuse_program(sizes, names),
                 disagreement_program(sizes, layout.edges(), names)});
}

Result<ir::Program> sheaf_diagonal_program(std::uint32_t cells, const SheafDiagonalNames& names) {
  const auto count = element_count(diagonal, {{"cells", cells}});
  if (!count) return Unexpected(count.error());
  Builder k("sheaf_diagonal");
  const Value n = k.uniform("cells", cells);
  const Value damping = k.uniform("damping", std::int32_t{0});
  const Value tolerance = k.uniform("tolerance", 0U);
  const auto stalks = k.read_write(names.stalks, Scalar::i32, n);
  const auto restriction = k.read(names.restriction, Scalar::i32, n);
  const auto moving = k.read_write(names.moving, Scalar::u32, ir::constant(1U));
  k.grid(n);
  const Value i = k.let("i", ir::invocation(0));
  const Value before = k.let("before", stalks[i]);
  const Value rate = fixed_multiply(k, "rate", damping, restriction[i]);
  const Value flow = fixed_multiply(k, "flow", rate, before);
  const Value after = fixed_subtract(k, "after", before, flow);
  stalks[i] = after;
  k.when(distance(before, after) > tolerance, [&] { moving[0U].atomic_add(ir::constant(1U)); });
  return finished(diagonal, k);
}

Result<ir::Program> sheaf_flags_program(std::uint32_t cells, const SheafFlagsNames& names) {
  const auto count = element_count(diagonal, {{"cells", cells}});
  if (!count) return Unexpected(count.error());
  Builder k("sheaf_flags");
  const Value n = k.uniform("cells", cells);
  const Value threshold = k.uniform("threshold", 0U);
  const auto before = k.read(names.before, Scalar::i32, n);
  const auto after = k.read(names.after, Scalar::i32, n);
  const auto flags = k.write(names.flags, Scalar::u32, n);
  k.grid(n);
  const Value i = k.let("i", ir::invocation(0));
  flags[i] = ir::convert(Scalar::u32, distance(before[i], after[i]) > threshold);
  return finished(diagonal, k);
}

}  // namespace vyre::primitives
