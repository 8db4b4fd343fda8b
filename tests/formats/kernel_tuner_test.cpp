// Kernel Tuner caches: which of an entry's members counts.
#include "formats/kernel_tuner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "vyre/formats/recorded.h"

namespace vyre::formats {
namespace {

Measurement entry_with(const std::string& members, const std::string& objective = "time") {
  const auto made = parse_recorded(fmt::format(
      R"({{"objective": "{}", "tune_params_keys": ["x"], "tune_params": {{"x": [1]}},
           "cache": {{"1": {{"x": 1, {}}}}}}})",
      objective, members));
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? made->measurements[0] : Measurement{};
}

TEST(KernelTunerEntry, AnErrorCountsWhateverItsTimeSays) {
  for (const char* time : {"2.5", "1e20", "\"x\"", "null"}) {
    const std::string with = fmt::format(R"("time": {}, )", time);
    EXPECT_EQ(entry_with(with + R"("__error__": "CompilationFailedConfig")").verdict,
              Verdict::compile)
        << time;
    EXPECT_EQ(entry_with(with + R"("__error__": "RuntimeFailedConfig")").verdict, Verdict::runtime);
    EXPECT_EQ(entry_with(with + R"("__error__": "InvalidConfig")").time_ms, 0);
  }
  // Before the time as well as behind it.
  EXPECT_EQ(entry_with(R"("__error__": "InvalidConfig", "time": 2.5)").verdict,
            Verdict::constraints);
  EXPECT_EQ(entry_with(R"("__error__": null, "time": 2.5)").verdict, Verdict::correct);
}

TEST(KernelTunerEntry, ItsTimeCountsAndElseItsObjective) {
  EXPECT_EQ(entry_with(R"("time": 2, "GFLOPs": 7)", "GFLOPs").time_ms, 2);
  EXPECT_EQ(entry_with(R"("GFLOPs": 7)", "GFLOPs").time_ms, 7);
  EXPECT_EQ(entry_with(R"("GFLOPs": 7)").verdict, Verdict::runtime);
  EXPECT_EQ(entry_with(R"("time": null, "power": 5)", "power").time_ms, 5);
}

TEST(KernelTunerEntry, EachCostHasItsPlaceAndWhatIsNoCostIsNothing) {
  const Measurement made = entry_with(R"("time": 2, "compile_time": 3, "verification_time": 5,
      "benchmark_time": 7.5, "framework_time": 11, "strategy_time": 100)");
  EXPECT_EQ(made.cost, (Cost{3, 5, 7.5, 11}));
  EXPECT_EQ(made.cost.total_ms(), 26.5);
  EXPECT_EQ(entry_with(R"("time": 2, "compile_time": -3, "verification_time": NaN,
      "benchmark_time": "x", "framework_time": [1])")
                .cost,
            Cost{});
}

TEST(KernelTunerEntry, WithoutAValueForAParameterItIsRefused) {
  const auto made =
      parse_recorded(R"({"tune_params_keys": ["x", "y"], "cache": {"1": {"x": 1, "time": 2}}})");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "the entry has no value for 'y'");
}

TEST(KernelTunerCache, NamesItsParametersByTheListOrByTheValues) {
  const auto listed = parse_recorded(R"({"tune_params_keys": ["b", "a"],
      "tune_params": {"a": [1, 2], "b": [4, 3], "c": [9]},
      "cache": {"3,1": {"a": 1, "b": 3, "time": 2}}})");
  ASSERT_TRUE(listed) << to_string(listed.error());
  EXPECT_EQ(listed->space.key(0), "3,1");
  EXPECT_EQ(listed->space.digits(0), (std::vector<space::Digit>{1, 0}));
  const auto unlisted = parse_recorded(R"({"tune_params": {"a": [1, 2], "b": [4, 3]},
      "cache": {"1,3": {"b": 3, "a": 1, "time": 2}}})");
  ASSERT_TRUE(unlisted) << to_string(unlisted.error());
  EXPECT_EQ(unlisted->space.key(0), "1,3");
}

}  // namespace
}  // namespace vyre::formats
