#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace vyre {
namespace {

TEST(WithinMemory, GivesWhatTheWorkReturns) {
  EXPECT_EQ(within_memory([] { return Result<int>(7); }), 7);
  const auto failed =
      within_memory([]() -> Result<int> { return fail(ErrorKind::input, "wrong"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "wrong");
}

TEST(WithinMemory, MakesAnErrorOfWhatCannotBeAllocated) {
  const auto none = within_memory([]() -> Result<int> { throw std::bad_alloc(); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), out_of_memory());
  EXPECT_NE(none.error().message.find("ulimit -v"), std::string::npos);
  const auto endless = within_memory(
      []() -> Result<std::string> { return std::string(std::string().max_size() + 1, 'x'); });
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error(), out_of_memory());
}

TEST(LackOfMemory, WhereNobodyCatchesItEndsWithAStatusAndNotWithACrash) {
  const pid_t child = fork();
  if (child == 0) {
    explain_lack_of_memory("test", 7);
    std::thread([] { throw std::bad_alloc(); }).join();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace vyre
