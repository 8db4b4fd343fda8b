#include "trial/oclgrind.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/programs.h"
#include "trial/faulty_kernels.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using testing::tripled;
using testing::worker_options;

// As Oclgrind 21.10 writes it.
constexpr const char* log_of_two_faults = R"(
Read-write data race at local memory address 0x1000000000004
	Kernel: k
	
	First entity:  Global(1,0,0) Local(1,0,0) Group(0,0,0)
	  store i32 %0, i32 addrspace(3)* %arrayidx2, align 4, !dbg !42, !tbaa !36
	At line 4 (column 22) of input.cl:
	  t[get_local_id(0)] = x[i];
	
	Second entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
	  %1 = load i32, i32 addrspace(3)* %arrayidx4, align 4, !dbg !45, !tbaa !36
	At line 5 (column 10) of input.cl:
	  y[i] = t[(get_local_id(0)+1)%64];
	

Read-write data race at local memory address 0x1000000000008
	Kernel: k
	
	First entity:  Global(2,0,0) Local(2,0,0) Group(0,0,0)
	  store i32 %0, i32 addrspace(3)* %arrayidx2, align 4, !dbg !42, !tbaa !36
	At line 4 (column 22) of input.cl:
	  t[get_local_id(0)] = x[i];
	
	Second entity: Global(1,0,0) Local(1,0,0) Group(0,0,0)
	  %1 = load i32, i32 addrspace(3)* %arrayidx4, align 4, !dbg !45, !tbaa !36
	At line 5 (column 10) of input.cl:
	  y[i] = t[(get_local_id(0)+1)%64];
	

Invalid read of size 4 at global memory address 0x1000000000200
	Kernel: k
	Entity: Global(127,0,0) Local(63,0,0) Group(1,0,0)
	  %5 = load i32, i32 addrspace(1)* %arrayidx, align 4
	At line 6 (column 3) of input.cl:
	  z[i] = x[i + 1];

)";

TEST(Oclgrind, FindingsAtTheSameLinesAreOne) {
  const auto found = findings_in(log_of_two_faults);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].what, "Read-write data race at local memory");
  EXPECT_EQ(found[0].times, 2U);
  const std::vector<AccessSite> both = {
      {.line = 4, .code = "t[get_local_id(0)] = x[i];", .invocation = "(1,0,0)"},
      {.line = 5, .code = "y[i] = t[(get_local_id(0)+1)%64];", .invocation = "(0,0,0)"}};
  EXPECT_EQ(found[0].sites, both);
  EXPECT_EQ(found[1].what, "Invalid read of size 4 at global memory");
  EXPECT_EQ(found[1].times, 1U);
  const std::vector<AccessSite> one = {
      {.line = 6, .code = "z[i] = x[i + 1];", .invocation = "(127,0,0)"}};
  EXPECT_EQ(found[1].sites, one);
}

TEST(Oclgrind, ALogThatIsCutGivesWhatIsThere) {
  const std::string_view whole = log_of_two_faults;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_LE(findings_in(whole.substr(0, length)).size(), 2U);
  }
}

Simulation simulated(const worker::Job& kernel, worker::Options options = worker_options()) {
  auto made = run_under_oclgrind(kernel, oclgrind_library(), std::move(options));
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

class OclgrindSimulator : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(oclgrind_library())) GTEST_SKIP() << "Oclgrind is not installed";
  }
};

TEST_F(OclgrindSimulator, FindsAnAccessOutOfBoundsWithItsLine) {
  const auto found = findings_in(
      simulated(tripled("p", "volatile int far = in[i + 1]; out[i] = in[i] * 3 + 1;").kernel).log);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].what.starts_with("Invalid read of size 4")) << found[0].what;
  ASSERT_EQ(found[0].sites.size(), 1U);
  EXPECT_EQ(found[0].sites[0].line, 3U);
  EXPECT_EQ(found[0].sites[0].invocation, "(1023,0,0)");
}

TEST_F(OclgrindSimulator, FindsARaceInEmittedCode) {
  const auto racing = candidate({testing::parsed(R"(program racing {
  buffer x: u32[64] read
  buffer y: u32[64] write
  shared t: u32[64]
  grid 64
  t[local.x] = x[invocation.x]
  y[invocation.x] = t[63 - local.x]
})"),
                                 {}},
                                {canary(256), canary(256)}, Language::opencl_c, {.expect = false});
  ASSERT_TRUE(racing) << racing.error().message;
  const auto found = findings_in(simulated(racing->kernel).log);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].what.contains("data race at local memory")) << found[0].what;
  EXPECT_EQ(found[0].sites.size(), 2U);
}

TEST_F(OclgrindSimulator, HasNothingToSayOfAKernelThatIsRight) {
  const auto simulation = simulated(tripled("p", testing::correct_body).kernel);
  EXPECT_EQ(simulation.log, "");
  EXPECT_EQ(simulation.unfinished, "");
}

TEST_F(OclgrindSimulator, AKernelThatIsTooSlowForItIsUnfinishedAndNotFound) {
  worker::Options options = worker_options();
  options.run_limit = 1s;
  const auto simulation = simulated(tripled("p", "while (n > 0) out[i] = n;").kernel, options);
  EXPECT_EQ(simulation.log, "");
  EXPECT_TRUE(simulation.unfinished.contains("took longer than 1 s")) << simulation.unfinished;
}

TEST(Oclgrind, ThatIsMissingIsAnErrorThatSaysWhatToInstall) {
  const auto made = run_under_oclgrind({}, "/nonexistent/lib.so", worker_options());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::no_device);
  EXPECT_TRUE(made.error().message.contains("apt install oclgrind")) << made.error().message;
}

}  // namespace
}  // namespace vyre::trial
