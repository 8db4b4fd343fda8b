#include "space/beginnings.h"

#include <array>

namespace vyre::space {

Beginnings::Beginnings(Plan& plan, const Group& group, std::span<const Parameter> parameters,
                       std::uint64_t most, std::uint64_t reserve)
    : plan_(plan),
      group_(group),
      parameters_(parameters),
      most_(most),
      reserve_(reserve),
      rows_({}, parameters) {
  rows_.add(std::span<const Digit>());  // of nothing there is one combination
  while (bound_ < group.steps.size() && bind_next()) ++bound_;
}

bool Beginnings::bind_next() {
  std::vector<std::uint32_t> bound(rows_.columns().begin(), rows_.columns().end());
  bound.push_back(group_.steps[bound_].parameter);
  Part longer(std::move(bound), parameters_);
  std::vector<std::vector<Digit>> columns(bound_ + 1, std::vector<Digit>(max_lanes));
  std::size_t lanes = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const Digit value : plan_.domains[group_.steps[bound_].parameter]) {
      for (std::size_t step = 0; step < bound_; ++step) columns[step][lanes] = digit(row, step);
      columns[bound_][lanes] = value;
      if (++lanes < max_lanes) continue;
      if (!add(columns, lanes, longer)) return false;
      lanes = 0;
    }
  }
  if (!add(columns, lanes, longer)) return false;
  rows_ = std::move(longer);
  return true;
}

bool Beginnings::add(std::vector<std::vector<Digit>>& columns, std::size_t lanes, Part& to) {
  const std::vector<Digit> zeros(max_lanes, 0);
  std::vector<const Digit*> digits(parameters_.size(), zeros.data());
  for (std::size_t step = 0; step <= bound_; ++step) {
    digits[group_.steps[step].parameter] = columns[step].data();
  }
  plan_.tally.work.spend(lanes, 4 + static_cast<double>(bound_));
  std::array<std::uint8_t, max_lanes> holds;
  for (const std::size_t check : group_.steps[bound_].checks) {
    plan_.checks[check].test(digits, lanes, holds.data(), plan_.tally);
    std::size_t kept = 0;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (auto& column : columns) column[kept] = column[lane];
      kept += holds[lane];
    }
    lanes = kept;
  }
  if (to.size() + lanes > most_ || plan_.tally.work.left() < reserve_) return false;
  to.add(columns, lanes);
  return true;
}

}  // namespace vyre::space
