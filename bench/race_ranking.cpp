// race_right_of_100: of 100 races between two configurations 5 % apart, with a core kept busy by
// others, how many name the faster one. A tie counts as not right.
// race_alike_tied: of 50 races of a kernel against itself in another worker process, as finalists
// of a tuning run may meet, the share that ends in a tie.
#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "bench.h"
#include "measure/race.h"
#include "trial/evaluate.h"
#include "worker_kernels.h"

namespace vyre::bench {
namespace {

constexpr std::uint32_t elements = 1U << 16U;
constexpr std::uint32_t steps = 200;

// Keeps one core busy.
class Load {
 public:
  Load()
      : thread_([this] {
          while (!stop_.load(std::memory_order_relaxed)) {
          }
        }) {}
  ~Load() { stop_ = true; }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::jthread thread_;
};

measure::Sampler sampler(worker::Session& session, worker::KernelId id) {
  return [&session, id](std::uint32_t launches) -> Result<measure::Sample> {
    const auto timing = session.time(id, launches);
    if (!timing) return Unexpected(timing.error());
    return measure::Sample{static_cast<double>(timing->wall_ns) / launches,
                           static_cast<double>(timing->device_ns) / launches,
                           static_cast<double>(timing->cpu_ns) / launches, launches};
  };
}

struct Tally {
  int right = 0;
  int tied = 0;
  int wrong = 0;
  double samples = 0;
};

Result<Tally> hold_races(std::uint64_t races, const device::Adapter& adapter,
                         const measure::Sampler& fast, const measure::Sampler& slow) {
  Tally tally;
  const measure::Basis basis = trial::basis_for(adapter);
  for (std::uint64_t seed = 0; seed < races; ++seed) {
    std::vector<measure::Entrant> entrants = {{fast}, {slow}};
    const std::size_t faster = seed % 2;
    if (faster == 1) std::swap(entrants[0], entrants[1]);
    const auto result = measure::race(
        entrants, steady_clock(),
        {.basis = basis, .confirm_by_wall = basis == measure::Basis::cpu, .seed = seed});
    if (!result) return Unexpected(result.error());
    const bool decided = result->standings[1 - result->winner].rank == measure::Rank::slower;
    tally.tied += static_cast<int>(!decided);
    tally.right += static_cast<int>(decided && result->winner == faster);
    tally.wrong += static_cast<int>(decided && result->winner != faster);
    tally.samples += result->rounds / static_cast<double>(races);
  }
  return tally;
}

Result<std::vector<Row>> measure_races() {
  auto session = worker::Session::start(bench_worker());
  if (!session) return Unexpected(session.error());
  const auto fast = session->build(chain(elements, steps));
  if (!fast) return Unexpected(fast.error());
  const auto slow = session->build(chain(elements, steps * 21 / 20));
  if (!slow) return Unexpected(slow.error());
  for (const auto id : {*fast, *slow}) {
    if (const auto warm = session->time(id, 5); !warm) return Unexpected(warm.error());
  }
  const Load load;
  const auto tally =
      hold_races(100, session->adapter(), sampler(*session, *fast), sampler(*session, *slow));
  if (!tally) return Unexpected(tally.error());
  return std::vector<Row>{{.name = "race_right_of_100",
                           .value = static_cast<double>(tally->right),
                           .target = 97,
                           .better = Better::higher,
                           .baseline = "100 races",
                           .note = fmt::format("{} ties, {} wrong, {:.1f} samples of each",
                                               tally->tied, tally->wrong, tally->samples)}};
}

Result<std::vector<Row>> measure_ties() {
  constexpr std::uint64_t races = 50;
  std::vector<worker::Session> sessions;
  std::vector<measure::Sampler> samplers;
  sessions.reserve(2);
  for (int i = 0; i < 2; ++i) {
    auto session = worker::Session::start(bench_worker());
    if (!session) return Unexpected(session.error());
    sessions.push_back(*std::move(session));
    const auto id = sessions.back().build(chain(elements, steps));
    if (!id) return Unexpected(id.error());
    samplers.push_back(sampler(sessions.back(), *id));
    if (const auto warm = samplers.back()(5); !warm) return Unexpected(warm.error());
  }
  const auto tally = hold_races(races, sessions[0].adapter(), samplers[0], samplers[1]);
  if (!tally) return Unexpected(tally.error());
  return std::vector<Row>{
      {.name = "race_alike_tied",
       .value = static_cast<double>(tally->tied) / races,
       .target = 0.9,
       .better = Better::higher,
       .baseline = "races of a kernel with itself in another worker",
       .note = fmt::format("{} races, {:.1f} samples of each", races, tally->samples)}};
}

}  // namespace

Benchmark race_ranking() { return {{"race_right_of_100"}, measure_races}; }
Benchmark race_ties() { return {{"race_alike_tied"}, measure_ties}; }

}  // namespace vyre::bench
