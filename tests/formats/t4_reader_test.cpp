// T4 results: units, which measurement counts, and what stands in for what is missing.
#include "formats/t4_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "vyre/formats/recorded.h"

namespace vyre::formats {
namespace {

// One result with these members; the metadata have this unit, or none.
Measurement result_with(const std::string& members, const std::string& unit = "") {
  const std::string metadata =
      unit.empty() ? "" : fmt::format(R"("metadata": {{"timeunit": "{}"}}, )", unit);
  const auto made = parse_recorded(
      fmt::format(R"({{{}"results": [{{"configuration": {{"x": 1}}, {}}}]}})", metadata, members));
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? made->measurements[0] : Measurement{};
}

struct Unit {
  std::string name;
  double ms;
};

class T4Unit : public ::testing::TestWithParam<Unit> {};

TEST_P(T4Unit, OfTheFileIsThatOfEveryTimeInIt) {
  const auto& [name, ms] = GetParam();
  const Measurement made = result_with(
      R"("times": {"compilation": 2, "framework": 3, "validation": 5, "benchmark": 7,
         "runtimes": [40, 60]}, "measurements": [{"name": "time", "value": 11, "unit": ""}])",
      name);
  EXPECT_DOUBLE_EQ(made.time_ms, 11 * ms);
  EXPECT_DOUBLE_EQ(made.cost.compile_ms, 2 * ms);
  EXPECT_DOUBLE_EQ(made.cost.framework_ms, 3 * ms);
  EXPECT_DOUBLE_EQ(made.cost.verification_ms, 5 * ms);
  EXPECT_DOUBLE_EQ(made.cost.benchmark_ms, 7 * ms);
  const Measurement runs = result_with(R"("times": {"runtimes": [40, 60]})", name);
  EXPECT_DOUBLE_EQ(runs.time_ms, 50 * ms);
  EXPECT_DOUBLE_EQ(runs.cost.benchmark_ms, 100 * ms);
}

TEST_P(T4Unit, OfAMeasurementIsItsOwnWhateverThatOfTheFile) {
  const auto& [name, ms] = GetParam();
  for (const char* file : {"", "seconds", "nanoseconds"}) {
    const Measurement made = result_with(
        fmt::format(R"("measurements": [{{"name": "time", "value": 11, "unit": "{}"}}])", name),
        file);
    EXPECT_DOUBLE_EQ(made.time_ms, 11 * ms) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(All, T4Unit,
                         ::testing::Values(Unit{"s", 1e3}, Unit{"sec", 1e3}, Unit{"seconds", 1e3},
                                           Unit{"ms", 1}, Unit{"milliseconds", 1},
                                           Unit{"millisecond", 1}, Unit{"miliseconds", 1},
                                           Unit{"us", 1e-3}, Unit{"\xc2\xb5s", 1e-3},
                                           Unit{"microseconds", 1e-3}, Unit{"ns", 1e-6},
                                           Unit{"nanoseconds", 1e-6}, Unit{"nanosecond", 1e-6}));

TEST(T4, AUnitThatIsNotKnownIsThatOfTheFileAndThatOfTheFileMilliseconds) {
  const std::string time = R"("measurements": [{"name": "time", "value": 3, "unit": "fortnight"}])";
  EXPECT_DOUBLE_EQ(result_with(time, "seconds").time_ms, 3'000);
  EXPECT_DOUBLE_EQ(result_with(time, "fortnight").time_ms, 3);
  EXPECT_DOUBLE_EQ(result_with(time).time_ms, 3);
}

TEST(T4, TheUnitMayFollowTheResults) {
  const auto made = parse_recorded(
      R"({"results": [{"configuration": {"x": 1}, "times": {"runtimes": [2]}}],
          "metadata": {"timeunit": "seconds", "kernel": "k", "device": "d"}})");
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made->measurements[0].time_ms, 2'000);
  EXPECT_EQ(made->kernel, "k");
  EXPECT_EQ(made->device, "d");
}

TEST(T4, TheMeasurementNamedTimeCountsAndElseTheFirstObjective) {
  const std::string both = R"("measurements": [{"name": "energy", "value": 9},
      {"name": "time", "value": 4}, {"name": "speed", "value": 6}], )";
  EXPECT_DOUBLE_EQ(result_with(both + R"("objectives": ["speed", "energy"])").time_ms, 4);
  const std::string others =
      R"("measurements": [{"name": "energy", "value": 9}, {"name": "speed", "value": 6}], )";
  EXPECT_DOUBLE_EQ(result_with(others + R"("objectives": ["speed", "energy"])").time_ms, 6);
  EXPECT_DOUBLE_EQ(
      result_with(others + R"("objectives": ["power"], "times": {"runtimes": [3, 5]})").time_ms, 4);
  EXPECT_DOUBLE_EQ(result_with(R"("measurements": [{"name": "time", "value": null}],
                           "times": {"runtimes": [3, 5]})")
                       .time_ms,
                   4);
}

TEST(T4, WithoutAnyTimeItIsAFailure) {
  EXPECT_EQ(result_with(R"("objectives": [])").verdict, Verdict::runtime);
  EXPECT_EQ(result_with(R"("times": {"runtimes": []})").verdict, Verdict::runtime);
  EXPECT_EQ(
      result_with(R"("measurements": [{"name": "time", "value": "CompilationFailed"}])").verdict,
      Verdict::compile);
}

TEST(T4, CostsThatAreNoCostsAreNothing) {
  const Measurement made = result_with(R"("times": {"compilation": -5, "framework": NaN,
      "validation": "x", "benchmark": Infinity, "runtimes": [1]})");
  EXPECT_EQ(made.cost, Cost{});
  const Measurement other = result_with(R"("times": {"compilation_time": 2, "framework_time": 3,
      "validation_time": 5, "runtimes": 7, "search": 11})");
  EXPECT_EQ(other.cost, (Cost{2, 5, 7, 3}));
  EXPECT_DOUBLE_EQ(other.time_ms, 7);
}

TEST(T4, AResultMayHaveItsParametersInAnyOrderButEachOnce) {
  const auto made = parse_recorded(R"({"results": [
      {"configuration": {"x": 1, "y": "a"}, "times": {"runtimes": [1]}},
      {"configuration": {"y": "b", "x": 2}, "times": {"runtimes": [2]}}]})");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->space.key(1), "2,b");
  const auto refusal = [](const std::string& second) {
    return parse_recorded(R"({"results": [{"configuration": {"x": 1, "y": 1}},
        {"configuration": {)" +
                          second + "}}]}")
        .error()
        .message;
  };
  EXPECT_EQ(refusal(R"("x": 1)"), "the result has no value for 'y'");
  EXPECT_EQ(refusal(R"("x": 1, "y": 2, "z": 3)"), "the first result has no parameter 'z'");
  EXPECT_EQ(refusal(R"("x": 1, "x": 2)"), "the result has 'x' twice");
  EXPECT_EQ(refusal(R"("x": 1, "y": null)"),
            "the value of 'y' is no number, string, true or false");
}

}  // namespace
}  // namespace vyre::formats
