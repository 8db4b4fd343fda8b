#include "space/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "space/part.h"
#include "space/pipeline.h"
#include "space/plan.h"

namespace vyre::space {
namespace {

constexpr std::uint64_t most_beginnings = std::uint64_t{1} << 20;

// SplitMix64 (Steele, Lea, Flood, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // 0 .. n - 1, all equally likely.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t unfair = -n % n;
    while (true) {
      const std::uint64_t bits = next();
      if (bits >= unfair) return bits % n;
    }
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

// One group: its beginnings, and draws that are made of them a block at a time.
class Source {
 public:
  Source(Plan& plan, const Group& group, const Definition& definition)
      : plan_(plan), group_(group), beginnings_({}, definition.parameters) {
    for (std::size_t length = 1; length <= group.steps.size(); ++length) {
      Group start{{group.steps.begin(), group.steps.begin() + static_cast<std::ptrdiff_t>(length)}};
      std::vector<std::uint32_t> columns;
      for (const Step& step : start.steps) columns.push_back(step.parameter);
      Part part(std::move(columns), definition.parameters);
      if (!Pipeline(plan, start, definition.parameters.size(), part, most_beginnings).run()) break;
      bound_ = length;
      beginnings_ = std::move(part);
    }
    columns_.assign(definition.parameters.size(), std::vector<Digit>(max_lanes, 0));
  }

  [[nodiscard]] bool is_empty() const { return bound_ > 0 && beginnings_.size() == 0; }
  [[nodiscard]] bool is_enumerated() const { return bound_ == group_.steps.size(); }

  // Writes the digits of the group's parameters; false if there were too many tries.
  bool draw(Random& random, std::uint64_t most_tries, std::span<Digit> out) {
    while (next_ == kept_.size()) {
      if (tries_ >= most_tries) return false;
      fill(random);
    }
    const std::size_t lane = kept_[next_++];
    for (const Step& step : group_.steps) out[step.parameter] = columns_[step.parameter][lane];
    return true;
  }

  // The combinations that draws are taken from, times the share of them that is valid.
  [[nodiscard]] double size() const {
    double combinations = bound_ > 0 ? static_cast<double>(beginnings_.size()) : 1;
    if (is_enumerated()) return combinations;
    for (std::size_t step = bound_; step < group_.steps.size(); ++step) {
      combinations *= static_cast<double>(plan_.domains[group_.steps[step].parameter].size());
    }
    return combinations * static_cast<double>(found_) / static_cast<double>(tries_);
  }

 private:
  void fill(Random& random) {
    const auto column = [&](std::size_t step) {
      return columns_[group_.steps[step].parameter].data();
    };
    for (std::size_t lane = 0; lane < max_lanes; ++lane) {
      const std::size_t row = bound_ > 0 ? random.below(beginnings_.size()) : 0;
      for (std::size_t step = 0; step < bound_; ++step) {
        column(step)[lane] = beginnings_.digit(row, step);
      }
      for (std::size_t step = bound_; step < group_.steps.size(); ++step) {
        const auto& domain = plan_.domains[group_.steps[step].parameter];
        column(step)[lane] = domain[random.below(domain.size())];
      }
    }
    keep_valid();
  }

  void keep_valid() {
    std::vector<const Digit*> digits;
    for (const auto& column : columns_) digits.push_back(column.data());
    std::array<std::uint8_t, max_lanes> valid;
    std::array<std::uint8_t, max_lanes> holds;
    valid.fill(1);
    for (std::size_t step = bound_; step < group_.steps.size(); ++step) {
      for (const std::size_t check : group_.steps[step].checks) {
        plan_.checks[check].test(digits, max_lanes, holds.data(), plan_.undefined);
        for (std::size_t lane = 0; lane < max_lanes; ++lane) valid[lane] &= holds[lane];
      }
    }
    kept_.clear();
    next_ = 0;
    for (std::size_t lane = 0; lane < max_lanes; ++lane) {
      if (valid[lane] != 0) kept_.push_back(lane);
    }
    found_ += kept_.size();
    tries_ += max_lanes;
  }

  Plan& plan_;
  const Group& group_;
  Part beginnings_;                          // of the first steps
  std::size_t bound_ = 0;                    // how many
  std::vector<std::vector<Digit>> columns_;  // by parameter
  std::vector<std::size_t> kept_;            // lanes that are valid
  std::size_t next_ = 0;
  std::uint64_t found_ = 0;
  std::uint64_t tries_ = 0;
};

}  // namespace

Result<Sampled> sample(const Definition& definition, const SampleOptions& options) {
  Plan plan = make_plan(definition);
  std::vector<Source> sources;
  for (const Group& group : plan.groups) {
    sources.emplace_back(plan, group, definition);
    plan.impossible = plan.impossible || sources.back().is_empty();
  }
  const auto width = definition.parameters.size();
  if (plan.impossible) return Sampled{*Space::of(definition.parameters, {}), 0, plan.undefined};

  Random random(options.seed);
  std::set<std::vector<Digit>> seen;
  std::vector<Digit> rows;
  std::vector<Digit> row(width, 0);
  // Repeats are drawn again; where almost all are repeats, nearly everything has been seen.
  for (std::uint64_t repeats = 0;
       seen.size() < options.count && repeats < 100 + 20ULL * options.count;) {
    for (Source& source : sources) {
      if (source.draw(random, options.most_tries, row)) continue;
      return fail(
          ErrorKind::input,
          fmt::format("no {} valid configurations in {} random tries: the constraints leave "
                      "too few",
                      options.count, options.most_tries));
    }
    if (seen.insert(row).second) {
      rows.insert(rows.end(), row.begin(), row.end());
    } else {
      ++repeats;
    }
  }
  double size = 1;
  for (const Source& source : sources) size *= source.size();
  auto space = Space::of(definition.parameters, rows);
  if (!space) return std::unexpected(space.error());
  return Sampled{std::move(*space), size, plan.undefined};
}

}  // namespace vyre::space
