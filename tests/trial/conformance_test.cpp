#include "trial/conformance.h"

#include <gtest/gtest.h>

#include <set>

#include "support/worker.h"
#include "trial/conformance_table.h"
#include "vyre/ir/text.h"

namespace vyre::trial {
namespace {

using testing::worker_options;
using testing::worker_session;

std::vector<Conformance> tried(worker::Options options,
                               std::span<const std::string_view> only = {}) {
  auto session = worker_session(std::move(options));
  auto found = conformance(session, only);
  if (!found) throw std::runtime_error(found.error().message);
  return *std::move(found);
}

bool is_pocl() { return worker_session().adapter().platform == "Portable Computing Language"; }

TEST(Conformance, EveryRequirementIsAValidProgramWithItsOwnNameAndSaysWhatItMeans) {
  std::set<std::string> names;
  const device::Limits limits{
      .max_workgroup = 64, .max_workgroup_dims = {64, 64, 64}, .shared_bytes = 1024};
  for (const Requirement& one : requirements(limits)) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.means.empty()) << one.name;
    const auto program = ir::parse(one.program);
    EXPECT_TRUE(program) << one.name << ": " << to_string(program.error());
  }
  EXPECT_TRUE(names.contains(std::string(runs_a_kernel)));
}

TEST(Conformance, HoldsOnTheReferenceDeviceWhichIsTheDefinition) {
  for (const auto& one : tried(worker_options("reference"))) EXPECT_EQ(one.broken, "") << one.name;
}

TEST(Conformance, HoldsOnTheDeviceThatTheTestsRunOn) {
  const auto found = tried(worker_options());
  EXPECT_GE(found.size(), 20U);
  for (const auto& one : found) EXPECT_EQ(one.broken, "") << one.name;
}

// PoCL's functions of these names are replaced by others of the same type.
TEST(Conformance, FindsWhatADriverGetsWrong) {
  if (!is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  const std::vector<std::pair<std::string, std::string_view>> faults = {
      {"get_group_id=get_local_id", "grids of three dimensions"},
      {"barrier=mem_fence", "barriers and shared memory"},
      {"_cl_atomic_add=_cl_atomic_sub", "atomics"},
      {"_cl_convert_uint=_cl_convert_uint_rtp", "conversions"},
      {"_cl_convert_uint4=_cl_convert_uint4_rtp", "conversions of vectors"},
      {"_cl_clz=_cl_abs", "counts of bits"},
      {"_cl_fma=_cl_mix", "fused multiply-add"},
      {"_cl_sqrt=_cl_cbrt", "division, roots, exp and log"},
      {"_cl_fmin=_cl_fmax", "nan and infinity"},
  };
  worker::Options options = worker_options();
  std::string flags;
  std::vector<std::string_view> requirements;
  for (const auto& [replaced, requirement] : faults) {
    flags += (flags.empty() ? "-D" : " -D") + replaced;
    requirements.push_back(requirement);
  }
  options.environment = {"POCL_EXTRA_BUILD_FLAGS=" + flags};
  const auto found = tried(options, requirements);
  EXPECT_EQ(found.size(), faults.size());
  for (const auto& one : found) EXPECT_NE(one.broken, "") << one.name;
}

TEST(Conformance, ADriverThatCrashesIsAFindingAndTheLast) {
  if (!is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  worker::Options options = worker_options();
  options.environment = {"PATH="};  // where PoCL looks for a linker
  const auto found = tried(options);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, runs_a_kernel);
  EXPECT_TRUE(found[0].broken.contains("brought its process down")) << found[0].broken;
}

TEST(Conformance, AClockMustAdvanceWithTheWork) {
  const device::Timing brief{.device_ns = 1'000, .wall_ns = 20'000};
  EXPECT_EQ(clock_fault(brief, {.device_ns = 90'000, .wall_ns = 100'000}), "");
  EXPECT_EQ(clock_fault({}, {.device_ns = 0, .wall_ns = 100'000}), "a launch took 0 ns");
  EXPECT_NE(clock_fault(brief, {.device_ns = 1'000, .wall_ns = 100'000}), "");
  EXPECT_NE(clock_fault(brief, {.device_ns = 90'000'000, .wall_ns = 100'000}), "");
}

}  // namespace
}  // namespace vyre::trial
