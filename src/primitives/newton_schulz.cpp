// The coupled iteration, driven from the host: it reads one number per row between launches.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "primitives/checks.h"
#include "primitives/newton_schulz_programs.h"

namespace vyre::primitives {
namespace {

constexpr std::uint32_t max_iterations = 60;
constexpr double tolerance = 1e-9;  // on the residual

Literal literal_of(double value, Scalar scalar) {
  if (scalar == Scalar::f64) return {scalar, std::bit_cast<std::uint64_t>(value)};
  return {scalar, std::bit_cast<std::uint32_t>(static_cast<float>(value))};
}

double largest_row_sum(std::span<const float> m, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(static_cast<double>(m[i * n + j]));
    largest = std::max(largest, sum);
  }
  return largest;
}

// What can be seen without computing: more shows as the iteration goes.
Result<void> check_matrix(std::span<const float> m, std::size_t n, double norm) {
  if (auto finite = check_finite(newton_schulz_name, "m", m); !finite) return finite;
  for (std::size_t i = 0; i < n; ++i) {
    if (m[i * n + i] <= 0) {
      return refuse(newton_schulz_name,
                    fmt::format("m is not positive definite: m[{}][{}] is {}", i, i, m[i * n + i]));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const float here = m[i * n + j];
      const float there = m[j * n + i];
      if (std::abs(static_cast<double>(here) - there) > 1e-5 * norm) {
        return refuse(newton_schulz_name,
                      fmt::format("m is not symmetric: m[{}][{}] is {} and m[{}][{}] is {}", i, j,
                                  here, j, i, there));
      }
    }
  }
  return {};
}

// The least k with 4^k >= norm.
int power_of_four(double norm) {
  const int half = static_cast<int>(std::floor(std::log2(norm) / 2));
  return std::ldexp(1.0, 2 * half) >= norm ? half : half + 1;
}

}  // namespace

NewtonSchulz::NewtonSchulz(Pipeline pipeline, const NewtonSchulzOptions& options)
    : pipeline_(std::move(pipeline)), options_(options), row_residuals_(options.n) {}

Result<NewtonSchulz> NewtonSchulz::make(device::Device& device,
                                        const NewtonSchulzOptions& options) {
  NewtonSchulzOptions chosen = options;
  if (chosen.working == Scalar::unknown) {
    chosen.working = device.adapter().limits.has_f64 ? Scalar::f64 : Scalar::f32;
  }
  const auto programs = newton_schulz_programs(chosen);
  if (!programs) return Unexpected(programs.error());
  auto pipeline = Pipeline::make(device, *programs);
  if (!pipeline) return Unexpected(pipeline.error());
  return NewtonSchulz(*std::move(pipeline), chosen);
}

Result<void> NewtonSchulz::start(std::span<const float> m) {
  const double norm = largest_row_sum(m, options_.n);
  if (auto good = check_matrix(m, options_.n, norm); !good) return good;
  const int half = power_of_four(norm);
  const auto down = literal_of(std::ldexp(1.0, -2 * half), options_.working);
  const auto root_down = literal_of(std::ldexp(1.0, -half), options_.working);
  if (auto set = pipeline_.stage(0).set("down", down); !set) return set;
  if (auto set = pipeline_.stage(1).set("root_down", root_down); !set) return set;
  if (auto set = pipeline_.stage(3).set("root_down", root_down); !set) return set;
  if (auto done = pipeline_.array("m").write(m); !done) return done;
  return pipeline_.stage(0).launch();
}

Result<double> NewtonSchulz::residual(std::uint32_t iteration) {
  if (auto done = pipeline_.stage(iteration % 2 == 0 ? 1 : 3).launch(); !done) {
    return Unexpected(done.error());
  }
  if (auto done = pipeline_.array("residual").read<float>(row_residuals_); !done) {
    return Unexpected(done.error());
  }
  double sum = 0;
  for (const float row : row_residuals_) sum += static_cast<double>(row);
  return std::sqrt(sum);
}

// For an eigenvalue p of Z Y in (0, 1], 1 - p falls at every step; for a negative one it grows, and
// for 0 it stays.
Result<NewtonSchulzReport> NewtonSchulz::iterate() {
  constexpr double near_end = 0.01;  // from here on it squares, until rounding stops it
  double before = std::sqrt(static_cast<double>(options_.n));
  for (std::uint32_t i = 0;; ++i) {
    const auto now = residual(i);
    if (!now) return Unexpected(now.error());
    if (*now <= tolerance) return NewtonSchulzReport{i, *now};
    if (*now < near_end && *now > before / 2) return NewtonSchulzReport{i, *now};
    if (!(*now <= before * 1.01)) {
      return refuse(newton_schulz_name,
                    fmt::format("m is not positive definite: the residual grew from {:.4g} to "
                                "{:.4g} in iteration {}; add damping to its diagonal",
                                before, *now, i));
    }
    if (i == max_iterations) {
      return refuse(newton_schulz_name,
                    fmt::format("did not converge in {} iterations: the residual is {:.4g} "
                                "and the tolerance {:.4g}; m is singular or nearly so: add "
                                "damping to its diagonal",
                                i, *now, tolerance));
    }
    before = *now;
    if (auto done = pipeline_.stage(i % 2 == 0 ? 2 : 4).launch(); !done) {
      return Unexpected(done.error());
    }
  }
}

Result<NewtonSchulzReport> NewtonSchulz::operator()(std::span<const float> m,
                                                    std::span<float> root) {
  if (auto fits = check_fits(newton_schulz_name, pipeline_.array("m"), m); !fits) {
    return Unexpected(fits.error());
  }
  if (auto fits = check_fits(newton_schulz_name, pipeline_.array("root"), root); !fits) {
    return Unexpected(fits.error());
  }
  if (auto started = start(m); !started) return Unexpected(started.error());
  auto report = iterate();
  if (!report) return report;
  if (auto done = pipeline_.array("root").read(root); !done) return Unexpected(done.error());
  return report;
}

}  // namespace vyre::primitives
