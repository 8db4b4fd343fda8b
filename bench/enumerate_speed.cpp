// enumerate_vs_kernel_tuner: how much longer Kernel Tuner takes to build a constrained space, the
// least over all spaces. Both get parameters and the text of the constraints, and both end with a
// space that finds configurations by index and indices by configuration; the sets are compared.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench.h"
#include "formats/t1.h"
#include "kernel_tuner_peer.h"
#include "space/expression.h"
#include "vyre/formats/recorded.h"
#include "vyre/space/enumerate.h"

namespace vyre::bench {
namespace {

constexpr const char* recorded_spaces = "../shared/spaces";
constexpr int usual_rounds = 5;
constexpr int rounds_of_long_ones = 3;  // where Kernel Tuner takes seconds

struct Task {
  std::string name;
  std::vector<space::Parameter> parameters;
  std::vector<std::string> constraints;
};

// Parameters of ten values each, chained by constraints of the kinds that kernels have.
Task synthetic(int parameters) {
  Task made{
      .name = fmt::format("synthetic 10^{}", parameters), .parameters = {}, .constraints = {}};
  std::vector<space::Value> values;
  for (std::int64_t i = 1; i <= 10; ++i) values.emplace_back(i);
  for (int p = 0; p < parameters; ++p) {
    made.parameters.push_back({fmt::format("p{}", p), values});
    if (p == 0) continue;
    switch (p % 4) {
      case 1:
        made.constraints.push_back(fmt::format("8 <= p{} * p{} <= 40", p - 1, p));
        break;
      case 2:
        made.constraints.push_back(fmt::format("p{} % p{} == 0 or p{} == 7", p - 1, p, p));
        break;
      case 3:
        made.constraints.push_back(fmt::format("p{} + p{} + p{} < 16", p - 2, p - 1, p));
        break;
      default:
        made.constraints.push_back(fmt::format("(p{} * 4 + 2) * (p{} + 1) <= 96", p, p - 1));
    }
  }
  return made;
}

Result<std::vector<Task>> recorded_tasks() {
  std::vector<Task> made;
  const std::filesystem::path folder = recorded_spaces;
  if (!std::filesystem::exists(folder)) return made;
  for (const auto& file : std::filesystem::directory_iterator(folder / "t1")) {
    auto read = formats::read_t1(file.path().string());
    if (!read) return Unexpected(read.error());
    Task task{file.path().stem().string(), std::move(read->parameters), {}};
    for (const auto& constraint : *read->constraints) task.constraints.push_back(constraint.text());
    made.push_back(std::move(task));
  }
  // Of this one there is no definition, only what was measured.
  const auto gemm =
      formats::read_recorded((folder / "kernel_tuner" / "gemm-RTX_2080_Ti.json.gz").string());
  if (!gemm) return Unexpected(gemm.error());
  made.push_back({"gemm",
                  {gemm->space.parameters().begin(), gemm->space.parameters().end()},
                  {"KWG % KWI == 0", "MWG % (MDIMC * VWM) == 0", "NWG % (NDIMC * VWN) == 0",
                   "MWG % (MDIMA * VWM) == 0", "NWG % (NDIMB * VWN) == 0",
                   "KWG % ((MDIMC * NDIMC)/MDIMA) == 0", "KWG % ((MDIMC * NDIMC)/NDIMB) == 0"}});
  std::ranges::sort(made, {}, &Task::name);
  return made;
}

Result<space::Space> build(const Task& task) {
  const auto definition = space::define(task.parameters, task.constraints);
  if (!definition) return Unexpected(definition.error());
  auto made = space::enumerate(*definition);
  if (!made) return Unexpected(made.error());
  return std::move(made->space);
}

Result<void> compare(const Task& task, const space::Space& mine, std::vector<std::string> theirs) {
  std::vector<std::string> keys;
  for (space::Index i = 0; i < mine.size(); ++i) keys.push_back(mine.key(i));
  std::ranges::sort(keys);
  std::ranges::sort(theirs);
  if (keys == theirs) return {};
  return fail(ErrorKind::run, fmt::format("{}: {} configurations here, {} there, not the same",
                                          task.name, keys.size(), theirs.size()));
}

struct Outcome {
  double ratio = 0;
  std::string text;
};

// The first round compares the sets and warms up; it is not timed.
Result<Outcome> race(const Task& task, KernelTuner& peer) {
  std::vector<double> ratios;
  std::vector<double> mine_ms;
  std::vector<double> theirs_ms;
  std::uint64_t size = 0;
  int rounds = usual_rounds;
  for (int round = 0; round <= rounds; ++round) {
    Result<space::Space> mine = fail(ErrorKind::run, "");
    const double took = wall_ns([&] { mine = build(task); });
    if (!mine) return Unexpected(mine.error());
    auto theirs = peer.build(task.parameters, task.constraints, round == 0);
    if (!theirs) return Unexpected(theirs.error());
    if (round == 0) {
      const auto same = compare(task, *mine, std::move(theirs->keys));
      if (!same) return Unexpected(same.error());
      size = theirs->size;
      if (theirs->seconds > 3) rounds = rounds_of_long_ones;
      continue;
    }
    ratios.push_back(theirs->seconds * 1e9 / took);
    mine_ms.push_back(took / 1e6);
    theirs_ms.push_back(theirs->seconds * 1e3);
  }
  const double ratio = median(ratios);
  return Outcome{ratio, fmt::format("{} ({}) {:.3g} ms / {:.3g} ms = {:.0f}", task.name, size,
                                    median(theirs_ms), median(mine_ms), ratio)};
}

Result<std::vector<Row>> measure() {
  auto tasks = recorded_tasks();
  if (!tasks) return Unexpected(tasks.error());
  for (const int parameters : {6, 7, 9}) tasks->push_back(synthetic(parameters));
  auto peer = KernelTuner::start();
  if (!peer) return Unexpected(peer.error());
  Row row{.name = "enumerate_vs_kernel_tuner",
          .value = std::numeric_limits<double>::infinity(),
          .target = 20,
          .better = Better::higher,
          .baseline = "Kernel Tuner 1.4.0, same spaces, same sets"};
  for (const Task& task : *tasks) {
    const auto outcome = race(task, *peer);
    if (!outcome) return Unexpected(outcome.error());
    row.value = std::min(row.value, outcome->ratio);
    row.note += (row.note.empty() ? "" : ", ") + outcome->text;
  }
  return std::vector<Row>{row};
}

}  // namespace

Benchmark enumerate_speed() { return {{"enumerate_vs_kernel_tuner"}, measure}; }

}  // namespace vyre::bench
