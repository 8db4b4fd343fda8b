#include "primitives/gemm_programs.h"

#include <fmt/format.h>

#include <utility>

#include "primitives/checks.h"
#include "primitives/programs.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

namespace {

// The packed operands are padded to whole panels, so these are counted, not the matrices alone.
Result<void> check_options(const GemmOptions& options) {
  const auto padded = [](std::uint64_t count, std::uint64_t step) {
    return (count + step - 1) / step * step;
  };
  const Factor m{"m", options.m};
  const Factor n{"n", options.n};
  const Factor k{"k", options.k};
  for (const auto& [rows, columns] : {std::pair(m, k), std::pair(k, n), std::pair(m, n)}) {
    const auto count = element_count(gemm_name, {rows, columns});
    if (!count) return Unexpected(count.error());
  }
  for (const auto& [name, count] : {std::pair("m", padded(options.m, 6) * options.k),
                                    std::pair("n", padded(options.n, 16) * options.k)}) {
    if (count <= UINT32_MAX) continue;
    return refuse(gemm_name, fmt::format("{}, padded to whole panels, times k = {} is {} elements, "
                                         "over {}",
                                         name, options.k, count, UINT32_MAX));
  }
  const GemmSchedule& schedule = options.schedule;
  for (const auto& [name, value] : {Factor{"depth", schedule.depth},
                                    {"row_panels", schedule.row_panels},
                                    {"column_panels", schedule.column_panels}}) {
    if (value == 0 || value > 65536) {
      return refuse(gemm_name, fmt::format("{} is {}; it must be from 1 to 65536", name, value));
    }
  }
  return {};
}

Result<std::vector<ir::Program>> one_program(Result<ir::Program> program,
                                             const GemmOptions& options) {
  VYRE_TRY(auto made, scheduled(std::move(program), options.schedule.steps));
  return std::vector{std::move(made)};
}

}  // namespace

Result<std::vector<ir::Program>> gemm_programs(const GemmOptions& options, const GemmNames& names) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  switch (options.schedule.layout) {
    case GemmLayout::automatic:
      break;
    case GemmLayout::plain:
      return one_program(gemm_plain(options, names), options);
    case GemmLayout::tiled:
      return one_program(gemm_tiled(options, names), options);
    case GemmLayout::packed:
      return gemm_packed(options, names);
  }
  return refuse(gemm_name, "programs need a layout of their own: name one");
}

void gemm_reference(std::span<const double> a, std::span<const double> b, std::uint32_t m,
                    std::uint32_t n, std::uint32_t k, std::span<double> c) {
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

GemmSizes::GemmSizes(ir::Builder& builder, const GemmOptions& options)
    : m(builder.uniform("m", options.m)),
      n(builder.uniform("n", options.n)),
      k(builder.uniform("k", options.k)) {}

Value blended(const Value& sum, const Value& alpha, const Value& beta, const Value& c) {
  const Value zero = constant(0, sum.expr().type());
  return fma(alpha, sum, select(beta == 0.0F, zero, beta * c));
}

Result<ir::Program> gemm_plain(const GemmOptions& options, const GemmNames& names) {
  ir::Builder k("gemm_plain");
  const GemmSizes size(k, options);
  const Value alpha = k.uniform("alpha", options.alpha);
  const Value beta = k.uniform("beta", options.beta);
  const auto a = k.read(names.a, Scalar::f32, size.m * size.k);
  const auto b = k.read(names.b, Scalar::f32, size.k * size.n);
  const auto c = k.read_write(names.c, Scalar::f32, size.m * size.n);
  k.grid(size.n, size.m);
  k.workgroup(64, 1);
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  const Variable sum = k.var("sum", constant(0.0F));
  k.loop("i", constant(0U), size.k,
         [&](const Value& i) { sum = fma(a[row * size.k + i], b[i * size.n + column], sum); });
  const Value at = k.let("at", row * size.n + column);
  c[at] = blended(sum, alpha, beta, c[at]);
  return finished(gemm_name, k);
}

Result<ir::Program> gemm_tiled(const GemmOptions& options, const GemmNames& names) {
  constexpr std::uint32_t side = 16;
  ir::Builder k("gemm_tiled");
  const GemmSizes size(k, options);
  const Value alpha = k.uniform("alpha", options.alpha);
  const Value beta = k.uniform("beta", options.beta);
  const auto a = k.read(names.a, Scalar::f32, size.m * size.k);
  const auto b = k.read(names.b, Scalar::f32, size.k * size.n);
  const auto c = k.read_write(names.c, Scalar::f32, size.m * size.n);
  const auto a_tile = k.shared("a_tile", Scalar::f32, constant(side * side));
  const auto b_tile = k.shared("b_tile", Scalar::f32, constant(side * side));
  k.grid(round_up(size.n, side), round_up(size.m, side));
  k.workgroup(side, side);

  const Value x = k.let("x", ir::local(0));
  const Value y = k.let("y", ir::local(1));
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  const Variable sum = k.var("sum", constant(0.0F));
  // What lies beyond a matrix counts as zero.
  const auto fetch = [&](const ir::BufferRef& tile, const ir::BufferRef& from, const Value& inside,
                         const Value& index) {
    k.when(
        inside, [&] { tile[y * side + x] = Value(from[index]); },
        [&] { tile[y * side + x] = 0.0F; });
  };
  k.loop("depth", constant(0U), size.k, constant(side), [&](const Value& depth) {
    fetch(a_tile, a, (row < size.m) & (depth + x < size.k), row * size.k + depth + x);
    fetch(b_tile, b, (depth + y < size.k) & (column < size.n), (depth + y) * size.n + column);
    k.barrier();
    k.loop("i", constant(0U), constant(side),
           [&](const Value& i) { sum = fma(a_tile[y * side + i], b_tile[i * side + x], sum); });
    k.barrier();
  });
  k.when((row < size.m) & (column < size.n), [&] {
    const Value at = k.let("at", row * size.n + column);
    c[at] = blended(sum, alpha, beta, c[at]);
  });
  return finished(gemm_name, k);
}

}  // namespace vyre::primitives
