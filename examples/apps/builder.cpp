// A kernel built in C++ instead of text: one for every degree of a polynomial.
#include <cstdio>

#include "vyre/ir/build.h"
#include "vyre/ir/text.h"
#include "vyre/vyre.h"

// Horner's rule, unrolled: the coefficients are constants of the program.
vyre::Result<vyre::ir::Program> polynomial(std::span<const float> coefficients) {
  using namespace vyre::ir;
  Builder k("polynomial");
  const Value n = k.uniform("n", 1U);
  const BufferRef x = k.read("x", vyre::Scalar::f32, n);
  const BufferRef y = k.write("y", vyre::Scalar::f32, n);
  k.grid(n);
  const Value i = k.let("i", invocation(0));
  Value sum = constant(0.0F);
  for (const float c : coefficients) sum = k.let("sum", fma(sum, x[i], c));
  y[i] = sum;
  return k.finish();
}

vyre::Result<void> run() {
  const std::array coefficients = {1.0F, -3.0F, 0.5F};  // x^2 - 3 x + 1/2
  VYRE_TRY(const auto program, polynomial(coefficients));
  std::printf("%s", vyre::ir::print(program).c_str());

  VYRE_TRY(auto gpu, vyre::Context::open());
  VYRE_TRY(auto kernel, gpu.kernel<const float, float>(program));
  const std::vector<float> points = {0, 1, 2, 3};
  const auto x = gpu.array(points), y = gpu.array<float>(points.size());
  kernel(x, y);
  VYRE_TRY(const auto result, y.to_host());
  if (result == std::vector<float>{0.5F, -1.5F, -1.5F, 0.5F}) return {};
  return vyre::fail(vyre::ErrorKind::run, "wrong values");
}

int main() { return vyre::exit_status(run()); }
