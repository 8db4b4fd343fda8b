#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support/subprocess.h"
#include "trial/evaluate.h"
#include "trial/faulty_kernels.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using testing::correct_body;
using testing::TemporaryDirectory;
using testing::tripled;
using testing::worker_options;
using testing::worker_session;

// Quick verdicts matter here, not times.
EvaluateOptions quick() { return {.repeat = {.budget = 20ms, .max_samples = 5}}; }

worker::Options impatient() {
  auto options = worker_options();
  options.run_limit = 1s;
  return options;
}

class Faults : public ::testing::Test {
 protected:
  Faults() : session_(worker_session(impatient())) {}

  Outcome outcome(const Candidate& candidate) {
    auto evaluated = evaluate(session_, candidate, quick());
    if (!evaluated) throw std::runtime_error(evaluated.error().message);
    return evaluated->outcome();
  }

  // The verdict on a kernel, after which a correct one still is.
  void expect(Verdict verdict, std::string_view body, std::string_view reason = "") {
    const Outcome got = outcome(tripled("faulty", body));
    EXPECT_EQ(name_of(got.verdict), name_of(verdict)) << got.reason;
    EXPECT_TRUE(got.reason.contains(reason)) << got.reason;
    expect_goes_on();
  }

  void expect_goes_on() {
    const Outcome after = outcome(tripled("correct", correct_body));
    EXPECT_EQ(after.verdict, Verdict::correct) << after.reason;
    EXPECT_TRUE(after.measured && !after.measured->samples.empty());
  }

  worker::Session session_;
};

TEST_F(Faults, ACorrectKernelIsCorrect) { expect_goes_on(); }

TEST_F(Faults, AnEndlessLoopIsATimeout) {
  expect(Verdict::timeout, "volatile int x = 0; while (x == 0) {} out[i] = x;", "longer than 1 s");
}

TEST_F(Faults, ADivergentBarrierIsNotCorrect) {
  const Outcome got = outcome(tripled(
      "faulty",
      "__local int l[64]; l[i % 64] = in[i]; if (in[i] % 64 < 7) barrier(CLK_LOCAL_MEM_FENCE);"
      " out[i] = l[(i + 1) % 64];"));
  EXPECT_NE(got.verdict, Verdict::correct);
  expect_goes_on();
}

TEST_F(Faults, AWriteFarOutOfBoundsIsARuntimeFaultWithItsSignal) {
  expect(Verdict::runtime, testing::crashing_body);
}

TEST_F(Faults, AReadFarOutOfBoundsIsARuntimeFault) {
  expect(Verdict::runtime, "out[i] = in[(long)i * 1000000000L + 1000000000000L];");
}

TEST_F(Faults, AWriteNearTheBufferIsARuntimeFaultThatSaysWhere) {
  expect(Verdict::runtime, "out[i] = in[i] * 3 + 1; if (i == 0) out[n + 300] = 7;",
         "buffer 'out' 1201 bytes past its end");
}

TEST_F(Faults, AWriteOneElementPastTheEndIsARuntimeFault) {
  expect(Verdict::runtime, "out[i] = in[i] * 3 + 1; if (i == n - 1) out[n] = 7;",
         "buffer 'out' 1 bytes past its end");
}

TEST_F(Faults, AWriteOneElementBeforeTheStartIsARuntimeFault) {
  expect(Verdict::runtime, "out[i] = in[i] * 3 + 1; if (i == 0) out[-1] = 7;", "before its start");
}

// A driver that knows how much stack there is refuses the workgroup.
// Some drivers refuse it, some crash, and some take it from elsewhere and are slow.
TEST_F(Faults, AStackThatIsTooLargeCostsOnlyItself) {
  const Outcome got = outcome(tripled(
      "faulty",
      "volatile int big[64 << 20]; for (int j = 0; j < (64 << 20); j += 1000) big[j] = in[i];"
      " out[i] = big[1000 * i];"));
  EXPECT_TRUE(got.verdict == Verdict::runtime || got.verdict == Verdict::constraints ||
              got.verdict == Verdict::timeout)
      << got.reason;
  expect_goes_on();
}

TEST_F(Faults, ADivisionByZeroIsNotCorrect) {
  const Outcome got = outcome(tripled("faulty", "out[i] = 3072 / in[i];"));
  EXPECT_TRUE(got.verdict == Verdict::correctness || got.verdict == Verdict::runtime) << got.reason;
  expect_goes_on();
}

TEST_F(Faults, ACompileErrorComesWithItsLog) {
  expect(Verdict::compile, "out[i] = undeclared_name;", "undeclared_name");
}

