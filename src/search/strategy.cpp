// The table of strategies, and the two that learn nothing.
#include "vyre/search/strategy.h"

#include <fmt/format.h>

#include <utility>

#include "search/asked.h"
#include "search/natural.h"
#include "search/random.h"
#include "search/settings.h"

namespace vyre::search {
namespace {

// Asks for free configurations in the order of their indices, or at random.
class Unguided : public Strategy {
 public:
  Unguided(Index size, bool at_random, std::uint64_t seed)
      : asked_(size), at_random_(at_random), random_(seed) {}

  std::vector<Index> ask(std::size_t count) override {
    std::vector<Index> out;
    while (out.size() < count && !asked_.all()) {
      out.push_back(at_random_ ? *asked_.draw(random_) : first_free());
      asked_.add(out.back());
    }
    return out;
  }
  void tell(Index index, const Observation& /*outcome*/) override { asked_.add(index); }
  [[nodiscard]] bool done() const override { return asked_.all(); }

 private:
  Index first_free() {
    while (asked_.contains(at_)) ++at_;
    return at_;
  }

  Asked asked_;
  bool at_random_;
  Random random_;
  Index at_ = 0;
};

using Made = Result<std::unique_ptr<Strategy>>;

// One row for each strategy. `make` gets what the user wrote behind the colon.
struct Row {
  StrategyInfo info;
  Made (*make)(std::string_view settings, const space::Space& space, std::uint64_t seed);
};

template <bool at_random>
Made make_unguided(std::string_view settings, const space::Space& space, std::uint64_t seed) {
  if (settings.empty()) return std::make_unique<Unguided>(space.size(), at_random, seed);
  return fail(ErrorKind::input, "this strategy has no settings");
}

Made make_natural(std::string_view text, const Settings& defaults, const space::Space& space,
                  std::uint64_t seed) {
  const auto settings = parse_settings(text, defaults);
  if (!settings) return Unexpected(settings.error());
  return std::make_unique<Natural>(space, *settings, seed);
}

const std::vector<Row>& strategy_rows() {
  static const std::vector<Row> rows = {
      {{"natural", "Gaussian process with expected improvement; the default"},
       [](std::string_view text, const space::Space& space, std::uint64_t seed) {
         return make_natural(text, {}, space, seed);
       }},
      {{"gradient", "its mean is a natural-gradient step; this takes the plain one"},
       [](std::string_view text, const space::Space& space, std::uint64_t seed) {
         return make_natural(
             text, {.fisher = false, .acquisition = Acquisition::sample, .sharpness = 1.5}, space,
             seed);
       }},
      {{"random", "uniform, without repeats"}, make_unguided<true>},
      {{"exhaustive", "all, in the order of the space"}, make_unguided<false>},
  };
  return rows;
}

}  // namespace

std::vector<StrategyInfo> strategies() {
  std::vector<StrategyInfo> infos;
  for (const Row& row : strategy_rows()) infos.push_back(row.info);
  return infos;
}

Result<std::unique_ptr<Strategy>> make_strategy(std::string_view text, space::Space space,
                                                std::uint64_t seed) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view more = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  std::string names;
  for (const Row& row : strategy_rows()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.info.name);
    if (row.info.name == name) return row.make(more, space, seed);
  }
  return fail(ErrorKind::input,
              fmt::format("there is no strategy '{}'; there are {}", name, names));
}

}  // namespace vyre::search
