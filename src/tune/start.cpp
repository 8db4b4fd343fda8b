#include "tune/start.h"

#include <optional>

#include "schedule/examples.h"
#include "schedule/fission.h"
#include "schedule/promising.h"

namespace vyre::tune {
namespace {

// A decision says something to others if it gained, surely, and says what its program was like.
std::optional<schedule::Example> example_of(const store::Decision& decision) {
  if (!decision.evidence || !decision.evidence->baseline) return {};
  const store::Evidence& evidence = *decision.evidence;
  if (evidence.baseline->speedup.interval.low <= 1) return {};
  const auto features = schedule::parse_features(evidence.features);
  if (!features) return {};
  schedule::Example example{.program = evidence.program_name,
                            .gain = evidence.baseline->speedup.value,
                            .features = *features,
                            .configuration = {}};
  for (const store::Setting& setting : evidence.configuration) {
    example.configuration.push_back({setting.name, setting.value});
  }
  return example;
}

// Requires: a family with features.
std::vector<schedule::Example> examples_for(const Family& family, const store::Store* store) {
  const auto learned = schedule::learned_examples();
  std::vector<schedule::Example> examples(learned.begin(), learned.end());
  if (store != nullptr) {
    for (const auto& decision : store->decisions()) {
      const bool own =
          decision->evidence && decision->evidence->dispatch.program == family.dispatch.program;
      if (own) continue;
      if (auto example = example_of(*decision)) examples.push_back(*std::move(example));
    }
  }
  const auto split = schedule::split_examples(*family.features, family.parts, examples);
  examples.insert(examples.begin(), split.begin(), split.end());
  return examples;
}

}  // namespace

std::vector<space::Index> promising_members(const Family& family, const store::Store* store) {
  if (!family.features) return {};
  constexpr std::size_t most = 5;  // and what would be good for parts
  return schedule::promising(family.space, family.baseline, *family.features,
                             examples_for(family, store), most + family.parts.size());
}

double expected_gain(const Family& family, const store::Store* store) {
  if (!family.features) return 1;
  return schedule::expected_gain(*family.features, examples_for(family, store));
}

}  // namespace vyre::tune