TEST_F(Faults, ACompileThatTakesTooLongIsATimeout) {
  auto options = worker_options();
  options.build_limit = 2s;
  session_ = worker_session(options);
  const Outcome got = outcome(tripled("faulty", testing::endless_to_compile()));
  EXPECT_EQ(got.verdict, Verdict::timeout);
  EXPECT_TRUE(got.reason.contains("compiling it")) << got.reason;
}

TEST_F(Faults, OneWrongElementIsNamedWithWhatWasExpected) {
  expect(Verdict::correctness, "out[i] = in[i] * 3 + 1; if (i == 700) out[i] = 5;",
         "buffer 'out': element 700 is 5, expected 2101; 1 of 1024 elements differ");
}

TEST_F(Faults, AResultThatAnEarlierKernelLeftBehindIsNotCorrect) {
  expect_goes_on();
  expect(Verdict::correctness, "if (i != 12) out[i] = in[i] * 3 + 1;", "element 12 is");
}

TEST_F(Faults, AnInputThatIsChangedIsReported) {
  expect(Verdict::correctness, "out[i] = in[i] * 3 + 1; if (i == 3) in[i] = 9;",
         "argument 0, which it must only read, at byte 12");
}

TEST_F(Faults, MoreThanTheDeviceHasIsAConstraint) {
  Candidate candidate = tripled("faulty", correct_body);
  candidate.kernel.shape = testing::row(1 << 20, 1 << 20);
  const Outcome got = outcome(candidate);
  EXPECT_EQ(got.verdict, Verdict::constraints);
  EXPECT_TRUE(got.reason.contains("workgroup")) << got.reason;
  expect_goes_on();
}

TEST_F(Faults, AKernelThatIsNotInTheSourceIsAnErrorOfTheRun) {
  Candidate candidate = tripled("faulty", correct_body);
  candidate.kernel.entry = "missing";
  const auto got = evaluate(session_, candidate, quick());
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::input);
  expect_goes_on();
}

TEST_F(Faults, AWorkerKilledFromOutsideIsARuntimeFault) {
  const auto endless = tripled("faulty", "volatile int x = 0; while (x == 0) {} out[i] = x;");
  session_ = worker_session();
  ASSERT_TRUE(session_.build(endless.kernel)) << "from now on it is compiled quickly";
  session_.renew();
  ASSERT_TRUE(session_.ready());
  const std::jthread killer([pid = *session_.process()] {
    std::this_thread::sleep_for(1500ms);
    kill(pid, SIGKILL);
  });
  const Outcome got = outcome(endless);
  EXPECT_EQ(got.verdict, Verdict::runtime);
  EXPECT_TRUE(got.reason.contains("signal 9")) << got.reason;
  expect_goes_on();
}

// A kernel that runs to its end once and then never again.
TEST_F(Faults, AHangWhileItIsTimedIsATimeout) {
  Candidate candidate = tripled("faulty",
                                "if (i == 0) { while (out[n - 1] == 3 * n - 2) {} }"
                                " out[i] = in[i] * 3 + 1;");
  const Outcome got = outcome(candidate);
  EXPECT_EQ(got.verdict, Verdict::timeout) << got.reason;
  expect_goes_on();
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

std::string children() {
  std::string all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string line;
    std::getline(std::ifstream(task.path() / "children"), line);
    all += line;
  }
  return all;
}

TEST(FaultsInARow, TwoHundredLeaveNothingBehind) {
  const TemporaryDirectory scratch;
  const std::size_t descriptors = open_descriptors();
  {
    auto options = worker_options();
    options.scratch = scratch.path().string();
    options.run_limit = 500ms;
    auto session = worker_session(options);
    const std::vector<Candidate> faulty = {
        tripled("far", "out[(long)i * 1000000000L + 1000000000000L] = 1;"),
        tripled("near", "out[i] = in[i] * 3 + 1; if (i == 0) out[n] = 7;"),
        tripled("compile", "out[i] = undeclared_name;"), tripled("wrong", "out[i] = in[i];"),
        tripled("endless", "volatile int x = 0; while (x == 0) {} out[i] = x;")};
    for (std::size_t i = 0; i < 200; ++i) {
      const auto got = evaluate(session, faulty[i % faulty.size()], quick());
      ASSERT_TRUE(got) << got.error().message;
      EXPECT_NE(got->outcome().verdict, Verdict::correct);
    }
    const auto after = evaluate(session, tripled("correct", correct_body), quick());
    ASSERT_TRUE(after);
    EXPECT_EQ(after->outcome().verdict, Verdict::correct) << after->outcome().reason;
  }
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_EQ(children(), "");
}

}  // namespace
}  // namespace vyre::trial
