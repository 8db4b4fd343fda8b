// Memory that runs out anywhere on the way is an error and not an exception: each allocation fails
// once.
#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

#include "run/fake_device.h"
#include "support/allocations.h"
#include "support/programs.h"
#include "vyre/formats/recorded.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/definition.h"
#include "vyre/space/enumerate.h"

namespace vyre::run {
namespace {

constexpr const char* scale = R"(program scale {
  uniform factor: f32 = 2.0
  buffer x: f32[64] read
  buffer y: f32[64] write
  grid 64
  y[invocation.x] = x[invocation.x] * factor + 1.0
})";

// Whether the error is that of memory.
bool is_lack(const Error& error) { return error == out_of_memory(); }

// Some libraries do without what they cannot have: then there is no error.
template <class Work>
void expect_no_exception(const Work& work) {
  std::size_t n = 0;
  for (bool has_failed = true; has_failed; ++n) {
    const testing::FailingAllocation failing(n);
    const auto done = work();
    has_failed = failing.has_failed();
    ASSERT_TRUE(done || (has_failed && is_lack(done.error()))) << n;
  }
  EXPECT_GT(n, 5U);
}

TEST(Memory, ThatRunsOutIsAnErrorOfReadingAProgram) {
  expect_no_exception([] { return ir::parse(scale); });
}

TEST(Memory, ThatRunsOutIsAnErrorOfCompiling) {
  testing::FakeDevice device({.max_workgroup = 64, .max_workgroup_dims = {64, 64, 64}});
  const std::vector<Request> requests = {{testing::parsed(scale), {}}};
  expect_no_exception([&] { return compile(device, requests); });
}

TEST(Memory, ThatRunsOutIsAnErrorOfSchedulingAndOfEnumerating) {
  const ir::Program program = testing::parsed(scale);
  const auto schedule = schedule::parse_schedule("wg_x=16 vector=4");
  ASSERT_TRUE(schedule) << schedule.error().message;
  expect_no_exception([&] { return schedule::apply(program, *schedule); });
  const auto definition = space::define(
      {{"a", {std::int64_t{1}, std::int64_t{2}}}, {"b", {std::int64_t{1}, std::int64_t{2}}}},
      {"a + b < 4"});
  ASSERT_TRUE(definition) << definition.error().message;
  expect_no_exception([&] { return space::enumerate(*definition); });
}

TEST(Memory, ThatRunsOutIsAnErrorOfReadingRecordings) {
  constexpr std::string_view text =
      R"({"device_name": "d", "kernel_name": "k", "problem_size": [1], "tune_params_keys": ["a"],
          "tune_params": {"a": [1, 2]}, "objective": "time",
          "cache": {"1": {"a": 1, "time": 1.0}, "2": {"a": 2, "time": 2.0}}})";
  expect_no_exception([&] { return formats::parse_recorded(text); });
}

}  // namespace
}  // namespace vyre::run
