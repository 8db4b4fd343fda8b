#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "front/opened.h"
#include "tune/primitive_kinds.h"
#include "tune/remember.h"
#include "vyre/store/store.h"

namespace vyre {
namespace {

using testing::must;
using testing::opened;

std::vector<float> some(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>((i * 37 + 11) % 23) - 11;
  return values;
}

TEST(Gemm, MultipliesArraysThatStayOnTheDevice) {
  const Context gpu = opened();
  const auto gemm = must(gpu.gemm<float>({.m = 33, .n = 20, .k = 50}));
  const auto a = some(33 * 50);
  const auto b = some(50 * 20);
  const auto c = gpu.array<float>({33, 20});
  gemm(gpu.array(a), gpu.array(b), c);
  const auto result = must(c.to_host());
  for (std::size_t row = 0; row < 33; ++row) {
    for (std::size_t column = 0; column < 20; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < 50; ++i) sum += double{a[row * 50 + i]} * b[i * 20 + column];
      ASSERT_NEAR(result[row * 20 + column], sum, 1e-3);
    }
  }
  EXPECT_FALSE(gemm.tuned());
  EXPECT_NE(gemm.why(), "");
}

TEST(Gemm, IsRecordedWithTheRest) {
  const Context gpu = opened();
  const auto gemm = must(gpu.gemm<float>({.m = 8, .n = 8, .k = 8}));
  std::vector<float> twice(64);
  for (std::size_t i = 0; i < 8; ++i) twice[i * 9] = 2;
  const auto a = gpu.array(twice);
  const auto x = gpu.array(std::vector<float>(64, 1));
  const auto y = gpu.array<float>(64);
  const Step step = gpu.record([&] {
    gemm(a, x, y);
    gpu.copy(y, x);
  });
  EXPECT_TRUE(step.run(5).wait());
  EXPECT_EQ(must(x.to_host()), std::vector<float>(64, 32));
}

TEST(Gemm, ReadsWhatItAddsToAndNothingElse) {
  const Context gpu = opened();
  const auto a = gpu.array(std::vector<float>(4, 1.0F));
  const auto spoiled = gpu.array<float>(4);
  const auto spoil = [&] { EXPECT_FALSE(spoiled.assign(std::vector<float>(5)).wait()); };
  spoil();
  const auto plain = must(gpu.gemm<float>({.m = 2, .n = 2, .k = 2}));
  plain(a, a, spoiled);
  EXPECT_EQ(must(spoiled.to_host()), std::vector<float>(4, 2.0F));
  spoiled.fill(std::numeric_limits<float>::quiet_NaN());
  plain(a, a, spoiled);
  EXPECT_EQ(must(spoiled.to_host()), std::vector<float>(4, 2.0F));
  spoil();
  const auto adding = must(gpu.gemm<float>({.m = 2, .n = 2, .k = 2, .beta = 1}));
  EXPECT_FALSE(adding(a, a, spoiled).wait());
  EXPECT_FALSE(spoiled.to_host());
  EXPECT_FALSE(gpu.finish());
}

TEST(Gemm, RefusesWrongSizes) {
  const Context gpu = opened();
  EXPECT_FALSE(gpu.gemm<float>({.m = 0, .n = 1, .k = 1}));
  const auto gemm = must(gpu.gemm<float>({.m = 2, .n = 2, .k = 2}));
  const auto a = gpu.array<float>(4);
  const auto c = gpu.array<float>(5);
  EXPECT_EQ(gemm(a, a, c).wait().error().message,
            "argument 3 of gemm, 'c', has 5 elements; it must have 4");
  EXPECT_FALSE(c.to_host());
  EXPECT_FALSE(gpu.finish());
  EXPECT_FALSE(Gemm<float>()(a, a, c).wait());
  EXPECT_FALSE(gpu.finish());
}

TEST(Gemm, IsTunedAtTheFirstCallAndFoundInTheStoreThen) {
  testing::expect_searched_once([](const Context& gpu) {
    const auto gemm = must(gpu.gemm<float>({.m = 48, .n = 48, .k = 48}));
    const auto a = gpu.array(some(48 * 48));
    const auto c = gpu.array<float>({48, 48});
    gemm(a, a, c);
    EXPECT_TRUE(gpu.finish());
    EXPECT_TRUE(gemm.tuned()) << gemm.why();
    EXPECT_NE(gemm.configuration().find("depth="), std::string::npos) << gemm.configuration();
  });
}

TEST(BatchedInverse, InvertsAndReportsTheBlocksThatAreNotGood) {
  const Context gpu = opened();
  const auto inverse = must(gpu.inverse<float>({.blocks = 3, .n = 2}));
  const std::vector<float> blocks = {2, 0, 0, 4, 1, 1, 1, 1, 4, 3, 3, 2};
  const auto out = gpu.array<float>(12);
  inverse(gpu.array(blocks), out);
  const auto result = must(out.to_host());
  EXPECT_FLOAT_EQ(result[0], 0.5F);
  EXPECT_FLOAT_EQ(result[3], 0.25F);
  EXPECT_NEAR(result[8], -2, 1e-4);
  EXPECT_NEAR(result[9], 3, 1e-4);
  const auto reports = must(inverse.reports());
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].index, 1U);
  EXPECT_EQ(reports[0].state, BlockState::singular);
  EXPECT_EQ(reports[1].state, BlockState::indefinite);
  // Untuned it is what is usual here, not one block to each invocation.
  EXPECT_NE(inverse.configuration().find("layout=registers"), std::string::npos);
}

TEST(BatchedInverse, ThatIsRecordedDoesNotMakeGoodWhatItHasNotWritten) {
  const Context gpu = opened();
  const auto inverse = must(gpu.inverse<float>({.blocks = 3, .n = 2}));
  const auto in = gpu.array<float>(12);
  const auto out = gpu.array<float>(12);
  EXPECT_FALSE(out.assign(std::vector<float>(5)).wait());
  const Step step = gpu.record([&] { inverse(in, out); });
  EXPECT_FALSE(out.to_host());
  step.run();
  EXPECT_TRUE(out.to_host());
  EXPECT_FALSE(gpu.finish());
}

// What `vyre tune --primitive` records is found by what a context makes.
TEST(BatchedInverse, RunsAsWasDecidedForThePrimitive) {
  const testing::TemporaryDirectory directory;
  auto options = testing::quiet();
  options.device = "reference";
  options.store = directory.path().string();
  const auto device = must(device::open("reference"));
  const auto shape = must(tune::parse_primitive("kfac:6x3"));
  const auto family = must(tune::tunable(shape, device->adapter())).family;
  const std::vector<space::Value> group = {std::string("group"), std::int64_t{8}};
  store::Store store(directory.path(), store::owner_of(device->adapter()));
  must(store.record(must(tune::decision_of(family, family.space.find(group).value(),
                                           {.elapsed = {10, {9, 11}}, .samples = 5}, "natural"))));

  const Context gpu = opened(options);
  const auto inverse = must(gpu.inverse<float>({.blocks = 6, .n = 3}));
  std::vector<float> blocks(6 * 9);
  for (std::size_t i = 0; i < blocks.size(); i += 9) blocks[i] = blocks[i + 4] = blocks[i + 8] = 2;
  const auto out = gpu.array<float>(6 * 9);
  inverse(gpu.array(blocks), out);
  EXPECT_EQ(must(out.to_host())[4], 0.5F);
  EXPECT_TRUE(inverse.tuned()) << inverse.why();
  EXPECT_EQ(inverse.configuration(), "layout=group lanes=8");
}

}  // namespace
}  // namespace vyre
