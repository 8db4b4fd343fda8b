// Primitives ask for what was decided where their options leave a choice, and only there.
#include "vyre/primitives/decisions.h"

#include <gtest/gtest.h>

#include <atomic>

#include "primitives/gemm_programs.h"
#include "primitives/reduce.h"
#include "primitives/suite.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

schedule::Schedule in_groups_of(std::uint32_t x, std::uint32_t y) {
  schedule::Schedule made;
  made.set("wg_x", x);
  made.set("wg_y", y);
  return made;
}

// The same for every shape, and none of it what is automatic on a CPU.
class Prescribed final : public Decisions {
 public:
  [[nodiscard]] KfacOptions decided(const KfacOptions& options,
                                    const device::Adapter& /*adapter*/) const override {
    KfacOptions made = asked(options);
    made.schedule.layout = KfacLayout::group;
    return made;
  }
  [[nodiscard]] GemmOptions decided(const GemmOptions& options,
                                    const device::Adapter& /*adapter*/) const override {
    GemmOptions made = asked(options);
    made.schedule = {.layout = GemmLayout::plain, .steps = in_groups_of(2, 4)};
    return made;
  }
  [[nodiscard]] ReduceOptions decided(const ReduceOptions& options,
                                      const device::Adapter& /*adapter*/) const override {
    ReduceOptions made = asked(options);
    made.items = 3;
    made.strided = true;
    return made;
  }
  [[nodiscard]] ScanOptions decided(const ScanOptions& options,
                                    const device::Adapter& /*adapter*/) const override {
    ScanOptions made = asked(options);
    made.items = 3;
    return made;
  }
  [[nodiscard]] TransposeOptions decided(const TransposeOptions& options,
                                         const device::Adapter& /*adapter*/) const override {
    TransposeOptions made = asked(options);
    made.schedule = in_groups_of(2, 8);
    return made;
  }
  [[nodiscard]] ConvolutionOptions decided(const ConvolutionOptions& options,
                                           const device::Adapter& /*adapter*/) const override {
    ConvolutionOptions made = asked(options);
    made.schedule = in_groups_of(4, 2);
    return made;
  }

  [[nodiscard]] int times_asked() const { return asked_; }

 private:
  template <class Options>
  [[nodiscard]] Options asked(const Options& options) const {
    ++asked_;
    return options;
  }

  mutable std::atomic<int> asked_ = 0;
};

TEST(Decisions, AreTakenByWhatIsMadeWithoutAScheduleOfItsOwn) {
  const auto device = testing::opened("opencl");
  const Prescribed known;
  auto inverse =
      good(KfacBlockInverse::make(*device, {.num_blocks = 2, .n = 2, .decisions = &known}));
  EXPECT_EQ(inverse.schedule().layout, KfacLayout::group);
  auto gemm = good(Gemm::make(*device, {.m = 5, .n = 6, .k = 7, .decisions = &known}));
  EXPECT_EQ(gemm.schedule().layout, GemmLayout::plain);
  auto sum = good(reduce(*device, {.n = 100, .decisions = &known}));
  EXPECT_EQ(sum.shapes()[0].grid, (Extent{3, 1, 1}));
  auto sums = good(scan(*device, {.n = 100, .decisions = &known}));
  EXPECT_EQ(sums.shapes()[2].grid, (Extent{3, 1, 1}));
  auto turned = good(transpose(*device, {.rows = 16, .columns = 8, .decisions = &known}));
  EXPECT_EQ(turned.shapes()[0].workgroup, (Extent{2, 8, 1}));
  auto filtered = good(convolution(*device, {.width = 8, .height = 8, .decisions = &known}));
  EXPECT_EQ(filtered.shapes()[0].workgroup, (Extent{4, 2, 1}));
  EXPECT_EQ(known.times_asked(), 6);
}

TEST(Decisions, ChangeNoResult) {
  const auto device = testing::opened("opencl");
  const Prescribed known;
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> y(6);
  float total = 0;
  good(good(reduce(*device, {.n = 6, .decisions = &known}))({x}, std::span(&total, 1)));
  EXPECT_EQ(total, 21);
  good(good(scan(*device, {.n = 6, .decisions = &known}))({x}, y));
  EXPECT_EQ(y, (std::vector<float>{1, 3, 6, 10, 15, 21}));
  good(good(transpose(*device, {.rows = 2, .columns = 3, .decisions = &known}))({x}, y));
  EXPECT_EQ(y, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  std::vector<float> c(4);
  good(good(Gemm::make(*device, {.m = 2, .n = 2, .k = 3, .decisions = &known}))(x, x, c));
  EXPECT_EQ(c, (std::vector<float>{22, 28, 49, 64}));
  std::vector<float> inverted(4);
  const std::vector<float> block = {2, 0, 0, 4};
  good(good(KfacBlockInverse::make(*device, {.num_blocks = 1, .n = 2, .decisions = &known}))(
      block, inverted));
  EXPECT_EQ(inverted, (std::vector<float>{0.5F, 0, 0, 0.25F}));
}

TEST(Decisions, AreNotAskedWhereTheOptionsSayHow) {
  const auto device = testing::opened("opencl");
  const Prescribed known;
  good(KfacBlockInverse::make(
      *device,
      {.num_blocks = 2, .n = 2, .schedule = {.layout = KfacLayout::item}, .decisions = &known}));
  good(Gemm::make(
      *device,
      {.m = 2, .n = 2, .k = 2, .schedule = {.layout = GemmLayout::tiled}, .decisions = &known}));
  EXPECT_EQ(good(reduce(*device, {.n = 100, .items = 5, .decisions = &known})).shapes()[0].grid[0],
            5U);
  EXPECT_EQ(good(scan(*device, {.n = 100, .items = 5, .decisions = &known})).shapes()[0].grid[0],
            5U);
  good(transpose(*device, {.rows = 4, .columns = 4, .tile = 4, .decisions = &known}));
  good(convolution(*device,
                   {.width = 4, .height = 4, .schedule = in_groups_of(1, 1), .decisions = &known}));
  EXPECT_EQ(known.times_asked(), 0);
}

// The tiled layout counts on its workgroup.
TEST(Decisions, AScheduleThatIsNotLegalIsAnError) {
  EXPECT_FALSE(
      gemm_programs({.m = 4,
                     .n = 4,
                     .k = 4,
                     .schedule = {.layout = GemmLayout::tiled, .steps = in_groups_of(3, 1)}}));
}

TEST(Decisions, PartsOfAReductionAreTheSharesOfItsInvocations) {
  const auto device = testing::opened("opencl");
  for (const bool strided : {false, true}) {
    const ReduceOptions options{.n = 1003, .items = 7, .strided = strided};
    const auto programs = good(reduce_programs(options));
    auto shares = good(Operation::make(
        *device,
        {.name = "shares", .programs = {programs[0]}, .inputs = {"x"}, .output = "parts"}));
    std::vector<float> x(1003);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) - 8;
    std::vector<float> parts(7);
    good(shares({x}, parts));
    EXPECT_EQ(doubles(parts), reduce_parts_reference(doubles(x), options)) << strided;
  }
}

}  // namespace
}  // namespace vyre::primitives
