#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/paths.h"
#include "vyre/vyre.h"

namespace vyre {
namespace {

TEST(FirstSearches, KeepTheirShortTimeWhereOnlyAnotherLimitIsGiven) {
  const ContextOptions options{.search = {.evaluations = 8}};
  EXPECT_EQ(options.search.time, ContextOptions{}.search.time);
  EXPECT_LT(options.search.time, TuneRequest{}.budget);
}

TEST(FirstSearches, SayOfWhichKernelTheySpeak) {
  std::vector<std::string> lines;
  const auto gpu = Context::open({.mode = tune::Mode::natural,
                                  .store = "none",
                                  .search = {.evaluations = 1, .time = std::chrono::minutes(10)},
                                  .log = [&](std::string_view line) { lines.emplace_back(line); },
                                  .worker = {.program = testing::paths::worker}});
  ASSERT_TRUE(gpu) << to_string(gpu.error());
  const auto twice = gpu->kernel<float>(
      "program twice { uniform n: u32 = 1 buffer x: f32[n] read_write grid n "
      "x[invocation.x] = x[invocation.x] * 2.0 }");
  ASSERT_TRUE(twice) << to_string(twice.error());
  (*twice)(gpu->array<float>(4096));
  ASSERT_TRUE(gpu->finish());
  EXPECT_EQ(lines, std::vector<std::string>{
                       "vyre: twice: only the default was tried; nothing is remembered"});
  EXPECT_EQ(twice->why(), "only the default was tried; nothing is remembered");
}

}  // namespace
}  // namespace vyre
