#include "rivals.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>

#include "tune/live_matrix.h"

namespace vyre::bench {
namespace {

struct Setting {
  std::vector<double> values;
  std::function<void(Rival&, double)> set;
};

std::vector<double> explorations_of(const std::string& policy) {
  static const std::map<std::string_view, std::vector<double>> all = {
      {"epsilon", {0.01, 0.02, 0.05, 0.1, 0.25, 0.5}},
      {"thompson", {0.25, 0.5, 1, 2}},
      {"halving", {0.02, 0.05, 0.1, 0.2}},
      {"identity", {0.003, 0.01, 0.03, 0.1}},
      {"natural", {0.003, 0.01, 0.03, 0.1}}};
  return all.at(policy);
}

std::vector<Setting> settings_of(const Rival& of) {
  std::vector<Setting> all = {
      {explorations_of(of.policy), [](Rival& rival, double v) { rival.options.exploration = v; }}};
  if (of.policy == "natural") {
    all.push_back({{1e-3, 1e-2, 1e-1}, [](Rival& rival, double v) { rival.damping = v; }});
  }
  if (of.alone) return all;
  const std::vector<Setting> shared = {
      {{1, 1.5, 2, 3}, [](Rival& rival, double v) { rival.options.confidence = v; }},
      {{8, 16},
       [](Rival& rival, double v) { rival.options.most_samples = static_cast<std::size_t>(v); }},
      {{128, 512},
       [](Rival& rival, double v) { rival.options.chance_gap = static_cast<std::size_t>(v); }}};
  all.insert(all.end(), shared.begin(), shared.end());
  return all;
}

class Means {
 public:
  explicit Means(std::size_t count) : logs_(count) {}
  void add(std::span<const double> ratios) {
    for (std::size_t i = 0; i < ratios.size(); ++i) logs_[i] += std::log(ratios[i]);
    ++added_;
  }
  [[nodiscard]] Score score() const {
    Score score;
    double sum = 0;
    for (const double log : logs_) {
      score.each.push_back(std::exp(log / added_));
      sum += log / added_;
    }
    score.mean = std::exp(sum / static_cast<double>(logs_.size()));
    return score;
  }

 private:
  std::vector<double> logs_;
  double added_ = 0;
};

}  // namespace

Rival alone(Rival rival) {
  rival.alone = true;
  rival.options.confidence = 1e9;
  rival.options.most_samples = SIZE_MAX;
  rival.options.chance_gap = SIZE_MAX / 16;
  return rival;
}

std::string to_string(const Rival& rival) {
  std::string text = fmt::format("exploration {}", rival.options.exploration);
  if (!rival.alone) {
    text += fmt::format(", confidence {}, {} samples, gap {}", rival.options.confidence,
                        rival.options.most_samples, rival.options.chance_gap);
  }
  if (rival.policy == "natural") text += fmt::format(", damping {}", rival.damping);
  return text;
}

Result<Score> Arena::score(const Rival& rival, std::span<const Scenario> scenarios) const {
  Means means(dispatches_.size());
  tune::LiveOptions options = rival.options;
  if (rival.policy == "natural") {
    options.matrix = tune::live_matrix(device_, static_cast<float>(rival.damping));
  }
  for (const Scenario& scenario : scenarios) {
    VYRE_TRY(const auto policy, tune::make_live_policy(rival.policy, scenario.seed, options));
    means.add(replay(scenario, *policy, dispatches_));
  }
  return means.score();
}

Score Arena::score_oracle(std::span<const Scenario> scenarios) const {
  Means means(dispatches_.size());
  for (const Scenario& scenario : scenarios) means.add(replay_oracle(scenario, dispatches_));
  return means.score();
}

Result<Rival> Arena::choose(Rival rival, std::span<const Scenario> scenarios) const {
  Rival best = std::move(rival);
  VYRE_TRY(Score best_score, score(best, scenarios));
  for (int turn = 0; turn < (best.alone ? 1 : 2); ++turn) {
    for (const Setting& setting : settings_of(best)) {
      for (const double value : setting.values) {
        Rival next = best;
        setting.set(next, value);
        VYRE_TRY(const Score here, score(next, scenarios));
        if (here.mean <= best_score.mean) continue;
        best = next;
        best_score = here;
      }
    }
  }
  return best;
}

}  // namespace vyre::bench
