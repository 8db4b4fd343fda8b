#include "primitives/fisher_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

Result<void> check_options(const FisherOptions& options) {
  const std::uint32_t n = options.parameters;
  const auto square = element_count(fisher_name, {{"parameters", n}, {"parameters", n}});
  if (!square) return Unexpected(square.error());
  const auto scores = element_count(fisher_name, {{"window", options.window}, {"parameters", n}});
  if (!scores) return Unexpected(scores.error());
  if (options.window < std::max(n, 2U)) {
    return refuse(fisher_name,
                  fmt::format("window is {}; it must be at least {}: with fewer samples than "
                              "parameters, or fewer than 2, there is no estimate",
                              options.window, std::max(n, 2U)));
  }
  if (!(options.damping > 0)) {
    return refuse(fisher_name, fmt::format("damping is {}; it must be above 0", options.damping));
  }
  return check_finite(fisher_name, "damping", {&options.damping, 1});
}

}  // namespace

Result<ir::Program> fisher_program(const FisherOptions& options, const FisherNames& names) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  Builder k("fisher");
  const Value window = k.uniform("window", options.window);
  const Value n = k.uniform("n", options.parameters);
  const Value count = k.uniform("count", options.window);
  const Value damping = k.uniform("damping", options.damping);
  const auto scores = k.read(names.scores, Scalar::f32, window * n);
  const auto fisher = k.write(names.fisher, Scalar::f32, n * n);
  k.grid(n, n);
  // (i, j) and (j, i) compute the same, so that the result is symmetric to the bit.
  const Value i = k.let("i", ir::min(ir::invocation(0), ir::invocation(1)));
  const Value j = k.let("j", ir::max(ir::invocation(0), ir::invocation(1)));
  const auto mean_i = k.var("mean_i", ir::constant(0.0F));
  const auto mean_j = k.var("mean_j", ir::constant(0.0F));
  const auto sum = k.var("sum", ir::constant(0.0F));
  k.loop("sample", ir::constant(0U), count, [&](const Value& sample) {
    const Value part = k.let("part", 1.0F / ir::convert(Scalar::f32, sample + 1));
    const Value off_i = k.let("off_i", Value(scores[sample * n + i]) - mean_i);
    const Value off_j = k.let("off_j", Value(scores[sample * n + j]) - mean_j);
    mean_i = ir::fma(off_i, part, mean_i);
    mean_j = ir::fma(off_j, part, mean_j);
    sum = ir::fma(off_i, Value(scores[sample * n + j]) - mean_j, sum);
  });
  const Value covariance =
      k.let("covariance", Value(sum) / ir::convert(Scalar::f32, ir::max(count - 1, 1)));
  fisher[Value(ir::invocation(1)) * n + ir::invocation(0)] =
      covariance + ir::select(i == j, damping, ir::constant(0.0F));
  return finished(fisher_name, k);
}

void fisher_reference(std::span<const double> scores, std::uint32_t parameters, double damping,
                      std::span<double> fisher) {
  const std::size_t n = parameters;
  const std::size_t count = scores.size() / n;
  std::vector<double> mean(n);
  for (std::size_t s = 0; s < scores.size(); ++s) {
    mean[s % n] += scores[s] / static_cast<double>(count);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t s = 0; s < count; ++s) {
        sum += (scores[s * n + i] - mean[i]) * (scores[s * n + j] - mean[j]);
      }
      fisher[i * n + j] = sum / (static_cast<double>(count) - 1) + (i == j ? damping : 0);
    }
  }
}

}  // namespace vyre::primitives
