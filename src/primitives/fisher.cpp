#include "vyre/primitives/fisher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "primitives/checks.h"
#include "primitives/fisher_program.h"

namespace vyre::primitives {
namespace {

void set_identity(std::vector<float>& matrix, std::size_t n) {
  std::ranges::fill(matrix, 0.0F);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 1;
}

}  // namespace

Fisher::Fisher(const FisherOptions& options, Parts parts)
    : options_(options),
      parts_(std::move(parts)),
      scores_(std::size_t{options.window} * options.parameters),
      matrix_(std::size_t{options.parameters} * options.parameters),
      root_(matrix_.size()),
      inverse_(matrix_.size()) {}

Result<Fisher> Fisher::make(device::Device& device, const FisherOptions& options) {
  const auto program = fisher_program(options);
  if (!program) return Unexpected(program.error());
  const std::uint32_t n = options.parameters;
  auto covariance = Pipeline::make(device, {&*program, 1});
  if (!covariance) return Unexpected(covariance.error());
  auto inverse_sqrt = NewtonSchulz::make(device, {.n = n});
  if (!inverse_sqrt) return Unexpected(inverse_sqrt.error());
  auto inverse = KfacBlockInverse::make(device, {.num_blocks = 1, .n = n});
  if (!inverse) return Unexpected(inverse.error());
  auto apply = NaturalGradient::make(device, {.n = n});
  if (!apply) return Unexpected(apply.error());
  return Fisher(options, {*std::move(covariance), *std::move(inverse_sqrt), *std::move(inverse),
                          *std::move(apply)});
}

Result<void> Fisher::add(std::span<const float> score) {
  const std::size_t n = options_.parameters;
  if (auto fits = check_length(fisher_name, "score", score.size(), n); !fits) return fits;
  if (auto finite = check_finite(fisher_name, "score", score); !finite) return finite;
  std::ranges::copy(score, scores_.begin() + static_cast<std::ptrdiff_t>(next_ * n));
  next_ = (next_ + 1) % options_.window;
  samples_ = std::min(samples_ + 1, options_.window);
  matrix_is_current_ = root_is_current_ = inverse_is_current_ = false;
  return {};
}

bool Fisher::is_identity() const { return samples_ < std::max(options_.parameters, 2U); }

Result<void> Fisher::estimate() {
  if (matrix_is_current_) return {};
  if (is_identity()) {
    set_identity(matrix_, options_.parameters);
  } else {
    Pipeline& covariance = parts_.covariance;
    if (auto done = covariance.array("scores").write<float>(scores_); !done) return done;
    if (auto set = covariance.stage(0).set("count", {Scalar::u32, samples_}); !set) return set;
    if (auto done = covariance.launch(); !done) return done;
    if (auto done = covariance.array("fisher").read<float>(matrix_); !done) return done;
  }
  matrix_is_current_ = true;
  return {};
}

Result<void> Fisher::update_root() {
  if (root_is_current_) return {};
  if (auto done = estimate(); !done) return done;
  const auto report = parts_.inverse_sqrt(matrix_, root_);
  if (!report) return Unexpected(report.error());
  root_is_current_ = true;
  return {};
}

Result<void> Fisher::update_inverse() {
  if (inverse_is_current_) return {};
  if (auto done = estimate(); !done) return done;
  if (auto done = parts_.inverse(matrix_, inverse_); !done) return done;
  if (const auto reports = parts_.inverse.reports(); !reports.empty()) {
    return refuse(fisher_name,
                  fmt::format("the matrix is {}, its condition number {:.4g}; damping is {} "
                              "and must be larger",
                              name_of(reports[0].state), reports[0].condition, options_.damping));
  }
  inverse_is_current_ = true;
  return {};
}

Result<void> Fisher::matrix(std::span<float> fisher) {
  if (auto fits = check_length(fisher_name, "fisher", fisher.size(), matrix_.size()); !fits)
    return fits;
  if (auto done = estimate(); !done) return done;
  std::ranges::copy(matrix_, fisher.begin());
  return {};
}

Result<void> Fisher::inverse_root(std::span<float> root) {
  if (auto fits = check_length(fisher_name, "root", root.size(), root_.size()); !fits) return fits;
  if (auto done = update_root(); !done) return done;
  std::ranges::copy(root_, root.begin());
  return {};
}

Result<void> Fisher::natural_step(float rate, std::span<const float> g, std::span<float> step) {
  if (auto done = update_root(); !done) return done;
  return parts_.apply.step(rate, root_, g, step);
}

Result<void> Fisher::exact_step(float rate, std::span<const float> g, std::span<float> step) {
  if (auto done = update_inverse(); !done) return done;
  return parts_.apply.step(rate, inverse_, g, step);
}

}  // namespace vyre::primitives
