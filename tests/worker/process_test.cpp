#include "worker/process.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vyre::worker {
namespace {

bool has(const Command& command, std::string_view start) {
  return std::ranges::any_of(command.environment,
                             [&](const std::string& one) { return one.starts_with(start); });
}

TEST(ServeCommand, KeepsWhatIsCompiledWithTheSessionUnlessItIsShared) {
  const Command own = serve_command("worker", "/scratch", {});
  EXPECT_TRUE(has(own, "POCL_CACHE_DIR=/scratch"));
  const Command shared = serve_command("worker", "/scratch", {.own_cache = false});
  EXPECT_FALSE(has(shared, cache_variable)) << "as this process has it";
  EXPECT_TRUE(has(shared, "TMPDIR=/scratch"));
}

}  // namespace
}  // namespace vyre::worker
