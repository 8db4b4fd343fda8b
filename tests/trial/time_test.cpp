#include "trial/time.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/programs.h"
#include "trial/faulty_kernels.h"
#include "vyre/trial/programs.h"

namespace vyre::trial {
namespace {

using namespace std::chrono_literals;
using measure::Rank;
using testing::data_of;
using testing::parsed;
using testing::tripled;
using testing::worker_options;
using testing::worker_session;

// x[i] + 1 after `work` steps that change nothing.
std::string stepping(const std::string& name, int work) {
  return "program " + name + " {\n  buffer x: u32[2048] read\n  buffer y: u32[2048] write\n" +
         "  grid 2048\n  let i = invocation.x\n  var a = x[i]\n  for k in 0 .. " +
         std::to_string(work) + " {\n    a = (a ^ k) ^ k\n  }\n  y[i] = a + 1\n}\n";
}

Candidate stepping_candidate(const std::string& name, int work, Language language) {
  const std::vector<std::uint32_t> numbers(2048, 7);
  const std::vector<worker::Data> buffers = {data_of(numbers), data_of(numbers)};
  return candidate({parsed(stepping(name, work)), {}}, buffers, language).value();
}

TEST(Time, RanksTwoProgramsOnTheReferenceDevice) {
  auto session = worker_session(worker_options("reference"));
  const std::vector candidates = {stepping_candidate("slow", 400, session.language()),
                                  stepping_candidate("fast", 100, session.language())};
  const auto report = time(session, candidates);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 2U);
  EXPECT_EQ(report->winner, 1U);
  EXPECT_EQ(report->basis, measure::Basis::cpu);
  EXPECT_TRUE(report->confirmed_by_wall);
  const Row& fast = report->rows[1];
  ASSERT_TRUE(fast.standing);
  EXPECT_EQ(fast.standing->rank, Rank::winner);
  EXPECT_GT(fast.time_ns, 0);
  EXPECT_GT(fast.cpu_ns, 0);
  EXPECT_LE(fast.time_interval.low, fast.time_ns);
  EXPECT_GE(fast.time_interval.high, fast.time_ns);
  const Row& slow = report->rows[0];
  EXPECT_TRUE(!slow.standing || slow.standing->rank == Rank::slower);
}

TEST(Time, ACandidateThatFailsIsARowWithItsReason) {
  auto session = worker_session();
  const std::vector candidates = {tripled("wrong", "out[i] = in[i];"),
                                  tripled("right", testing::correct_body)};
  const auto report = time(session, candidates);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->winner, 1U);
  EXPECT_EQ(report->rows[0].outcome.verdict, Verdict::correctness);
  EXPECT_FALSE(report->rows[0].standing);
  EXPECT_TRUE(report->rows[1].standing);
}

// It counts its launches in a buffer that nobody looks at, and hangs at the eleventh.
TEST(Time, ACandidateThatFailsInTheRaceGetsItsVerdictAndTheOthersRaceOn) {
  auto options = worker_options();
  options.run_limit = 1s;
  auto session = worker_session(options);
  Candidate hangs = tripled("hangs", "");
  hangs.kernel.source =
      "__kernel void k(__global int* in, __global int* out, int n, __global volatile int* count) {"
      "  int i = get_global_id(0);"
      "  out[i] = in[i] * 3 + 1;"
      "  if (i == 0) { count[0] += 1; while (count[0] > 10) {} }"
      "}";
  hangs.kernel.arguments.emplace_back(
      worker::BufferArgument{data_of(std::vector<int>{0}), Access::write});
  const std::vector candidates = {hangs, tripled("right", testing::correct_body)};
  TimeOptions how;
  how.evaluate.repeat = {.target = 10, .min_samples = 5, .max_samples = 5, .max_launches = 1};
  const auto report = time(session, candidates, how);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rows[0].outcome.verdict, Verdict::timeout) << report->rows[0].outcome.reason;
  EXPECT_EQ(report->rows[0].outcome.measured->samples.size(), 5U) << "samples are kept";
  EXPECT_EQ(report->winner, 1U);
}

TEST(Time, WithNothingCorrectThereIsNoWinner) {
  auto session = worker_session();
  const std::vector candidates = {tripled("wrong", "out[i] = in[i];")};
  const auto report = time(session, candidates);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->winner);
}

TEST(Time, KeepsEverySample) {
  auto session = worker_session(worker_options("reference"));
  const std::vector candidates = {stepping_candidate("one", 10, session.language())};
  TimeOptions options;
  options.evaluate.repeat = {.target = 1e-9, .budget = 100s, .max_samples = 12, .warm_up = 3};
  const auto report = time(session, candidates, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rows[0].outcome.measured->warm_up.size(), 3U);
  EXPECT_EQ(report->rows[0].outcome.measured->samples.size(), 12U);
  EXPECT_EQ(report->rows[0].standing->samples.size(), report->rounds);
}

