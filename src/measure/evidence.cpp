#include "measure/evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace vyre::measure {
namespace {

// Steps of half a percent where ties are told from differences, wider ones beyond.
constexpr double fine_step = 0.005;
constexpr double coarse_step = 0.03;
constexpr int fine_steps = 20;    // to 10 % on each side
constexpr int coarse_steps = 20;  // to 70 %: who is slower by more is slower
constexpr double farthest = fine_step * fine_steps + coarse_step * coarse_steps;
constexpr std::size_t deltas = 2 * (fine_steps + coarse_steps) + 1;
constexpr std::size_t sigmas = 14;

struct Grid {
  std::array<double, deltas> delta{};
  std::array<double, deltas> width{};  // of the cell around it
  std::array<double, sigmas> sigma{};
  std::array<double, sigmas> log_sigma{};
};

double delta_of(int step) {
  const int from_zero = std::abs(step);
  const double fine = std::min(from_zero, fine_steps) * fine_step;
  const double coarse = std::max(0, from_zero - fine_steps) * coarse_step;
  return step < 0 ? -(fine + coarse) : fine + coarse;
}

const Grid& grid() {
  static const Grid made = [] {
    Grid g;
    constexpr int half = fine_steps + coarse_steps;
    for (int step = -half; step <= half; ++step) {
      const int place = step + half;
      const auto i = static_cast<std::size_t>(place);
      g.delta[i] = delta_of(step);
      g.width[i] = (delta_of(std::min(step + 1, half)) - delta_of(std::max(step - 1, -half))) / 2;
    }
    // From 0.3 % to 60 %.
    for (std::size_t i = 0; i < sigmas; ++i) {
      g.sigma[i] = 0.003 * std::pow(200.0, static_cast<double>(i) / (sigmas - 1));
      g.log_sigma[i] = std::log(g.sigma[i]);
    }
    return g;
  }();
  return made;
}

}  // namespace

Evidence::Evidence() : log_weight_(deltas * sigmas) {
  const Grid& g = grid();
  for (std::size_t i = 0; i < deltas; ++i) {
    const double prior = std::log(g.width[i]) - std::log1p(std::pow(g.delta[i] / 0.1, 2));
    for (std::size_t j = 0; j < sigmas; ++j) log_weight_[i * sigmas + j] = prior;
  }
}

void Evidence::add(double first, double second) {
  check(first > 0 && second > 0, "times are above 0");
  const Grid& g = grid();
  logs_.push_back(std::log(first / second));
  const double d = std::clamp(logs_.back(), -farthest, farthest);
  for (std::size_t i = 0; i < deltas; ++i) {
    for (std::size_t j = 0; j < sigmas; ++j) {
      const double z = (d - g.delta[i]) / g.sigma[j];
      log_weight_[i * sigmas + j] -= 2 * std::log1p(z * z / 3) + g.log_sigma[j];
    }
  }
}

std::vector<double> Evidence::probabilities() const {
  const double largest = *std::ranges::max_element(log_weight_);
  std::vector<double> sums(deltas, 0.0);
  for (std::size_t i = 0; i < deltas; ++i) {
    for (std::size_t j = 0; j < sigmas; ++j) {
      sums[i] += std::exp(log_weight_[i * sigmas + j] - largest);
    }
  }
  const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
  for (double& sum : sums) sum /= total;
  return sums;
}

// A cell counts by the part of it that lies above the margin.
double Evidence::first_is_slower_by(double margin) const {
  const Grid& g = grid();
  const double bound = std::log1p(margin);
  const auto p = probabilities();
  double sum = 0;
  for (std::size_t i = 0; i < deltas; ++i) {
    const double above = (g.delta[i] + g.width[i] / 2 - bound) / g.width[i];
    sum += p[i] * std::clamp(above, 0.0, 1.0);
  }
  return sum;
}

double Evidence::within(double margin) const {
  return first_is_slower_by(1 / (1 + margin) - 1) - first_is_slower_by(margin);
}

double Evidence::delta_at(double probability) const {
  const Grid& g = grid();
  const auto p = probabilities();
  double sum = 0;
  for (std::size_t i = 0; i < deltas; ++i) {
    if (sum + p[i] >= probability) {
      const double part = p[i] > 0 ? (probability - sum) / p[i] : 0.5;
      return g.delta[i] + (part - 0.5) * g.width[i];
    }
    sum += p[i];
  }
  return farthest;
}

// The grid ends where the order is clear; how far beyond is said by the times alone.
bool Evidence::is_beyond_the_grid() const {
  return !logs_.empty() && std::abs(median(logs_)) > farthest - coarse_step;
}

double Evidence::ratio() const {
  return std::exp(is_beyond_the_grid() ? median(logs_) : delta_at(0.5));
}

Interval Evidence::ratio_interval(double confidence) const {
  if (is_beyond_the_grid()) {
    const Interval logs = bootstrap(logs_, 0.5, {.confidence = confidence});
    return {std::exp(logs.low), std::exp(logs.high)};
  }
  const double tail = (1 - confidence) / 2;
  return {std::exp(delta_at(tail)), std::exp(delta_at(1 - tail))};
}

}  // namespace vyre::measure
