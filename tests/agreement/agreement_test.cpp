// Random programs give the same on the interpreter and on the default OpenCL device: integers to
// the bit, floats within run::default_ulp_bound. A disagreement is shrunk to a small program before
// it is reported.
//
// VYRE_AGREEMENT_PROGRAMS=5000 compares that many instead of 300 (make soak); VYRE_AGREEMENT_SEED=n
// starts at another seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interpret/interpret.h"
#include "support/agree.h"
#include "support/device.h"
#include "support/programs.h"
#include "support/random_program.h"
#include "support/random_stages.h"
#include "support/shrink.h"
#include "vyre/device/device.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"

namespace vyre::testing {
namespace {

// Many kernels per build: one build costs about as much as twenty kernels in it.
constexpr std::uint64_t batch = 25;

// What is wrong with this program on this device, or nothing.
std::optional<std::string> disagreement(device::Device& device, run::Executable& executable,
                                        const ir::Program& program, const Content& start) {
  Content expected = start;
  if (auto ran = interpret::run(program, {}, spans(expected)); !ran) {
    return "interpreter: " + to_string(ran.error());
  }
  Content got = start;
  if (auto ran = launch_on(device, executable, got); !ran) {
    return "device: " + to_string(ran.error());
  }
  return first_difference(program, expected, got);
}

std::optional<std::string> disagreement(device::Device& device, const ir::Program& program,
                                        const Content& start) {
  auto executable = run::compile(device, run::Request{program, {}});
  if (!executable) return "compile: " + to_string(executable.error());
  return disagreement(device, *executable, program, start);
}

void report(device::Device& device, std::uint64_t seed, const Generated& generated,
            const std::string& what) {
  const ir::Program small = shrunk(generated.program, [&](const ir::Program& candidate) {
    const auto still = disagreement(device, candidate, generated.buffers);
    return still && !still->starts_with("interpreter");
  });
  ADD_FAILURE() << "seed " << seed << ": " << what << "\nshrunk to\n"
                << ir::print(small)
                << disagreement(device, small, generated.buffers).value_or("(no longer differs)");
}

void expect_agreement(device::Device& device, std::uint64_t first, std::uint64_t count) {
  std::vector<Generated> generated;
  std::vector<run::Request> requests;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    generated.push_back(random_program(seed, {.f64 = has_f64(device)}));
    if (seed % 4 == 1) generated.back() = with_random_stages(generated.back(), seed);
    requests.push_back({generated.back().program, {}});
  }
  auto executables = run::compile(device, requests);
  for (std::size_t i = 0; i < generated.size(); ++i) {
    const Generated& g = generated[i];
    const auto found = executables ? disagreement(device, (*executables)[i], g.program, g.buffers)
                                   : disagreement(device, g.program, g.buffers);
    if (found) return report(device, first + i, g, *found);
  }
  ASSERT_TRUE(executables) << to_string(executables.error());
}

class Agreement : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Agreement, OfRandomProgramsOnTheDeviceWithTheInterpreter) {
  auto device = device::open("opencl");
  ASSERT_TRUE(device) << to_string(device.error());
  const std::uint64_t seed = number_from("VYRE_AGREEMENT_SEED", 0);
  const std::uint64_t batches = number_from("VYRE_AGREEMENT_PROGRAMS", 300) / batch;
  const std::uint64_t part = GetParam();
  const std::uint64_t parts = 12;
  for (std::uint64_t b = part; b < batches && !HasFailure(); b += parts) {
    expect_agreement(**device, seed + b * batch, batch);
    if (batches > parts) fmt::print("{} of {} programs\n", (b + 1) * batch, batches * batch);
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, Agreement, ::testing::Range<std::uint64_t>(0, 12));

}  // namespace
}  // namespace vyre::testing
