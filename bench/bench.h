// A benchmark measures one ratio or time and holds it against its target. Every value is a median
// of rounds in which the sides take turns, so that drift hits both alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::bench {

enum class Better { higher, lower };

struct Row {
  std::string name;
  double value = 0;
  double target = 0;
  Better better = Better::higher;
  std::string baseline;  // what it is compared with
  std::string note;

  [[nodiscard]] bool met() const {
    return better == Better::higher ? value >= target : value <= target;
  }
};

struct Benchmark {
  std::vector<std::string> names;  // of the rows it gives
  std::function<Result<std::vector<Row>>()> run;
};

// One per file of this folder.
Benchmark launch_overhead();
Benchmark text_speed();
Benchmark interpreter_speed();
Benchmark race_ranking();
Benchmark race_ties();
Benchmark isolation_cost();
Benchmark bandwidth();
Benchmark mathematics_speed();
Benchmark enumerate_speed();
Benchmark suggest_speed();
Benchmark store_speed();
Benchmark tuned_dispatch();
Benchmark live_dispatch();
Benchmark live_speed();
Benchmark live_others();
Benchmark live_copy();
Benchmark live_change();
Benchmark tuned_programs();
Benchmark front_speed();
Benchmark batch_speed();
Benchmark heat_speed();
Benchmark tune_throughput();
Benchmark programs_speed();
Benchmark tries_speed();
// Only where the peers are installed.
Benchmark kfac_speed();
Benchmark gemm_speed();

// Nanoseconds of wall time that `work` takes.
double wall_ns(const std::function<void()>& work);
double median(std::vector<double> values);

}  // namespace vyre::bench
