#include "vyre/formats/recorded.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

namespace vyre::formats {
namespace {

const std::string cache = R"({
"device_name": "A100", "kernel_name": "convolution", "problem_size": [4096, 4096],
"tune_params_keys": ["block", "mode"],
"tune_params": {"block": [32, 16, 64], "mode": ["a", "b"]},
"objective": "time",
"cache": {
"16,a": {"block": 16, "mode": "a", "time": 2.5, "times": [2.25, 2.75], "compile_time": 100.5,
  "verification_time": 3, "benchmark_time": 6.5, "framework_time": 1, "strategy_time": 9},
"32,b": {"block": 32, "mode": "b", "time": "CompilationFailedConfig", "compile_time": 50},
"64,b": {"block": 64, "mode": "b", "time": 1e20, "__error__": "RuntimeFailedConfig"}}
})";

const std::string results = R"({"schema_version": "1.0.0", "metadata": {"timeunit": "miliseconds"},
"results": [
{"configuration": {"block": 16, "fast": true}, "times": {"compilation": 100.5, "framework": 1,
 "search_algorithm": 4, "validation": 3, "runtimes": [2.25, 2.75]}, "invalidity": "correct",
 "measurements": [{"name": "energy", "value": 7}, {"name": "time", "value": 2.5, "unit": ""}],
 "objectives": ["time"]},
{"configuration": {"fast": false, "block": 8}, "times": {"compilation_time": 50},
 "invalidity": "timeout", "measurements": [{"name": "time", "value": "x", "unit": ""}],
 "objectives": ["time"]}]})";

// Position of what follows the n-th entry of `cache`.
std::size_t behind_entry(std::size_t n) {
  std::size_t at = cache.find("\"cache\"");
  for (std::size_t i = 0; i < n; ++i) at = cache.find('}', at) + 1;
  return at;
}

TEST(T4, WhatIsNotCorrectHasNoTime) {
  const auto outcome_of = [](const std::string& word) {
    std::string text = results;
    text.replace(text.find("\"correct\""), 9, "\"" + word + "\"");
    const auto read = parse_recorded(text);
    if (!read) return Measurement{};
    return read->measurements[0];
  };
  EXPECT_EQ(outcome_of("correct").verdict, Verdict::correct);
  for (const auto& [word, outcome] : {std::pair("correctness", Verdict::correctness),
                                      {"Incorrect", Verdict::correctness},
                                      {"correctly", Verdict::runtime},
                                      {"unheard of", Verdict::runtime}}) {
    EXPECT_EQ(outcome_of(word).verdict, outcome) << word;
    EXPECT_EQ(outcome_of(word).time_ms, 0) << word;
  }
}

TEST(KernelTunerCache, TimesFailuresAndCostsAreRead) {
  const auto read = parse_recorded(cache, "demo");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->name, "demo");
  EXPECT_EQ(read->device, "A100");
  EXPECT_EQ(read->kernel, "convolution");
  ASSERT_EQ(read->space.size(), 3);
  EXPECT_EQ(read->space.key(0), "16,a");
  EXPECT_EQ(read->measurements[0], (Measurement{Verdict::correct, 2.5, {100.5, 3, 6.5, 1}}));
  EXPECT_EQ(read->measurements[1], (Measurement{Verdict::compile, 0, {50, 0, 0, 0}}));
  EXPECT_EQ(read->measurements[2].verdict, Verdict::runtime);
}

TEST(KernelTunerCache, TheOrderOfValuesIsThatOfTheFile) {
  const auto read = parse_recorded(cache);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->space.digits(0), (std::vector<space::Digit>{1, 0}));
}

TEST(KernelTunerCache, AFileLeftOpenHoldsTheEntriesThatAreComplete) {
  for (std::size_t entries = 1; entries <= 3; ++entries) {
    const std::string open = cache.substr(0, behind_entry(entries));
    for (const std::string_view ending :
         {"", ",", ",\n", ",\n\"64,", ",\n\"9,a\": {\"block\": 9,"}) {
      const auto read = parse_recorded(open + std::string(ending));
      ASSERT_TRUE(read) << to_string(read.error()) << ending;
      EXPECT_EQ(read->space.size(), entries);
      EXPECT_TRUE(read->is_cut) << ending;
    }
  }
  EXPECT_FALSE(parse_recorded(cache)->is_cut);
}

