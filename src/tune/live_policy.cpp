#include "tune/live_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include "base/fixed.h"
#include "tune/policy.h"
#include "tune/shared_policy.h"

namespace vyre::tune {
namespace {

// The best most of the time; the others that may be better share the rest.
class Epsilon : public SharedPolicy {
 public:
  using SharedPolicy::SharedPolicy;

 protected:
  [[nodiscard]] std::vector<double> share(std::span<const std::size_t> among) const override {
    std::vector<double> out(arms().size());
    const double epsilon = std::min(exploration(), 1.0);
    for (const std::size_t arm : among.subspan(1)) {
      out[arm] = epsilon / static_cast<double>(among.size() - 1);
    }
    out[among[0]] = 1 - epsilon;
    return out;
  }
};

// As often as it is the best of levels drawn from what is known of each. W. R. Thompson, "On the
// likelihood that one unknown probability exceeds another", Biometrika 25, 1933.
class Thompson : public SharedPolicy {
 public:
  Thompson(std::uint64_t seed, LiveOptions options)
      : SharedPolicy(seed, std::move(options)), seed_(seed) {}

 protected:
  [[nodiscard]] std::vector<double> share(std::span<const std::size_t> among) const override {
    std::vector<double> out(arms().size());
    std::mt19937_64 random(seed_ ^ arms().told());
    for (int draw = 0; draw < draws; ++draw) out[winner(among, random)] += 1;
    return out;
  }

 private:
  static constexpr int draws = 64;

  // Box and Muller.
  static double normal(std::mt19937_64& random) {
    const double radius = std::sqrt(-2 * std::log(1 - fraction(random)));
    return radius * std::cos(6.283185307179586 * fraction(random));
  }

  std::size_t winner(std::span<const std::size_t> among, std::mt19937_64& random) const {
    std::size_t best = among[0];
    double least = INFINITY;
    for (const std::size_t arm : among) {
      const double error = exploration() * arms().standard_error(arm);
      const double level = arms().behind(arm) + error * normal(random);
      if (level >= least) continue;
      least = level;
      best = arm;
    }
    return best;
  }

  std::uint64_t seed_;
};

// All that are left share alike; after 1, 2, 4, ... samples an arm must be within half as much of
// the best. After: K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and
// hyperparameter optimization", AISTATS 2016; by distance, for arms that come one by one.
class Halving : public SharedPolicy {
 public:
  using SharedPolicy::SharedPolicy;

 protected:
  [[nodiscard]] std::vector<std::size_t> open() const override {
    std::vector<std::size_t> out;
    for (std::size_t arm = 0; arm < arms().size(); ++arm) {
      if (arm != best() && stays(arm)) out.push_back(arm);
    }
    return out;
  }
  [[nodiscard]] std::vector<double> share(std::span<const std::size_t> among) const override {
    std::vector<double> out(arms().size());
    for (const std::size_t arm : among) out[arm] = 1;
    return out;
  }

 private:
  [[nodiscard]] bool stays(std::size_t arm) const {
    const std::size_t samples = arms().samples(arm);
    if (samples == 0 || samples >= options().most_samples) return false;
    const double rung = std::floor(std::log2(static_cast<double>(samples)));
    return arms().behind(arm) < std::max(exploration() / std::exp2(rung), 0.01);
  }
};

// The step of the natural-gradient policy: p = M w, w = softmax(-t / T). Without a matrix it is
// the plain softmax.
class Natural : public SharedPolicy {
 public:
  using SharedPolicy::SharedPolicy;

 protected:
  [[nodiscard]] std::vector<double> share(std::span<const std::size_t> among) const override {
    const double temperature = exploration();
    std::vector<double> boltzmann;
    for (const std::size_t arm : among) {
      boltzmann.push_back(std::exp(-std::expm1(arms().behind(arm)) / temperature));
    }
    scale_to(boltzmann, fixed_one);
    std::vector<std::int32_t> fixed(boltzmann.begin(), boltzmann.end());
    std::vector<double> out(arms().size());
    const bool is_for_these = std::ranges::equal(among, matrix_arms_);
    const auto p = preconditioned(is_for_these ? matrix_ : identity_matrix(fixed.size()), fixed);
    for (std::size_t i = 0; i < among.size(); ++i) {
      out[among[i]] = static_cast<double>(std::max<std::int64_t>(p[i], 0));
    }
    // A matrix with no place for any of them.
    if (std::ranges::none_of(p, [](std::int64_t value) { return value > 0; })) out[among[0]] = 1;
    return out;
  }

  // Rounds are the latest samples side by side; there must be as many as arms.
  bool prepare(std::span<const std::size_t> among) override {
    matrix_arms_.clear();
    if (!options().matrix || among.size() < 2) return false;
    std::vector<std::span<const double>> latest;
    std::size_t rounds = SIZE_MAX;
    for (const std::size_t arm : among) {
      latest.push_back(arms().latest(arm));
      rounds = std::min(rounds, latest.back().size());
    }
    rounds = std::bit_floor(rounds);  // few sizes, few programs
    if (rounds < std::max<std::size_t>(among.size(), 4)) return false;
    std::vector<std::uint64_t> times;
    for (std::size_t round = rounds; round > 0; --round) {
      for (const auto& samples : latest) {
        times.push_back(static_cast<std::uint64_t>(std::exp(samples[samples.size() - round])));
      }
    }
    auto matrix = options().matrix(times, among.size());
    if (!matrix || matrix->size() != among.size() * among.size()) return false;
    matrix_ = *std::move(matrix);
    matrix_arms_.assign(among.begin(), among.end());
    return true;
  }

 private:
  std::vector<std::int32_t> matrix_;
  std::vector<std::size_t> matrix_arms_;  // whose it is; none: there is no matrix
};

using MadePolicy = std::unique_ptr<LivePolicy>;

template <class Policy>
MadePolicy make_policy(std::uint64_t seed, LiveOptions options) {
  return std::make_unique<Policy>(seed, std::move(options));
}

MadePolicy make_identity(std::uint64_t seed, LiveOptions options) {
  options.matrix = {};
  return std::make_unique<Natural>(seed, std::move(options));
}

constexpr std::array<std::string_view, 5> names = {"natural", "identity", "epsilon", "thompson",
                                                   "halving"};

// How each is made, and its own settings.
struct LiveRow {
  MadePolicy (*make)(std::uint64_t seed, LiveOptions options);
  double exploration;
  double confidence;
  std::size_t most_samples;
};
constexpr std::array<LiveRow, names.size()> rows = {{
    {&make_policy<Natural>, 0.03, 2, 16},
    {&make_identity, 0.1, 3, 8},
    {&make_policy<Epsilon>, 0.25, 1.5, 16},
    {&make_policy<Thompson>, 2, 2, 8},
    {&make_policy<Halving>, 0.1, 2, 16},
}};

LiveOptions with_own(LiveOptions options, const LiveRow& row) {
  if (options.exploration <= 0) options.exploration = row.exploration;
  if (options.confidence <= 0) options.confidence = row.confidence;
  if (options.most_samples == 0) options.most_samples = row.most_samples;
  return options;
}

}  // namespace

std::span<const std::string_view> live_policy_names() { return names; }

Result<std::unique_ptr<LivePolicy>> make_live_policy(std::string_view name, std::uint64_t seed,
                                                     LiveOptions options) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return rows[i].make(seed, with_own(std::move(options), rows[i]));
  }
  return fail(ErrorKind::input, fmt::format("there is no live policy '{}'; there are {}", name,
                                            fmt::join(names, ", ")));
}

}  // namespace vyre::tune
