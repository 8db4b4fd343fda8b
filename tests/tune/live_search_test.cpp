#include "tune/live_search.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "support/paths.h"
#include "support/subprocess.h"
#include "support/worker.h"
#include "vyre/ir/text.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;

FirstCall first_call(const device::Device& device) {
  const auto program = ir::parse(
      "program twice {\n  buffer x: f32[4096] read_write\n  grid 4096\n"
      "  x[invocation.x] = x[invocation.x] * 2.0\n}\n");
  auto family = family_of(program.value(), {}, device.adapter().limits);
  return {.family = std::move(family).value(), .uniforms = {}, .bytes = {16384}, .starts = {}};
}

TEST(LiveSearches, GetAWorkerReadyWhileACallWaitsForItsCompiler) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "no core has nothing to do";
  const testing::TemporaryDirectory scratch;
  const auto device = testing::opened("reference");
  LiveSearchOptions options{.worker = testing::worker_options("reference")};
  options.worker.scratch = scratch.path();
  LiveSearch search(*device, options);
  const auto has_worker = [&] { return !std::filesystem::is_empty(scratch.path()); };
  EXPECT_FALSE(has_worker());
  const LiveSearch::Compiling compiling(search, first_call(*device));
  const auto deadline = std::chrono::steady_clock::now() + 1min;
  while (!has_worker() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_TRUE(has_worker());
}

}  // namespace
}  // namespace vyre::tune