// A file that is complete but for what follows its entries is open too.
TEST(KernelTunerCache, OnlyTheLastBraceClosesIt) {
  const std::string open = cache.substr(0, cache.rfind('}'));
  EXPECT_TRUE(parse_recorded(open).value().is_cut);
  EXPECT_EQ(parse_recorded(open)->space.size(), 3U);
  // Without the names of its parameters it cannot be read as far as it goes.
  EXPECT_FALSE(
      parse_recorded(R"({"cache": {"1": {"x": 1, "time": 3.5}}, "tune_params": {"x": [1]})"));
}

TEST(KernelTunerCache, ThatEndsBeforeItsEntriesIsRefusedBecauseItEnds) {
  for (const char* text : {R"({"tune_params_keys": ["x"], "tune_params": {"x": [1, 2)",
                           R"({"tune_params_keys": ["x"], "tune_params": {"x": [1, 2]})"}) {
    const auto read = parse_recorded(text);
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().message.contains("found the end")) << read.error().message;
  }
}

TEST(KernelTunerCache, SaysHowManyCombinationsItsValuesHave) {
  EXPECT_EQ(parse_recorded(cache)->combinations, 6);
  EXPECT_EQ(parse_recorded(R"({"tune_params_keys": ["x", "y"],
      "tune_params": {"y": [1, 2, 2.0, true], "x": ["a", "b", "a"]},
      "cache": {"a,1": {"x": "c", "y": 1, "time": 3}}})")
                ->combinations,
            4);
  EXPECT_EQ(parse_recorded(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 3}}})")
                ->combinations,
            std::nullopt);
  EXPECT_EQ(parse_recorded(results)->combinations, std::nullopt);
}

// The work of refusing must not grow with the square of the number of parameters.
std::string many(std::size_t count, std::string_view format) {
  std::string made;
  for (std::size_t i = 0; i < count; ++i) {
    made += (i == 0 ? "" : ",") + fmt::format(fmt::runtime(format), i);
  }
  return made;
}

