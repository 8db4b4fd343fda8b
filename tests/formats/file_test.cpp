// Whole files: their bounds, compressed ones, and what is said of those that cannot be read.
#include "formats/file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>

#include "formats/t1.h"
#include "support/subprocess.h"
#include "vyre/formats/recorded.h"

namespace vyre::formats {
namespace {

TEST(File, IsReadUpToTheBoundAndNoFurther) {
  const testing::TemporaryDirectory directory;
  const std::string file = directory.write("text", "twelve bytes");
  EXPECT_EQ(read_text(file), "twelve bytes");
  EXPECT_EQ(read_text(file, 12), "twelve bytes");
  const auto refused = read_text(file, 11);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, file + " is larger than 11 bytes");
}

TEST(File, ComesBackAsItWasWrittenHoweverLong) {
  const testing::TemporaryDirectory directory;
  std::string text;
  for (std::int64_t i = 0; text.size() < 5'000'000; ++i) text += std::to_string(i * 7919);
  for (const std::size_t length : {0UL, 1UL, 1UL << 20, (1UL << 20) + 1, text.size()}) {
    for (const char* name : {"plain", "packed.gz"}) {
      const std::string file = (directory.path() / name).string();
      ASSERT_TRUE(write_text(file, std::string_view(text).substr(0, length)));
      EXPECT_EQ(read_text(file), text.substr(0, length)) << name << " " << length;
    }
  }
  EXPECT_LT(std::filesystem::file_size(directory.path() / "packed.gz"), text.size() / 2);
}

TEST(File, WhatCannotBeReadSaysWhy) {
  const testing::TemporaryDirectory directory;
  const std::string folder = directory.path().string();
  EXPECT_EQ(read_text(folder).error().message, "cannot read " + folder + ": Is a directory");
  EXPECT_EQ(read_text(folder + "/none").error().message,
            "cannot open " + folder + "/none: No such file or directory");
  const std::string packed = folder + "/packed.gz";
  ASSERT_TRUE(write_text(packed, std::string(100'000, 'x')));
  std::filesystem::resize_file(packed, std::filesystem::file_size(packed) - 9);
  EXPECT_EQ(read_text(packed).error().message,
            "cannot read " + packed + ": the compressed data end early");
}

TEST(File, ItsStemIsItsNameWithoutFolderAndKnownEndings) {
  EXPECT_EQ(stem("data/gemm-A100.json.gz"), "gemm-A100");
  EXPECT_EQ(stem("gemm.json"), "gemm");
  EXPECT_EQ(stem("/a.json/b"), "b");
  EXPECT_EQ(stem("x.gz"), "x");
  EXPECT_EQ(stem("x.txt"), "x.txt");
}

TEST(File, AMistakeInItIsReportedWithItsPath) {
  const testing::TemporaryDirectory directory;
  const std::string empty = directory.write("empty.json", "{}");
  EXPECT_EQ(read_recorded(empty).error().message,
            empty + ": neither T4 results (\"results\") nor a Kernel Tuner cache (\"cache\")");
  EXPECT_TRUE(read_t1(empty).error().message.starts_with(empty + ": not a T1 file"));
  // A place says it better: the path is put before it by whoever prints it.
  const std::string broken = directory.write("broken.json", "{\"results\": 3}");
  EXPECT_EQ(to_string(read_recorded(broken).error()), "1:13: expected a list, found '3'");
}

TEST(File, OfADefinitionIsRead) {
  const testing::TemporaryDirectory directory;
  const auto read = read_t1(directory.write("t1.json", R"({"ConfigurationSpace":
      {"TuningParameters": [{"Name": "x", "Values": "[1, 2]"}]}})"));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->parameters[0].values.size(), 2U);
}

// Each of the names that only one format has is enough, wherever the file is cut.
TEST(File, ItsFormatShowsInItsFirstName) {
  EXPECT_TRUE(parse_recorded(R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 2})"));
  const auto values = parse_recorded(R"({"tune_params": {"x": [1]}, "cache": {"1": )");
  ASSERT_FALSE(values);
  EXPECT_TRUE(values.error().place.known());
  EXPECT_FALSE(parse_recorded(R"({"other": {"results": []}, "more": [{"cache": 1}]})"));
}

}  // namespace
}  // namespace vyre::formats
