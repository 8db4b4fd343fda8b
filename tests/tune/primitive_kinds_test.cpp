#include "tune/primitive_kinds.h"

#include <gtest/gtest.h>

#include "primitives/calls.h"
#include "support/stopped_clock.h"
#include "support/worker.h"
#include "tune/decide.h"

namespace vyre::tune {
namespace {

PrimitiveShape shape_of(std::string_view text) {
  auto shape = parse_primitive(text);
  if (!shape) throw std::runtime_error(shape.error().message);
  return *std::move(shape);
}

TEST(PrimitiveKinds, AreNamedWithTheirShape) {
  const auto shape = shape_of("convolution:640x480x5x3");
  EXPECT_EQ(shape.kind->name, "convolution");
  EXPECT_EQ(shape.sizes, (std::vector<std::uint32_t>{640, 480, 5, 3}));
  EXPECT_EQ(to_string(shape), "convolution:640x480x5x3");
}

TEST(PrimitiveKinds, ABadShapeIsRefusedWithTheRightForm) {
  for (const char* bad : {"kfac:0x4", "kfac:4", "kfac", "kfac:", "kfac:4x", "kfac:x4", "kfac:4x4x4",
                          "kfac:4x-4", "kfac:4x5000000000", "kfac:4 x4", "kfac:4x4 "}) {
    const auto refused = parse_primitive(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_NE(refused.error().message.find(
                  "kfac:BLOCKSxN (the inverses of blocks of N x N), for example kfac:1000x16"),
              std::string::npos)
        << refused.error().message;
  }
  EXPECT_NE(parse_primitive("gemm:axb").error().message.find("gemm:MxNxK"), std::string::npos);
}

TEST(PrimitiveKinds, AnUnknownNameIsRefusedWithTheNames) {
  const auto refused = parse_primitive("sort:100");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("kfac, gemm, reduce, scan, transpose, convolution"),
            std::string::npos)
      << refused.error().message;
}

TEST(PrimitiveKinds, TheStandardSetHasOneOfEachThatCanBeRead) {
  const auto standard = standard_primitives();
  ASSERT_EQ(standard.size(), primitive_kinds().size());
  for (const PrimitiveShape& shape : standard) {
    EXPECT_EQ(shape_of(to_string(shape)).sizes, shape.sizes);
  }
}

// On shapes that leave something over everywhere.
class EachPrimitive : public ::testing::TestWithParam<const char*> {};

TEST_P(EachPrimitive, HasMembersThatAgreeAndCountsTheirLaunches) {
  auto evaluator = testing::evaluator(testing::worker_options("reference"));
  const auto made = tunable(shape_of(GetParam()), evaluator.adapter());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->family.name, GetParam());
  testing::StoppedClock clock;
  DecideOptions options;
  options.loop.tune.evaluations = 24;
  options.loop.evaluate.repeat.max_samples = 3;
  options.loop.race.max_rounds = 3;
  auto& calls = primitives::call_counter(made->family.primitive);
  const std::uint64_t before = calls.launches();
  const auto decided =
      decide(made->family,
             {.evaluator = [&]() -> Result<trial::Evaluator*> { return &evaluator; },
              .workload = [&]() -> Result<Workload> { return made->workload; }},
             options, clock);
  ASSERT_TRUE(decided) << decided.error().message;
  ASSERT_TRUE(decided->tuning);
  EXPECT_GE(decided->tuning->attempts.size(), std::min<std::size_t>(made->family.space.size(), 24));
  for (const Attempt& attempt : decided->tuning->attempts) {
    EXPECT_EQ(attempt.outcome.verdict, Verdict::correct)
        << made->family.space.key(attempt.index) << ": " << attempt.outcome.reason;
  }
  EXPECT_GE(calls.launches() - before, decided->tuning->attempts.size());
}

INSTANTIATE_TEST_SUITE_P(All, EachPrimitive,
                         ::testing::Values("kfac:5x3", "gemm:19x37x21", "reduce:10007",
                                           "scan:10007", "transpose:37x53",
                                           "convolution:37x23x5x3"));

// What is wrong in a member's own data is seen: a part that is not the share's sum.
TEST(PrimitiveKinds, APartOfAReductionThatIsWrongIsNotCorrect) {
  auto evaluator = testing::evaluator(testing::worker_options("reference"));
  const auto made = tunable(shape_of("reduce:1000"), evaluator.adapter());
  ASSERT_TRUE(made);
  auto candidate = made->family.members->candidate(0, made->workload, evaluator.language());
  ASSERT_TRUE(candidate) << candidate.error().message;
  ASSERT_EQ(candidate->expected.size(), 1U);
  auto parts = *candidate->expected[0].content;
  parts[3] ^= std::byte{0x40};
  candidate->expected[0].content = worker::data(std::move(parts));
  evaluator.submit(*candidate, {});
  const auto evaluated = evaluator.next();
  ASSERT_TRUE(evaluated) << evaluated.error().message;
  EXPECT_EQ(evaluated->outcome().verdict, Verdict::correctness);
}

TEST(PrimitiveKinds, TheUsualLayoutIsTriedWhateverTheBudget) {
  auto evaluator = testing::evaluator(testing::worker_options("reference"));
  const auto made = tunable(shape_of("kfac:40x4"), evaluator.adapter());
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->family.usual);
  testing::StoppedClock clock;
  DecideOptions options;
  options.loop.tune.evaluations = 1;
  options.loop.evaluate.repeat.max_samples = 3;
  options.loop.race.max_rounds = 3;
  std::vector<bool> last;
  options.watch = [&](const Progress& progress) {
    last.push_back(progress.last);
    return true;
  };
  const auto decided =
      decide(made->family,
             {.evaluator = [&]() -> Result<trial::Evaluator*> { return &evaluator; },
              .workload = [&]() -> Result<Workload> { return made->workload; }},
             options, clock);
  ASSERT_TRUE(decided) << decided.error().message;
  ASSERT_EQ(decided->tuning->attempts.size(), 2U);
  EXPECT_EQ(decided->tuning->attempts[1].index, *made->family.usual);
  EXPECT_EQ(last, (std::vector<bool>{false, true})) << "the race is announced once";
}

}  // namespace
}  // namespace vyre::tune