TEST(KernelTunerCache, TooManyParametersAreRefusedWhereTheyAreTooMany) {
  const std::string names = many(2'000, "\"p{}\"");
  for (const std::string& text :
       {fmt::format(R"({{"tune_params_keys": [{}], "cache": {{}}}})", names),
        fmt::format(R"({{"tune_params": {{{}}}, "cache": {{}}}})", many(2'000, "\"p{}\":[1]"))}) {
    const auto read = parse_recorded(text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "a cache has at most 1024 parameters");
    EXPECT_LT(read.error().place.column, 14'000U);
  }
}

TEST(T4, TooManyParametersAreRefusedWhereTheyAreTooMany) {
  const auto with = [](std::size_t count) {
    return parse_recorded(
        fmt::format(R"({{"results": [{{"configuration": {{{}}}}}]}})", many(count, "\"p{}\":1")));
  };
  EXPECT_TRUE(with(1'024));
  const auto read = with(100'000);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "a configuration has at most 1024 parameters");
  EXPECT_LT(read.error().place.column, 12'000U);
}

// Not even by something that looks like the beginning of a number.
TEST(KernelTunerCache, AMistakeInItsMiddleIsNoEnd) {
  std::string text = cache;
  text.replace(text.find("2.5"), 3, "2.5.5");
  const auto read = parse_recorded(text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "expected a number, found '2'");
}

TEST(KernelTunerCache, EveryPrefixIsReadOrRefusedWithAReason) {
  for (std::size_t length = 0; length < cache.size(); ++length) {
    const auto read = parse_recorded(cache.substr(0, length));
    EXPECT_TRUE(read || !read.error().message.empty());
  }
}

TEST(KernelTunerCache, TheParametersMayFollowTheEntries) {
  const auto read = parse_recorded(
      R"({"cache": {"1": {"x": 1, "time": 3.5}}, "tune_params": {"x": [1]},
          "tune_params_keys": ["x"]})");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->measurements[0].time_ms, 3.5);
}

TEST(KernelTunerCache, TheLastOfTwoEntriesForAConfigurationCounts) {
  const auto read = parse_recorded(
      R"({"tune_params_keys": ["x"], "tune_params": {"x": [1, 2]}, "cache": {
          "1": {"x": 1, "time": 3}, "2": {"x": 2, "time": 4}, "1": {"x": 1, "time": 5}}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->space.size(), 2);
  EXPECT_EQ(read->measurements[0].time_ms, 5);
}

TEST(KernelTunerCache, ATimeThatIsNoTimeIsAFailure) {
  for (const std::string_view time :
       {"NaN", "Infinity", "0", "-1", "1e20", "\"InvalidConfig\"", "null"}) {
    const auto read =
        parse_recorded(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": )" +
                       std::string(time) + "}}}");
    ASSERT_TRUE(read) << time;
    EXPECT_NE(read->measurements[0].verdict, Verdict::correct) << time;
  }
}

TEST(T4, TimesFailuresAndCostsAreRead) {
  const auto read = parse_recorded(results);
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->space.size(), 2);
  EXPECT_EQ(read->space.key(0), "16,True");
  EXPECT_EQ(read->space.key(1), "8,False");
  EXPECT_EQ(read->measurements[0], (Measurement{Verdict::correct, 2.5, {100.5, 3, 5, 1}}));
  EXPECT_EQ(read->measurements[1], (Measurement{Verdict::timeout, 0, {50, 0, 0, 0}}));
}

TEST(T4, NumbersAreInAscendingOrder) {
  const auto read = parse_recorded(results);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->space.digit(0, 0), 1);
  EXPECT_EQ(read->space.digit(1, 0), 0);
}

TEST(T4, EveryPrefixIsRefusedWithAPlace) {
  for (std::size_t length = 0; length < results.size(); ++length) {
    const auto read = parse_recorded(results.substr(0, length));
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().place.known());
  }
}

TEST(T4, AResultWithOtherParametersIsRefused) {
  EXPECT_FALSE(
      parse_recorded(R"({"results": [{"configuration": {"x": 1}}, {"configuration": {"y": 1}}]})"));
  EXPECT_FALSE(parse_recorded(
      R"({"results": [{"configuration": {"x": 1}}, {"configuration": {"x": 1, "y": 1}}]})"));
}

TEST(Recorded, WhatIsNoRecordIsRefused) {
  for (const std::string_view text :
       {"", "[]", "{}", "7", "{\"a\": 1}", "{\"results\": 3}", "{\"cache\": []}",
        "{\"results\": [{\"configuration\": {\"x\": [1]}}]}"}) {
    EXPECT_FALSE(parse_recorded(text)) << text;
  }
}

TEST(Recorded, DeepNestingIsRefused) {
  EXPECT_FALSE(parse_recorded("{\"a\": " + std::string(1'000'000, '[')));
}

TEST(Recorded, AnErrorNamesThePlace) {
  const auto read =
      parse_recorded("{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"x\": ?}}}");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().place, (Place{2, 22}));
}

class RecordedFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("vyre_recorded_" + std::to_string(::getpid()));
};

TEST_F(RecordedFile, ACompressedFileIsReadAndNamedByItsStem) {
  gzFile file = gzopen(path("demo-A100.json.gz").c_str(), "wb");
  gzwrite(file, results.data(), static_cast<unsigned>(results.size()));
  gzclose(file);
  const auto read = read_recorded(path("demo-A100.json.gz"));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->name, "demo-A100");
  EXPECT_EQ(read->space.size(), 2);

  const auto bytes = std::filesystem::file_size(path("demo-A100.json.gz"));
  std::filesystem::resize_file(path("demo-A100.json.gz"), bytes - 12);
  const auto cut = read_recorded(path("demo-A100.json.gz"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().kind, ErrorKind::io);
}

TEST_F(RecordedFile, AFileThatIsNotThereOrAFolderIsAnError) {
  EXPECT_EQ(read_recorded(path("none.json")).error().kind, ErrorKind::io);
  EXPECT_EQ(read_recorded(path("")).error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace vyre::formats
