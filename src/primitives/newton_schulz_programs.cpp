#include "primitives/newton_schulz_programs.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

constexpr std::uint32_t group_size = 64;

// What the steps go from and to, by turns: Y and Z, or their copies.
struct Pair {
  std::string y;
  std::string z;
};

Value zero(Scalar working) { return ir::constant(0, {working}); }

Result<ir::Program> start_program(std::uint32_t size, Scalar working,
                                  const NewtonSchulzNames& names) {
  Builder k("newton_schulz_start");
  const Value n = k.uniform("n", size);
  const Value down = k.uniform("down", *ir::as<Literal>(ir::constant(1, {working}).expr()));
  const auto m = k.read(names.m, Scalar::f32, n * n);
  const auto y = k.write(names.y, working, n * n);
  const auto z = k.write(names.z, working, n * n);
  k.grid(n, n);
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  const Value at = k.let("at", row * n + column);
  y[at] = ir::convert(working, m[at]) * down;
  z[at] = ir::convert(working, row == column);
  return finished(newton_schulz_name, k);
}

// One workgroup per row: T, the root so far, and the row's part of |I - Z Y|^2.
Result<ir::Program> residual_program(std::uint32_t size, Scalar working, const Pair& from,
                                     const std::string& suffix, const NewtonSchulzNames& names) {
  Builder k("newton_schulz_residual" + suffix);
  const Value n = k.uniform("n", size);
  const Value root_down =
      k.uniform("root_down", *ir::as<Literal>(ir::constant(1, {working}).expr()));
  const auto y = k.read(from.y, working, n * n);
  const auto z = k.read(from.z, working, n * n);
  const auto t = k.write(names.t, working, n * n);
  const auto root = k.write(names.root, Scalar::f32, n * n);
  const auto residual = k.write(names.residual, Scalar::f32, n);
  const auto parts = k.shared("parts", working, ir::constant(group_size));
  k.grid(ir::constant(group_size), n);
  k.workgroup(group_size);
  const Value lane = k.let("lane", ir::local(0));
  const Value row = k.let("row", ir::group(1));
  const auto part = k.var("part", zero(working));
  k.loop("column", lane, n, ir::constant(group_size), [&](const Value& column) {
    const auto zy = k.var("zy", zero(working));
    k.loop("j", ir::constant(0U), n,
           [&](const Value& j) { zy = ir::fma(z[row * n + j], y[j * n + column], zy); });
    const Value off = k.let("off", ir::convert(working, row == column) - zy);
    part = ir::fma(off, off, part);
    const Value at = k.let("at", row * n + column);
    t[at] = ir::convert(working, row == column) + off * 0.5;
    root[at] = ir::convert(Scalar::f32, z[at] * root_down);
  });
  parts[lane] = part;
  k.barrier();
  k.when(lane == 0U, [&] {
    const auto sum = k.var("sum", zero(working));
    k.loop("i", ir::constant(0U), ir::constant(group_size),
           [&](const Value& i) { sum += parts[i]; });
    residual[row] = ir::convert(Scalar::f32, sum);
  });
  return finished(newton_schulz_name, k);
}

Result<ir::Program> update_program(std::uint32_t size, Scalar working, const Pair& from,
                                   const Pair& to, const std::string& suffix,
                                   const NewtonSchulzNames& names) {
  Builder k("newton_schulz_update" + suffix);
  const Value n = k.uniform("n", size);
  const auto t = k.read(names.t, working, n * n);
  const auto y = k.read(from.y, working, n * n);
  const auto z = k.read(from.z, working, n * n);
  const auto y_to = k.write(to.y, working, n * n);
  const auto z_to = k.write(to.z, working, n * n);
  k.grid(n, n);
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  const auto yt = k.var("yt", zero(working));
  const auto tz = k.var("tz", zero(working));
  k.loop("j", ir::constant(0U), n, [&](const Value& j) {
    yt = ir::fma(y[row * n + j], t[j * n + column], yt);
    tz = ir::fma(t[row * n + j], z[j * n + column], tz);
  });
  y_to[row * n + column] = yt;
  z_to[row * n + column] = tz;
  return finished(newton_schulz_name, k);
}

// For the reference: a square matrix by rows.
struct Matrix {
  std::vector<double> values;
  std::size_t n = 0;
  double& operator()(std::size_t i, std::size_t j) { return values[i * n + j]; }
};

// The cosine and sine of the rotation that makes a(p, q) zero.
std::pair<double, double> rotation(Matrix& a, std::size_t p, std::size_t q) {
  const double slope = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double tangent = std::copysign(1.0, slope) / (std::abs(slope) + std::hypot(1.0, slope));
  const double cosine = 1 / std::hypot(1.0, tangent);
  return {cosine, cosine * tangent};
}

void rotate(double& x, double& y, double cosine, double sine) {
  const double turned = cosine * x - sine * y;
  y = sine * x + cosine * y;
  x = turned;
}

void eliminate(Matrix& a, Matrix& vectors, std::size_t p, std::size_t q) {
  if (a(p, q) == 0) return;
  const auto [cosine, sine] = rotation(a, p, q);
  for (std::size_t i = 0; i < a.n; ++i) rotate(a(i, p), a(i, q), cosine, sine);
  for (std::size_t i = 0; i < a.n; ++i) rotate(a(p, i), a(q, i), cosine, sine);
  for (std::size_t i = 0; i < a.n; ++i) rotate(vectors(i, p), vectors(i, q), cosine, sine);
}

}  // namespace

Result<std::vector<ir::Program>> newton_schulz_programs(const NewtonSchulzOptions& options,
                                                        const NewtonSchulzNames& names) {
  const std::uint32_t n = options.n;
  const auto count = element_count(newton_schulz_name, {{"n", n}, {"n", n}});
  if (!count) return Unexpected(count.error());
  const Scalar working = options.working == Scalar::unknown ? Scalar::f32 : options.working;
  if (working != Scalar::f32 && working != Scalar::f64) {
    return refuse(newton_schulz_name, "it works in f32 or f64, and not in what was given");
  }
  const Pair here{names.y, names.z};
  const Pair next{names.y_next, names.z_next};
  return all_of({start_program(n, working, names), residual_program(n, working, here, "", names),
                 update_program(n, working, here, next, "", names),
                 residual_program(n, working, next, "_next", names),
                 update_program(n, working, next, here, "_next", names)});
}

void inverse_sqrt_reference(std::span<const double> m, std::uint32_t n, std::span<double> root) {
  Matrix a{{m.begin(), m.end()}, n};
  Matrix vectors{std::vector<double>(m.size()), n};
  for (std::size_t i = 0; i < n; ++i) vectors(i, i) = 1;
  constexpr int sweeps = 12;  // it converges quadratically; 6 to 10 are enough in practice
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) eliminate(a, vectors, p, q);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& sum = root[i * n + j];
      sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += vectors(i, k) * vectors(j, k) / std::sqrt(a(k, k));
    }
  }
}

}  // namespace vyre::primitives
