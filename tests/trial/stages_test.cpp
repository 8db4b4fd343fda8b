// Candidates of several stages in a worker: right, measured, and held to their scratch memory.
#include <gtest/gtest.h>

#include <numeric>

#include "support/programs.h"
#include "support/worker.h"
#include "trial/candidate.h"
#include "trial/evaluate.h"

namespace vyre::trial {
namespace {

using testing::data_of;
using testing::parsed;
using testing::worker_session;

constexpr const char* total = R"(program total {
  uniform n: u32 = 64
  uniform shift: f32 = 1.0
  buffer x: f32[n] read
  buffer out: f32[1] write
  scratch partial: f32[4]
  grid 4
  workgroup 1
  reassociate
  var s = 0.0
  for i in 0 .. n / 4 { s += x[invocation.x * (n / 4) + i] + shift }
  partial[invocation.x] = s
  then grid 1 workgroup 1 {
    var s = 0.0
    for i in 0 .. 4 { s += partial[i] }
    out[0] = s * shift
  }
})";

std::vector<worker::Data> buffers() {
  std::vector<float> x(64);
  std::iota(x.begin(), x.end(), 0.0F);
  return {data_of(x), data_of(std::vector<float>(1))};
}

Outcome outcome_of(const Candidate& candidate) {
  auto session = worker_session();
  const auto evaluated =
      evaluate(session, candidate, {.repeat = {.max_samples = 5}}, steady_clock());
  if (!evaluated) throw std::runtime_error(evaluated.error().message);
  return evaluated->outcome();
}

TEST(StagedCandidate, IsRightAndMeasured) {
  const auto made = candidate({parsed(total), {{"shift", {Scalar::f32, 0x40000000}}}}, buffers(),
                              Language::opencl_c);
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->kernel.then.size(), 1U);
  EXPECT_EQ(made->kernel.arguments.size(), 4U) << "two buffers, scratch and a uniform";
  const Outcome outcome = outcome_of(*made);
  EXPECT_EQ(outcome.verdict, Verdict::correct) << outcome.reason;
  EXPECT_TRUE(outcome.measured);
}

TEST(StagedCandidate, IsWrongWhereALaterStageIs) {
  auto made = candidate({parsed(total), {}}, buffers(), Language::opencl_c).value();
  made.kernel.then[0].scalars[0] = {Scalar::f32, 0x40000000};
  EXPECT_EQ(outcome_of(made).verdict, Verdict::correctness);
}

TEST(StagedCandidate, HasNoMoreScratchThanAWorkerTakes) {
  const auto made =
      candidate({parsed("program p { scratch s: u64[4294967295] grid 1 s[0] = 1u64 }"), {}}, {},
                Language::opencl_c, {.expect = false});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::limit);
}

TEST(StagedCandidate, StaysInItsScratchMemory) {
  auto made = candidate({parsed(total), {}}, buffers(), Language::opencl_c).value();
  made.kernel.source = R"(
    kernel void first(global float* x, global float* out, global float* s, float shift) {
      s[4] = shift;
    }
    kernel void second(global float* x, global float* out, global float* s, float shift) {
      out[0] = s[0];
    })";
  made.kernel.entry = "first";
  made.kernel.then[0].entry = "second";
  const Outcome outcome = outcome_of(made);
  EXPECT_EQ(outcome.verdict, Verdict::runtime);
  EXPECT_EQ(outcome.reason, "it wrote out of bounds: argument 2 1 bytes past its end");
}

}  // namespace
}  // namespace vyre::trial
