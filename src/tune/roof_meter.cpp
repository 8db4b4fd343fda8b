#include "tune/roof_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "run/sizes.h"
#include "vyre/ir/text.h"
#include "vyre/schedule/schedule.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

// A program whose only purpose is to keep the device busy.
struct Probe {
  std::string text;
  std::string schedule;
  double amount = 0;  // of what is measured, in a launch
};

constexpr std::uint64_t least_bytes = 1U << 16U;
constexpr std::uint64_t most_bytes = 1U << 26U;

bool is_interpreted(const device::Adapter& adapter) { return adapter.kind == "reference"; }

// Whole blocks of the least size, so that shares and vectors come out even.
std::uint64_t probed_bytes(std::uint64_t bytes, const device::Adapter& adapter) {
  const std::uint64_t most = is_interpreted(adapter) ? least_bytes : most_bytes;
  const std::uint64_t allowed = std::clamp(adapter.limits.max_buffer_bytes, least_bytes, most);
  const std::uint64_t blocks = (std::min(bytes, allowed) + least_bytes - 1) / least_bytes;
  return std::max<std::uint64_t>(blocks, 1) * least_bytes;
}

// Invocations with a share each: a stretch of its own, as a CPU likes it, or every n-th element.
std::vector<Probe> reading_probes(std::uint64_t bytes) {
  const auto probe = [&](std::uint64_t shares, const std::string& index, const char* schedule) {
    const std::uint64_t share = bytes / 4 / shares;
    return Probe{fmt::format(R"(program roof_reads {{
  buffer x: f32[{0}] read
  buffer y: f32[{1}] write
  grid {1}
  reassociate
  let share = {2}
  var sum = 0.0
  for k in 0 .. share {{ sum = sum + x[{3}] }}
  y[invocation.x] = sum
}})",
                             share * shares, shares, share, index),
                 schedule, static_cast<double>(4 * share * shares)};
  };
  const std::uint64_t many = std::min<std::uint64_t>(bytes / 4 / 16, 1U << 16U);
  return {probe(64, "invocation.x * share + k", "loop_vector=16 loop_parts=4 wg_x=1"),
          probe(many, fmt::format("k * {} + invocation.x", many), "vector=4 wg_x=64")};
}

// Half of the bytes to the other half.
std::vector<Probe> copying_probes(std::uint64_t bytes) {
  std::vector<Probe> made;
  for (const char* schedule :
       {"vector=16 wg_x=64", "vector=16 items_x=256 wg_x=1", "vector=4 wg_x=256"}) {
    made.push_back({fmt::format(R"(program roof_copies {{
  buffer x: f32[{0}] read
  buffer y: f32[{0}] write
  grid {0}
  y[invocation.x] = x[invocation.x]
}})",
                                bytes / 8),
                    schedule, static_cast<double>(bytes) / 2});
  }
  return made;
}

// Enough chains that no unit waits for its own result, few enough that all stay in registers.
Probe chains(std::uint32_t count, const device::Adapter& adapter) {
  constexpr std::uint32_t lanes = 16;
  const std::uint32_t units = std::max(adapter.limits.compute_units, 1U);
  const std::uint32_t grid = is_interpreted(adapter) ? 4
                             : adapter.is_cpu        ? 4 * units
                                                     : 1024 * units;
  const std::uint32_t rounds = is_interpreted(adapter) ? 16 : adapter.is_cpu ? 50'000 : 1000;
  std::string start;
  std::string step;
  std::string all;
  for (std::uint32_t i = 0; i < count; ++i) {
    start += fmt::format("  var a{0} = splat{1}(f32(invocation.x + {0}))\n", i, lanes);
    step += fmt::format("    a{0} = fma(a{0}, half, one)\n", i);
    all += fmt::format("{}a{}", i == 0 ? "" : " + ", i);
  }
  return {fmt::format(R"(program roof_chains {{
  buffer x: f32[{0}] read
  buffer y: f32[{1}] write
  grid {1}
  workgroup {2}
  let one = x[0 : {0}] + splat{0}(1.0)
  let half = one * splat{0}(0.5)
{3}  for k in 0 .. {4} {{
{5}  }}
  y[invocation.x] = sum({6})
}})",
                      lanes, grid, adapter.is_cpu ? 1 : 64, start, rounds, step, all),
          "", 2.0 * lanes * count * rounds * grid};
}

