#include "search/success.h"

#include <algorithm>
#include <cmath>

namespace vyre::search {
namespace {

constexpr std::size_t most_entries = 400;
constexpr float success_prior_weight = 0.3F;
constexpr float caution = 2;

}  // namespace

std::span<const History::Entry> Success::recent(const History& history) {
  return history.entries().last(std::min(history.size(), most_entries));
}

void Success::rebuild(const History& history, const Features& features,
                      const Surrogate& surrogate) {
  all_.clear();
  good_.clear();
  if (!history.any_failed()) return;
  all_.assign(surrogate.blocks(), Lanes{});
  good_.assign(surrogate.blocks(), Lanes{});
  for (const History::Entry& entry : recent(history)) add(entry, features, surrogate);
}

void Success::add(const History::Entry& entry, const Features& features,
                  const Surrogate& surrogate) {
  const std::vector<float> x = features.row(entry.index);
  const float good = entry.good ? 1.0F : 0.0F;
  for (std::size_t block = 0; block < all_.size(); ++block) {
    Lanes k;
    surrogate.covariance().against(x, surrogate.features_of(block), k);
    for (std::size_t c = 0; c < lanes; ++c) {
      all_[block][c] += k[c];
      good_[block][c] += good * k[c];
    }
  }
}

void Success::replace(std::size_t slot, Index candidate, const History& history,
                      const Features& features, const Surrogate& surrogate) {
  if (all_.empty()) return;
  float& all = all_[slot / lanes][slot % lanes] = 0;
  float& good = good_[slot / lanes][slot % lanes] = 0;
  const std::vector<float> x = features.row(candidate);
  for (const History::Entry& entry : recent(history)) {
    const float k = surrogate.covariance().between(x, features.row(entry.index));
    all += k;
    good += entry.good ? k : 0;
  }
}

float Success::log_weight(std::size_t slot, const History& history) const {
  if (all_.empty()) return 0;
  const float share =
      static_cast<float>(history.good() + 1) / static_cast<float>(history.size() + 1);
  const float good = good_[slot / lanes][slot % lanes];
  const float all = all_[slot / lanes][slot % lanes];
  return caution * std::log((success_prior_weight * share + good) / (success_prior_weight + all));
}

}  // namespace vyre::search
