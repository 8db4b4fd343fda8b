// Strategies: which configuration to try next. They know a space and what they are told, nothing of
// devices, so that they run on recorded data as they do on a machine.
//
// A strategy never names a configuration twice. It may be asked for several while others are still
// being measured, and answers may come in any order. With one seed and one order of answers it asks
// for the same configurations.
//
// The default, `natural`, is Bayesian optimisation: a Gaussian process over log-latency with
// expected improvement. Its mean k(x)' (K + v I)^-1 y is the Fisher-preconditioned step of a
// log-linear policy p(x) ~ exp(-f(x)) (Kakade, "A natural policy gradient", 2001), which is where
// the name comes from. docs/search.md explains it and has what was measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/verdict.h"
#include "vyre/space/space.h"

namespace vyre::search {

using space::Index;

// What came of a configuration. Times and costs may have any unit, the same in all answers. A time
// that is not positive and finite counts as a failure.
struct Observation {
  Verdict verdict = Verdict::correct;
  double time = 0;   // only if correct
  double noise = 0;  // the relative standard error of the time, 0 if not known
  double cost = 0;   // what it took to try, failed or not; 0 if not known
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  // Up to `count` configurations; fewer only when the space has no more.
  [[nodiscard]] virtual std::vector<Index> ask(std::size_t count) = 0;
  // Also for configurations that were not asked for, such as those known from before; they are not
  // asked for later. Of two answers for one configuration the last counts. Requires an index of the
  // space.
  virtual void tell(Index index, const Observation& outcome) = 0;
  // Every configuration was asked for or told.
  [[nodiscard]] virtual bool done() const = 0;
};

// `text` is a name, for some with settings: "natural", "random", "natural:start=10,fisher=off".
[[nodiscard]] Result<std::unique_ptr<Strategy>> make_strategy(std::string_view text,
                                                              space::Space space,
                                                              std::uint64_t seed);

struct StrategyInfo {
  std::string name;
  std::string summary;
};
[[nodiscard]] std::vector<StrategyInfo> strategies();

}  // namespace vyre::search
