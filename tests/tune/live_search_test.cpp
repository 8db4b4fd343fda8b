#include "tune/live_search.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "support/paths.h"
#include "support/subprocess.h"
#include "support/worker.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

TEST(LiveSearches, GetAWorkerReadyWhileACallWaitsForItsCompiler) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "no core has nothing to do";
  const testing::TemporaryDirectory scratch;
  const auto device = testing::opened("reference");
  LiveSearchOptions options{.worker = testing::worker_options("reference")};
  options.worker.scratch = scratch.path();
  LiveSearch search(*device, options);
  const auto has_worker = [&] { return !std::filesystem::is_empty(scratch.path()); };
  EXPECT_FALSE(has_worker());
  const LiveSearch::Compiling compiling(search);
  const auto deadline = std::chrono::steady_clock::now() + 1min;
  while (!has_worker() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_TRUE(has_worker());
}

}  // namespace
}  // namespace vyre::tune
