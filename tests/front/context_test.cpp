#include <gtest/gtest.h>

#include <cstdlib>

#include "front/opened.h"
#include "vyre/device/device.h"

namespace vyre {
namespace {

using testing::must;
using testing::opened;
using testing::quiet;

TEST(Contexts, AreOpenedAndClosedManyTimes) {
  for (int i = 0; i < 200; ++i) {
    const Context gpu = opened();
    if (i % 20 == 0) {
      const auto x = gpu.array<float>(16);
      x.fill(3);
      ASSERT_EQ(must(x.to_host())[15], 3.0F);
    }
  }
}

TEST(Contexts, OfAMissingDeviceAreAnErrorThatSaysWhatThereIs) {
  auto options = quiet();
  options.device = "no such device";
  const auto none = Context::open(options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::no_device);
  EXPECT_NE(none.error().message.find("reference"), std::string::npos);
}

TEST(Contexts, ReadTheModeFromTheEnvironmentUnlessItIsGiven) {
  const auto warnings_with = [](const char* word) {
    setenv("VYRE_AUTOTUNER", word, 1);
    auto log = std::make_shared<testing::Log>();
    auto options = quiet(log);
    options.mode.reset();
    (void)opened(options);
    unsetenv("VYRE_AUTOTUNER");
    return log->lines().size();
  };
  EXPECT_EQ(warnings_with("nonsense"), 1U);
  EXPECT_EQ(warnings_with("off"), 0U);
}

TEST(Contexts, SayAtTheEndWhatNobodyLookedAt) {
  auto log = std::make_shared<testing::Log>();
  {
    const Context gpu = opened(quiet(log));
    gpu.array<float>(4).assign(std::vector<float>(5));
  }
  ASSERT_EQ(log->lines().size(), 1U);
  EXPECT_NE(log->lines()[0].find("was assigned 5 numbers"), std::string::npos);
  {
    const Context gpu = opened(quiet(log));
    EXPECT_FALSE(gpu.array<float>(4).assign(std::vector<float>(5)).wait());
  }
  EXPECT_EQ(log->lines().size(), 1U);
}

TEST(Contexts, KnowTheirDevice) {
  auto options = quiet();
  options.device = "reference";
  EXPECT_EQ(opened(options).adapter().name, "reference");
  EXPECT_EQ(Context().adapter().name, "");
}

}  // namespace
}  // namespace vyre
