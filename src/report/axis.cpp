#include "report/axis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vyre::report {
namespace {

// The least range that is drawn: below it, differences are not worth a whole plot.
constexpr double least_range = 0.02;

// Multiples of a round step, for ranges within which a logarithm is nearly straight.
std::vector<double> even_ticks(double low, double high, std::size_t most) {
  const double rough = (high - low) / static_cast<double>(most);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step); k * step <= high; ++k) ticks.push_back(k * step);
  return ticks;
}

// 1, 2 and 5 of every decade, or the decades, or every so many of them.
std::vector<double> decade_ticks(double low, double high, std::size_t most) {
  constexpr std::array within = {0.0, 0.301029995663981, 0.698970004336019};
  const double decades = high - low;
  const bool fine = decades * 3 <= static_cast<double>(most);
  const double stride = std::max(1.0, std::ceil(decades / static_cast<double>(most)));
  std::vector<double> ticks;
  for (double k = std::floor(low / stride) * stride; k <= high; k += stride) {
    for (const double part : within) {
      const bool wanted = part == 0 || fine;
      if (wanted && k + part >= low && k + part <= high) ticks.push_back(std::pow(10.0, k + part));
    }
  }
  return ticks;
}

}  // namespace

LogAxis::LogAxis(std::span<const double> values, double from, double to) : from_(from), to_(to) {
  const auto [least, greatest] = std::ranges::minmax(values);
  low_ = std::log10(least);
  high_ = std::log10(greatest);
  const double missing = std::max(0.0, least_range - (high_ - low_));
  const double room = missing / 2 + 0.04 * (high_ - low_);
  low_ -= room;
  high_ += room;
}

double LogAxis::at(double value) const {
  const double part = (std::log10(value) - low_) / (high_ - low_);
  return from_ + (to_ - from_) * std::clamp(part, 0.0, 1.0);
}

double LogAxis::value_at(double part) const { return std::pow(10.0, low_ + part * (high_ - low_)); }

std::vector<double> LogAxis::ticks(std::size_t most) const {
  constexpr double nearly_straight = 0.7;  // a factor of five
  if (high_ - low_ > nearly_straight) {
    auto ticks = decade_ticks(low_, high_, most);
    if (ticks.size() > 1) return ticks;
  }
  return even_ticks(value_at(0), value_at(1), most);
}

}  // namespace vyre::report