Result<trial::Candidate> candidate_of(const Probe& probe, Language language) {
  VYRE_TRY(const auto program, ir::parse(probe.text));
  VYRE_TRY(const auto schedule,
           schedule::parse_schedule(probe.schedule, schedule::default_schedule(program)));
  VYRE_TRY(const auto scheduled, schedule::apply(program, schedule));
  std::vector<worker::Data> buffers;
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    VYRE_TRY(const auto bytes, run::bytes_of(program, buffer, {}));
    buffers.push_back(worker::data(std::vector<std::byte>(bytes)));
  }
  return trial::candidate({scheduled, {}}, buffers, language, {.expect = false, .canaries = false});
}

// By the fastest sample: what else the machine does is no part of the roof.
double fastest_ns(const measure::Measurement& measured) {
  double fastest = measured.estimate_ns;
  for (const measure::Sample& sample : measured.samples) {
    fastest = std::min(fastest, sample.wall_ns);
  }
  return std::max(fastest, 1.0);
}

Result<void> submit(trial::Evaluator& evaluator, const std::vector<Probe>& probes) {
  // All the time that there is, so that the machine is undisturbed in some of it.
  const trial::EvaluateOptions how{.repeat = {.target = 0, .budget = 150ms, .max_samples = 1000},
                                   .basis = measure::Basis::wall};
  std::vector<trial::Candidate> candidates;
  for (const Probe& probe : probes) {
    VYRE_TRY(auto candidate, candidate_of(probe, evaluator.language()));
    candidates.push_back(std::move(candidate));
  }
  for (trial::Candidate& candidate : candidates) evaluator.submit(std::move(candidate), how);
  return {};
}

// Of the best of them; one that fails here counts for nothing, unless all do.
Result<double> best_rate(trial::Evaluator& evaluator, const std::vector<Probe>& probes) {
  VYRE_CHECK(submit(evaluator, probes));
  double best = 0;
  std::string reason;
  for (const Probe& probe : probes) {
    const auto evaluated = evaluator.next();
    if (!evaluated) {
      evaluator.discard();
      return Unexpected(evaluated.error());
    }
    const trial::Outcome& outcome = evaluated->outcome();
    if (outcome.measured) best = std::max(best, probe.amount / fastest_ns(*outcome.measured));
    if (!outcome.measured) reason = outcome.reason;
  }
  if (best > 0) return best;
  return fail(ErrorKind::device,
              fmt::format("what the device can do cannot be measured: {}", reason));
}

}  // namespace

double writing_rate(double read, double copied) {
  constexpr double least_share = 0.1;  // of the time of a copy, where reading seems to take it all
  return 1 / std::max(1 / copied - 1 / read, least_share / copied);
}

Result<RoofMeter::Memory> RoofMeter::memory(std::uint64_t bytes) {
  const auto known = memory_.find(bytes);
  if (known != memory_.end()) return known->second;
  VYRE_TRY(const double read, best_rate(evaluator_, reading_probes(bytes)));
  VYRE_TRY(const double copied, best_rate(evaluator_, copying_probes(bytes)));
  return memory_[bytes] = {.read = read, .copied = copied};
}

Result<double> RoofMeter::arithmetic() {
  if (arithmetic_) return *arithmetic_;
  const device::Adapter& adapter = evaluator_.adapter();
  VYRE_TRY(const double rate, best_rate(evaluator_, {chains(4, adapter), chains(8, adapter)}));
  arithmetic_ = rate;
  return rate;
}

Result<Roof> RoofMeter::at(std::uint64_t bytes) {
  VYRE_TRY(const Memory rates, memory(probed_bytes(bytes, evaluator_.adapter())));
  VYRE_TRY(const double operations, arithmetic());
  return Roof{.read_bytes = rates.read,
              .written_bytes = writing_rate(rates.read, rates.copied),
              .operations = operations};
}

}  // namespace vyre::tune
