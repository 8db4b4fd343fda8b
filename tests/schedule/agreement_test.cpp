// Random programs under random schedules give what they give as they are: on the interpreter to the
// bit, on the default OpenCL device as agreement demands (docs/agreement.md).
//
// VYRE_SCHEDULED_PROGRAMS=2000 takes that many on the device instead of 100, and thirty times as
// many on the interpreter (make soak); VYRE_SCHEDULED_SEED=n starts at another seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "interpret/interpret.h"
#include "ir/validate.h"
#include "schedule/step.h"
#include "support/agree.h"
#include "support/device.h"
#include "support/random_program.h"
#include "support/random_schedule.h"
#include "vyre/device/device.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"
#include "vyre/schedule/schedule.h"

namespace vyre::schedule {
namespace {

using testing::Content;
using testing::Generated;
using testing::number_from;
using testing::RandomSource;

constexpr std::uint64_t parts = 4;

std::uint64_t device_programs() { return number_from("VYRE_SCHEDULED_PROGRAMS", 100); }
std::uint64_t first_seed() { return number_from("VYRE_SCHEDULED_SEED", 0); }

// One program in eight works in groups: of these hardly a schedule is legal.
Generated program_of(std::uint64_t seed, bool f64 = true) {
  return testing::random_program(seed, {.independent = seed / parts % 8 != 0, .f64 = f64});
}

Result<Content> interpreted(const ir::Program& program, Content content) {
  auto ran = interpret::run(program, {}, testing::spans(content));
  if (!ran) return Unexpected(ran.error());
  return content;
}

struct Scheduled {
  Schedule schedule;
  ir::Program program;
};

// A legal schedule of the program and what it makes of it; nothing if none of a few tries is legal.
std::optional<Scheduled> scheduled(const ir::Program& program, RandomSource& random) {
  constexpr int tries = 5;
  for (int i = 0; i < tries; ++i) {
    Schedule schedule = testing::random_schedule(random);
    // Other sums than those by atomics are not of whole numbers, so they must not be split.
    if (program.reassociate) {
      schedule.set("loop_vector", 1);
      schedule.set("sum_groups", 1);
      schedule.set("sweep_groups", 1);
    }
    auto made = apply(program, schedule);
    if (made) return Scheduled{schedule, *std::move(made)};
  }
  return std::nullopt;
}

std::string described(std::uint64_t seed, const Generated& from, const Scheduled& made) {
  return fmt::format("seed {}, {}\n{}becomes\n{}", seed, to_string(made.schedule),
                     print(from.program), print(made.program));
}

class ScheduledPrograms : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ScheduledPrograms, GiveTheSameValuesOnTheInterpreter) {
  constexpr std::uint64_t schedules_each = 3;
  const std::uint64_t programs = 10 * device_programs() / parts;
  std::uint64_t applied = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const std::uint64_t seed = first_seed() + i * parts + GetParam();
    const Generated from = program_of(seed);
    const auto expected = interpreted(from.program, from.buffers);
    ASSERT_TRUE(expected) << seed << ": " << to_string(expected.error());
    RandomSource random(seed);
    for (std::uint64_t n = 0; n < schedules_each; ++n) {
      const auto made = scheduled(from.program, random);
      if (!made) continue;
      ++applied;
      ASSERT_TRUE(validate(made->program).empty()) << described(seed, from, *made);
      const auto got = interpreted(made->program, from.buffers);
      ASSERT_TRUE(got) << to_string(got.error()) << "\n" << described(seed, from, *made);
      // The IR leaves open which nan and which zero an operation gives.
      const auto differs = testing::first_difference(from.program, *expected, *got, 0);
      ASSERT_FALSE(differs) << *differs << "\n" << described(seed, from, *made);
    }
  }
  EXPECT_GE(applied, 2 * programs) << "too few schedules are legal";
}

TEST_P(ScheduledPrograms, GiveOnTheDeviceWhatTheOriginalGivesOnTheInterpreter) {
  auto device = device::open("opencl");
  ASSERT_TRUE(device) << to_string(device.error());
  constexpr std::uint64_t batch = 25;            // per build
  constexpr std::size_t longest_compiled = 300;  // statements: compiling is what takes the time
  std::uint64_t seed = first_seed() + 1'000'000 * (1 + GetParam());
  for (std::uint64_t done = 0; done < device_programs() / parts; done += batch) {
    std::vector<std::uint64_t> seeds;
    std::vector<Generated> from;
    std::vector<Scheduled> made;
    std::vector<run::Request> requests;
    for (; made.size() < batch; ++seed) {
      const Generated program = program_of(seed, testing::has_f64(**device));
      RandomSource random(seed);
      auto one = scheduled(program.program, random);
      if (!one || statement_count(one->program.body) > longest_compiled) continue;
      requests.push_back({one->program, {}});
      made.push_back(*std::move(one));
      from.push_back(program);
      seeds.push_back(seed);
    }
    auto executables = run::compile(**device, requests);
    ASSERT_TRUE(executables) << to_string(executables.error());
    for (std::size_t i = 0; i < batch; ++i) {
      const auto expected = interpreted(from[i].program, from[i].buffers);
      ASSERT_TRUE(expected) << to_string(expected.error());
      Content got = from[i].buffers;
      const auto ran = testing::launch_on(**device, (*executables)[i], got);
      ASSERT_TRUE(ran) << to_string(ran.error());
      const auto differs = testing::first_difference(from[i].program, *expected, got);
      ASSERT_FALSE(differs) << *differs << "\n" << described(seeds[i], from[i], made[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Part, ScheduledPrograms, ::testing::Range<std::uint64_t>(0, parts));

}  // namespace
}  // namespace vyre::schedule
