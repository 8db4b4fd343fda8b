#include "raw_launch.h"

#include <fmt/format.h>

#include <vector>

namespace vyre::bench {
Result<Row> against_raw(std::string name, const std::function<bool()>& launch, RawQueue& raw) {
  constexpr int launches = 20;
  bool good = true;
  const auto our_round = [&] {
    for (int i = 0; i < launches; ++i) good = launch() && good;
  };
  const auto raw_round = [&] {
    for (int i = 0; i < launches; ++i) {
      raw.enqueue();
      raw.finish();
    }
  };
  our_round();
  raw_round();
  // Drift between the two halves of a round cancels by changing who goes first.
  std::vector<double> ratios;
  std::vector<double> raw_times;
  for (int round = 0; round < 1001; ++round) {
    double ours = 0;
    double theirs = 0;
    if (round % 2 == 0) ours = wall_ns(our_round);
    theirs = wall_ns(raw_round);
    if (round % 2 == 1) ours = wall_ns(our_round);
    ratios.push_back(ours / theirs);
    raw_times.push_back(theirs / launches);
  }
  if (!good) return fail(ErrorKind::device, "a launch failed");
  return Row{.name = std::move(name),
             .value = median(ratios),
             .target = 1.05,
             .better = Better::lower,
             .baseline = "clEnqueueNDRangeKernel + clFinish",
             .note = fmt::format("raw launch {:.1f} us", median(raw_times) / 1e3)};
}

}  // namespace vyre::bench
