// The layouts of gemm without packing: an element per invocation, and 16 x 16 tiles through shared
// memory.
#include "primitives/gemm_parts.h"
#include "primitives/programs.h"

namespace vyre::primitives {

using ir::constant;
using ir::Value;
using ir::Variable;

GemmSizes::GemmSizes(ir::Builder& builder, const GemmOptions& options)
    : m(builder.uniform("m", options.m)),
      n(builder.uniform("n", options.n)),
      k(builder.uniform("k", options.k)) {}

Value blended(const Value& sum, const Value& alpha, const Value& beta, const Value& c) {
  const Value zero = constant(0, sum.expr().type());
  return fma(alpha, sum, select(beta == 0.0F, zero, beta * c));
}

ir::Program gemm_plain(const GemmOptions& options) {
  ir::Builder k("gemm_plain");
  const GemmSizes size(k, options);
  const Value alpha = k.uniform("alpha", options.alpha);
  const Value beta = k.uniform("beta", options.beta);
  const auto a = k.read("a", Scalar::f32, size.m * size.k);
  const auto b = k.read("b", Scalar::f32, size.k * size.n);
  const auto c = k.read_write("c", Scalar::f32, size.m * size.n);
  k.grid(size.n, size.m);
  k.workgroup(64, 1);
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  const Variable sum = k.var("sum", constant(0.0F));
  k.loop("i", constant(0U), size.k,
         [&](const Value& i) { sum = fma(a[row * size.k + i], b[i * size.n + column], sum); });
  const Value at = k.let("at", row * size.n + column);
  c[at] = blended(sum, alpha, beta, c[at]);
  return finished(k);
}

ir::Program gemm_tiled(const GemmOptions& options) {
  constexpr std::uint32_t side = 16;
  ir::Builder k("gemm_tiled");
  const GemmSizes size(k, options);
  const Value alpha = k.uniform("alpha", options.alpha);
  const Value beta = k.uniform("beta", options.beta);
  const auto a = k.read("a", Scalar::f32, size.m * size.k);
  const auto b = k.read("b", Scalar::f32, size.k * size.n);
  const auto c = k.read_write("c", Scalar::f32, size.m * size.n);
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
  return finished(k);
}

}  // namespace vyre::primitives
