#include "space/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "space/beginnings.h"
#include "space/plan.h"

namespace vyre::space {
namespace {

constexpr std::uint64_t most_beginnings = std::uint64_t{1} << 20;
constexpr double per_digit = 16;  // steps that drawing one costs

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
      : plan_(plan),
        group_(group),
        beginnings_(plan, group, definition.parameters, most_beginnings,
                    plan.tally.work.limit() / 2),
        columns_(definition.parameters.size(), std::vector<Digit>(max_lanes, 0)),
        held_(plan.checks.size(), 0) {}

  [[nodiscard]] bool is_empty() const { return beginnings_.size() == 0; }

  // Writes the digits of the group's parameters; false if the work is exhausted before.
  bool draw(Random& random, std::span<Digit> out) {
    while (next_ == kept_.size()) {
      if (plan_.tally.work.exhausted()) return false;
      fill(random);
    }
    const std::size_t lane = kept_[next_++];
    for (const Step& step : group_.steps) out[step.parameter] = columns_[step.parameter][lane];
    return true;
  }

  // The combinations that draws are taken from, times the share of them that is valid.
  [[nodiscard]] double size() const {
    auto combinations = static_cast<double>(beginnings_.size());
    if (bound() == group_.steps.size()) return combinations;
    for (std::size_t step = bound(); step < group_.steps.size(); ++step) {
      combinations *= static_cast<double>(plan_.domains[group_.steps[step].parameter].size());
    }
    return combinations * static_cast<double>(found_) / static_cast<double>(tries_);
  }

  // Why nothing was drawn.
  [[nodiscard]] std::string hopeless() const {
    std::optional<std::size_t> rarest;
    for (std::size_t step = bound(); step < group_.steps.size(); ++step) {
      for (const std::size_t check : group_.steps[step].checks) {
        if (!rarest || held_[check] < held_[*rarest]) rarest = check;
      }
    }
    return fmt::format(
        "there are too many combinations to try all, and none of {} drawn at random is valid: "
        "\"{}\" holds for {} of them; write it as constraints over fewer parameters each, or give "
        "the parameters fewer values",
        tries_, rarest ? plan_.checks[*rarest].text() : "", rarest ? held_[*rarest] : 0);
  }

 private:
  [[nodiscard]] std::size_t bound() const { return beginnings_.bound(); }

  void fill(Random& random) {
    const auto column = [&](std::size_t step) {
      return columns_[group_.steps[step].parameter].data();
    };
    for (std::size_t lane = 0; lane < max_lanes; ++lane) {
      const std::size_t row = bound() > 0 ? random.below(beginnings_.size()) : 0;
      for (std::size_t step = 0; step < bound(); ++step) {
        column(step)[lane] = beginnings_.digit(row, step);
      }
      for (std::size_t step = bound(); step < group_.steps.size(); ++step) {
        const auto& domain = plan_.domains[group_.steps[step].parameter];
        column(step)[lane] = domain[random.below(domain.size())];
      }
    }
    plan_.tally.work.spend(max_lanes, per_digit * static_cast<double>(group_.steps.size()));
    keep_valid();
  }

  void keep_valid() {
    std::vector<const Digit*> digits;
    for (const auto& column : columns_) digits.push_back(column.data());
    std::array<std::uint8_t, max_lanes> valid;
    std::array<std::uint8_t, max_lanes> holds;
    valid.fill(1);
    for (std::size_t step = bound(); step < group_.steps.size(); ++step) {
      for (const std::size_t check : group_.steps[step].checks) {
        plan_.checks[check].test(digits, max_lanes, holds.data(), plan_.tally);
        for (std::size_t lane = 0; lane < max_lanes; ++lane) valid[lane] &= holds[lane];
        held_[check] += static_cast<std::uint64_t>(std::ranges::count(holds, 1));
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
  Beginnings beginnings_;
  std::vector<std::vector<Digit>> columns_;  // by parameter
  std::vector<std::uint64_t> held_;          // tries, by check
  std::vector<std::size_t> kept_;            // lanes that are valid
  std::size_t next_ = 0;
  std::uint64_t found_ = 0;
  std::uint64_t tries_ = 0;
};

}  // namespace

Result<Sampled> sample(const Definition& definition, const SampleOptions& options) {
  auto made = make_plan(definition, options.most_work);
  if (!made) return Unexpected(made.error());
  Plan& plan = *made;
  std::vector<Source> sources;
  for (const Group& group : plan.groups) {
    sources.emplace_back(plan, group, definition);
    plan.impossible = plan.impossible || sources.back().is_empty();
  }
  const auto width = definition.parameters.size();
  if (plan.impossible) return Sampled{*Space::of(definition.parameters, {}), 0, plan.tally};

  Random random(options.seed);
  std::set<std::vector<Digit>> seen;
  std::vector<Digit> rows;
  std::vector<Digit> row(width, 0);
  const auto draw = [&](Source& source) { return source.draw(random, row); };
  // Repeats are drawn again; where almost all are repeats, nearly everything has been seen.
  for (std::uint64_t repeats = 0;
       seen.size() < options.count && repeats < 100 + 20ULL * options.count;) {
    const auto dry = std::ranges::find_if_not(sources, draw);
    if (dry != sources.end()) {
      if (seen.empty()) return fail(ErrorKind::limit, dry->hopeless());
      break;
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
  if (!space) return Unexpected(space.error());
  return Sampled{std::move(*space), size, plan.tally};
}

}  // namespace vyre::space