TEST(TimePrograms, HasARowForEachInTheirOrder) {
  const std::vector<run::Request> programs = {{parsed(stepping("slow", 400)), {}},
                                              {parsed(stepping("fast", 100)), {}}};
  const std::vector<std::vector<std::byte>> contents(2, std::vector<std::byte>(2048 * 4));
  const auto times = time_programs(programs, contents, worker_options("reference"));
  ASSERT_TRUE(times) << times.error().message;
  ASSERT_EQ(times->size(), 2U);
  EXPECT_EQ((*times)[0].name, "slow");
  EXPECT_EQ((*times)[0].rank, trial::Rank::slower);
  EXPECT_EQ((*times)[1].rank, trial::Rank::first);
  EXPECT_EQ((*times)[1].verdict, Verdict::correct);
  EXPECT_GT((*times)[1].time_ns.value, 0);
  EXPECT_FALSE(time_programs(programs, std::span(contents).first(1), worker_options("reference")));
}

TEST(Candidate, IsRefusedWithBuffersOfAnotherLength) {
  const auto made = candidate({parsed(stepping("p", 1)), {}},
                              {data_of(std::vector<int>(3)), data_of(std::vector<int>(2048))},
                              Language::opencl_c);
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().message.contains("buffer 'x' of program p needs 8192 bytes"))
      << made.error().message;
}

TEST(Candidate, ExpectsWhatTheInterpreterComputes) {
  const Candidate made = stepping_candidate("p", 3, Language::opencl_c);
  ASSERT_EQ(made.expected.size(), 1U);
  EXPECT_EQ(made.expected[0].buffer, "y");
  EXPECT_EQ(testing::values_of<std::uint32_t>(*made.expected[0].content)[5], 8U);
}

const worker::Data& content_of(const Candidate& made, std::size_t argument) {
  return std::get<worker::BufferArgument>(made.kernel.arguments[argument]).content;
}

TEST(Candidate, StartsWhatIsOnlyWrittenAsACanary) {
  const std::vector<worker::Data> buffers = {data_of(std::vector<std::uint32_t>(2048, 7)),
                                             data_of(std::vector<std::uint32_t>(2048, 8))};
  const run::Request request{parsed(stepping("p", 1)), {}};
  const auto made = candidate(request, buffers, Language::vy);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(content_of(*made, 0), buffers[0]);
  EXPECT_EQ(*content_of(*made, 1), *canary(8192));
  const auto as_given = candidate(request, buffers, Language::vy, {.canaries = false});
  ASSERT_TRUE(as_given) << as_given.error().message;
  EXPECT_EQ(content_of(*as_given, 1), buffers[1]);
}

// The buffer holds the right results before, as it does where programs run one after the other.
TEST(Candidate, ThatLeavesOutWhatWasThereBeforeIsNotCorrect) {
  const auto doubled = [](const char* condition) {
    return parsed(std::string("program p {\n  buffer x: u32[64] read\n  buffer y: u32[64] write\n"
                              "  grid 64\n  let i = invocation.x\n  if ") +
                  condition + " { y[i] = x[i] * 2 }\n}\n");
  };
  const std::vector<worker::Data> buffers = {data_of(std::vector<std::uint32_t>(64, 4)),
                                             data_of(std::vector<std::uint32_t>(64, 8))};
  auto lazy = candidate({doubled("i != 12"), {}}, buffers, Language::vy);
  const auto whole = candidate({doubled("i < 64"), {}}, buffers, Language::vy);
  ASSERT_TRUE(lazy && whole);
  lazy->expected = whole->expected;
  auto session = worker_session(worker_options("reference"));
  const auto evaluated = evaluate(session, *lazy);
  ASSERT_TRUE(evaluated) << evaluated.error().message;
  EXPECT_EQ(evaluated->outcome().verdict, Verdict::correctness);
  EXPECT_TRUE(evaluated->outcome().reason.contains("element 12 is")) << evaluated->outcome().reason;
}

constexpr const char* oclgrind = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

TEST(Oclgrind, FindsAReadJustOutOfBoundsThatTheDeviceHides) {
  if (!std::filesystem::exists(oclgrind)) GTEST_SKIP() << "Oclgrind is not installed";
  auto session = worker_session();
  const EvaluateOptions checked{.oclgrind = oclgrind, .oclgrind_worker = worker_options()};
  const auto hidden = evaluate(
      session, tripled("hidden", "volatile int far = in[i + 1]; out[i] = in[i] * 3 + 1;"), checked);
  ASSERT_TRUE(hidden) << hidden.error().message;
  EXPECT_EQ(hidden->outcome().verdict, Verdict::runtime);
  EXPECT_TRUE(hidden->outcome().reason.contains("Invalid read")) << hidden->outcome().reason;
  const auto right = evaluate(session, tripled("right", testing::correct_body), checked);
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_EQ(right->outcome().verdict, Verdict::correct) << right->outcome().reason;
}

TEST(Oclgrind, ThatIsNotInstalledIsAnErrorThatSaysWhatToInstall) {
  auto session = worker_session();
  const auto made = evaluate(session, tripled("right", testing::correct_body),
                             {.oclgrind = "/nonexistent/lib.so"});
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().message.contains("apt install oclgrind")) << made.error().message;
}

}  // namespace
}  // namespace vyre::trial
