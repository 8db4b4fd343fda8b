#include "trial/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "run/data.h"
#include "run/sizes.h"
#include "trial/conformance_table.h"
#include "trial/outcome.h"
#include "trial/verify.h"
#include "vyre/ir/text.h"

namespace vyre::trial {
namespace {

// What was seen, or empty if it holds.
using Seen = Result<std::string>;

// A failure of the kernel is something seen; another one ends the session.
Seen seen(const Error& error) {
  if (!verdict_of(error)) return Unexpected(error);
  return error.message;
}

ir::Program parsed(const Requirement& requirement) {
  auto program = ir::parse(requirement.program);
  check(program.has_value(), "the programs of the table are valid");
  return *std::move(program);
}

Result<std::vector<worker::Data>> contents(const ir::Program& program,
                                           const Requirement& requirement) {
  std::vector<worker::Data> made;
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    const auto count = ir::evaluate_size(program, buffer.count);
    if (!count) return Unexpected(count.error());
    const std::string description =
        made.size() < requirement.data.size() ? requirement.data[made.size()] : "random:1";
    auto bytes = run::make_data(description, buffer.element, *count);
    if (!bytes) return Unexpected(bytes.error());
    made.push_back(worker::data(*std::move(bytes)));
  }
  return made;
}

Result<Candidate> candidate_for(const Requirement& requirement, Language language,
                                const ir::Uniforms& uniforms = {}) {
  const ir::Program program = parsed(requirement);
  const auto buffers = contents(program, requirement);
  if (!buffers) return Unexpected(buffers.error());
  return candidate({program, uniforms}, *buffers, language,
                   {.expect = requirement.trial == Trial::results,
                    .tolerance = Tolerance{.ulps = requirement.ulps}});
}

// A kernel that is built in a session as long as this lives.
class Built {
 public:
  Built(worker::Session& session, worker::KernelId id) : session_(&session), id_(id) {}
  Built(const Built&) = delete;
  Built& operator=(const Built&) = delete;
  ~Built() { session_->forget(id_); }
  [[nodiscard]] worker::KernelId id() const { return id_; }

 private:
  worker::Session* session_;
  worker::KernelId id_;
};

Seen try_results(worker::Session& session, const Requirement& requirement) {
  const auto made = candidate_for(requirement, session.language());
  if (!made) return Unexpected(made.error());
  const auto id = session.build(made->kernel);
  if (!id) return seen(id.error());
  const Built kernel(session, *id);
  std::uint32_t wrong = 0;
  std::string first;
  for (std::uint32_t run = 0; run < requirement.runs; ++run) {
    const auto output = session.run(kernel.id());
    if (!output) return seen(output.error());
    const auto fault = find_fault(*made, *output);
    if (fault && wrong++ == 0) first = fault->reason;
  }
  if (wrong == 0 || requirement.runs == 1) return first;
  return fmt::format("wrong in {} of {} runs: {}", wrong, requirement.runs, first);
}

// The shortest of a few launches, by the device's clock; nothing may be longer than the wall's.
Result<device::Timing> shortest(worker::Session& session, const Requirement& requirement,
                                std::uint32_t rounds) {
  const auto made =
      candidate_for(requirement, session.language(), {{"rounds", Literal{Scalar::u32, rounds}}});
  if (!made) return Unexpected(made.error());
  const auto id = session.build(made->kernel);
  if (!id) return Unexpected(id.error());
  const Built kernel(session, *id);
  // The first launch may be compiled for.
  if (auto warm = session.time(kernel.id()); !warm) return warm;
  std::array<device::Timing, 5> times{};
  for (device::Timing& time : times) {
    const auto timed = session.time(kernel.id());
    if (!timed) return timed;
    time = *timed;
  }
  return std::ranges::min(times, {}, &device::Timing::device_ns);
}

Seen try_clock(worker::Session& session, const Requirement& requirement) {
  constexpr std::uint32_t many = 20'000;
  const auto brief = shortest(session, requirement, 1);
  if (!brief) return seen(brief.error());
  const auto lasting = shortest(session, requirement, many);
  if (!lasting) return seen(lasting.error());
  return clock_fault(*brief, *lasting);
}

Seen try_one(worker::Session& session, const Requirement& requirement) {
  switch (requirement.trial) {
    case Trial::results:
      return try_results(session, requirement);
    case Trial::clock:
      return try_clock(session, requirement);
  }
  return "";
}

bool is_wanted(const Requirement& requirement, const device::Limits& limits,
               std::span<const std::string_view> only) {
  if (requirement.needs_f64 && !limits.has_f64) return false;
  return only.empty() || std::ranges::find(only, requirement.name) != only.end();
}

}  // namespace

std::string clock_fault(const device::Timing& brief, const device::Timing& lasting) {
  if (lasting.device_ns == 0) return "a launch took 0 ns";
  if (lasting.device_ns <= brief.device_ns) {
    return fmt::format("a launch with much to do took {} ns, and one with little {} ns",
                       lasting.device_ns, brief.device_ns);
  }
  // Both clocks run at their own pace, but not that differently.
  if (lasting.device_ns / 2 > lasting.wall_ns) {
    return fmt::format("a launch that was over after {} ns took {} ns", lasting.wall_ns,
                       lasting.device_ns);
  }
  return "";
}

Result<std::vector<Conformance>> conformance(worker::Session& session,
                                             std::span<const std::string_view> only) {
  const device::Limits limits = session.adapter().limits;
  std::vector<Conformance> found;
  for (const Requirement& requirement : requirements(limits)) {
    if (!is_wanted(requirement, limits, only)) continue;
    auto broken = try_one(session, requirement);
    if (!broken) return Unexpected(broken.error());
    found.push_back({requirement.name, *std::move(broken), requirement.means});
    if (requirement.name == runs_a_kernel && !found.back().broken.empty()) break;
  }
  return found;
}

}  // namespace vyre::trial
