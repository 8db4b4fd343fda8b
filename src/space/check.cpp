#include "space/check.h"

#include <algorithm>
#include <array>

namespace vyre::space {
namespace {

// Columns of digits for a block of lanes; parameters that are not in it are all zero.
class Block {
 public:
  explicit Block(std::size_t parameters)
      : zeros_(max_lanes, 0), pointers_(parameters, zeros_.data()) {}
  Digit* column(std::uint32_t parameter) {
    auto& made = columns_.emplace_back(max_lanes);
    pointers_[parameter] = made.data();
    return made.data();
  }
  [[nodiscard]] std::span<const Digit* const> digits() const { return pointers_; }

 private:
  std::vector<Digit> zeros_;
  std::vector<std::vector<Digit>> columns_;
  std::vector<const Digit*> pointers_;
};

}  // namespace

Check::Check(std::vector<std::uint32_t> columns, std::vector<Rule> rules,
             std::span<const Parameter> parameters)
    : columns_(std::move(columns)), rules_(std::move(rules)), parameters_(parameters) {
  // Cheap ones first.
  std::ranges::stable_sort(rules_, {}, &Rule::cost);
  for (const Rule& rule : rules_) cost_ += rule.cost();
}

void Check::prepare(std::span<const std::vector<Digit>> domains, Tally& tally) {
  double combinations = 1;
  for (const std::uint32_t column : columns_) {
    combinations *= static_cast<double>(parameters_[column].values.size());
  }
  combinations <= max_table ? fill_table(domains, tally) : estimate(domains, tally);
}

// Goes through the combinations of the domains like an odometer, the last column fastest.
void Check::fill_table(std::span<const std::vector<Digit>> domains, Tally& tally) {
  std::uint32_t size = 1;
  double total = 1;
  strides_.resize(columns_.size());
  for (std::size_t c = columns_.size(); c-- > 0;) {
    strides_[c] = size;
    size *= static_cast<std::uint32_t>(parameters_[columns_[c]].values.size());
    total *= static_cast<double>(domains[columns_[c]].size());
  }
  table_.assign(size, 0);
  Block block(parameters_.size());
  std::vector<Digit*> to;
  for (const std::uint32_t column : columns_) to.push_back(block.column(column));
  std::vector<std::size_t> wheel(columns_.size(), 0);
  std::array<std::uint8_t, max_lanes> holds;
  std::array<std::uint32_t, max_lanes> places;
  double held = 0;
  for (double done = 0; done < total && !tally.work.exhausted();) {
    const auto lanes = static_cast<std::size_t>(std::min<double>(max_lanes, total - done));
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      places[lane] = 0;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        to[c][lane] = domains[columns_[c]][wheel[c]];
        places[lane] += to[c][lane] * strides_[c];
      }
      for (std::size_t c = columns_.size(); c-- > 0;) {
        if (++wheel[c] < domains[columns_[c]].size()) break;
        wheel[c] = 0;
      }
    }
    run(block.digits(), lanes, holds.data(), tally);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      table_[places[lane]] = holds[lane];
      held += holds[lane];
    }
    done += static_cast<double>(lanes);
  }
  share_ = total > 0 ? held / total : 0;
  cost_ = static_cast<double>(columns_.size());
}

// A fixed sequence, so that the order of enumeration depends on the definition alone.
void Check::estimate(std::span<const std::vector<Digit>> domains, Tally& tally) {
  Block block(parameters_.size());
  std::uint64_t state = 0x9e3779b97f4a7c15U;
  for (const std::uint32_t column : columns_) {
    Digit* const to = block.column(column);
    for (std::size_t lane = 0; lane < max_lanes; ++lane) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      to[lane] = domains[column][(state >> 33) % domains[column].size()];
    }
  }
  std::array<std::uint8_t, max_lanes> holds;
  Tally mine{.work = tally.work};  // what has no value here is not counted
  run(block.digits(), max_lanes, holds.data(), mine);
  tally.work = mine.work;
  const auto held = std::ranges::count(holds, 1);
  share_ = (static_cast<double>(held) + 0.5) / (static_cast<double>(max_lanes) + 1);
}

std::string Check::text() const {
  constexpr std::size_t longest = 200;
  std::string made;
  for (const Rule& rule : rules_) made += (made.empty() ? "" : " and ") + rule.text();
  if (made.size() > longest) made = made.substr(0, longest) + "...";
  return made;
}

void Check::run(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
                Tally& tally) {
  std::fill_n(holds, lanes, std::uint8_t{1});
  for (Rule& rule : rules_) {
    const std::size_t faulty = rule.test(digits, lanes, holds, tally.work);
    tally.undefined += faulty;
    if (faulty == 0 || tally.reason) continue;
    std::vector<Digit> row(parameters_.size());
    for (std::size_t lane = 0; lane < lanes && !tally.reason; ++lane) {
      for (std::size_t p = 0; p < row.size(); ++p) row[p] = digits[p][lane];
      tally.reason = rule.reason(row);
    }
  }
}

void Check::look_up(std::span<const Digit* const> digits, std::size_t lanes,
                    std::uint8_t* holds) const {
  std::array<std::uint32_t, max_lanes> places;
  std::fill_n(places.begin(), lanes, 0U);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Digit* const from = digits[columns_[c]];
    const std::uint32_t stride = strides_[c];
    for (std::size_t lane = 0; lane < lanes; ++lane) places[lane] += from[lane] * stride;
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) holds[lane] = table_[places[lane]];
}

void Check::test(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
                 Tally& tally) {
  if (table_.empty()) return run(digits, lanes, holds, tally);
  tally.work.spend(lanes, cost_);
  look_up(digits, lanes, holds);
}

}  // namespace vyre::space
