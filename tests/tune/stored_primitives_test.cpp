// Primitives made with a store of decisions, each with one that names what is not automatic there.
#include "vyre/tune/stored_primitives.h"

#include <gtest/gtest.h>

#include "support/device.h"
#include "support/subprocess.h"
#include "tune/primitive_family.h"
#include "tune/remember.h"

namespace vyre::tune {
namespace {

using primitives::GemmLayout;
using primitives::KfacLayout;

Judgement twice_as_fast() {
  return {.gain = Gain::faster,
          .compared = true,
          .elapsed = {10, {9, 11}},
          .baseline = store::Baseline{.elapsed = {20, {19, 21}}, .speedup = {2, {1.9, 2.1}}},
          .samples = 12};
}

class StoredPrimitivesTest : public ::testing::Test {
 protected:
  [[nodiscard]] device::Device& device() const { return *device_; }
  [[nodiscard]] const device::Adapter& adapter() const { return device_->adapter(); }
  [[nodiscard]] store::Store& store() { return store_; }
  [[nodiscard]] const StoredPrimitives& decisions() const { return decisions_; }
  [[nodiscard]] Counts counts() const { return counters_.read(); }

  // Remembers the member with these values; what is not named is as in the baseline.
  template <class Options>
  void decide(const PrimitiveFamily<Options>& primitive, const Options& options,
              const std::vector<store::Setting>& values) {
    const auto family = primitive.family(options, adapter());
    ASSERT_TRUE(family) << family.error().message;
    auto wanted = family->space.values(family->baseline);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      for (const auto& [name, value] : values) {
        if (family->space.parameters()[i].name == name) wanted[i] = value;
      }
    }
    const auto member = family->space.find(wanted);
    ASSERT_TRUE(member);
    ASSERT_NE(*member, family->usual.value_or(family->baseline));
    auto decision = decision_of(*family, *member, twice_as_fast(), "natural");
    ASSERT_TRUE(decision) << decision.error().message;
    ASSERT_TRUE(store().record(*std::move(decision)));
  }

 private:
  testing::TemporaryDirectory files_;
  std::unique_ptr<device::Device> device_ = testing::opened("reference");
  store::Store store_{files_.path(), store::owner_of(device_->adapter())};
  Counters counters_;
  StoredPrimitives decisions_{store_, &counters_};
};

TEST_F(StoredPrimitivesTest, TheInverseOfBlocksHasTheLayoutThatWasDecided) {
  primitives::KfacOptions options{.num_blocks = 40, .n = 4};
  decide(kfac_primitive, options, {{"layout", "interleaved"}, {"lanes", std::int64_t{4}}});
  const auto automatic = primitives::KfacBlockInverse::make(device(), options);
  ASSERT_TRUE(automatic);
  EXPECT_EQ(automatic->schedule().layout, KfacLayout::registers);

  // Damping is no size.
  options.damping = 0.5F;
  options.decisions = &decisions();
  const auto decided = primitives::KfacBlockInverse::make(device(), options);
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->schedule().layout, KfacLayout::interleaved);
  EXPECT_EQ(decided->schedule().lanes, 4U);
  EXPECT_EQ(counts()[Count::exact_matches], 1U);
}

TEST_F(StoredPrimitivesTest, ADecisionIsForItsShapeOnly) {
  decide(kfac_primitive, {.num_blocks = 40, .n = 4}, {{"layout", "group"}});
  for (const primitives::KfacOptions& other :
       {primitives::KfacOptions{.num_blocks = 41, .n = 4, .decisions = &decisions()},
        primitives::KfacOptions{.num_blocks = 40, .n = 5, .decisions = &decisions()}}) {
    const auto made = primitives::KfacBlockInverse::make(device(), other);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->schedule().layout, KfacLayout::registers);
  }
  EXPECT_EQ(counts()[Count::no_matches], 2U);
}

TEST_F(StoredPrimitivesTest, GemmTakesItsPassesAndBlocks) {
  decide(gemm_primitive, {.m = 40, .n = 50, .k = 60},
         {{"depth", std::int64_t{128}}, {"row_panels", std::int64_t{8}}});
  const auto gemm = primitives::Gemm::make(
      device(), {.m = 40, .n = 50, .k = 60, .beta = 1, .decisions = &decisions()});
  ASSERT_TRUE(gemm);
  EXPECT_EQ(gemm->schedule().layout, GemmLayout::packed);
  EXPECT_EQ(gemm->schedule().depth, 128U);
  EXPECT_EQ(gemm->schedule().row_panels, 8U);
  EXPECT_EQ(gemm->schedule().column_panels, 4U);
}

// There is no GPU here: what it would be asked is asked of its adapter.
TEST_F(StoredPrimitivesTest, GemmOnAGpuTakesTheStepsOfItsTiledLayout) {
  device::Adapter gpu = adapter();
  gpu.is_cpu = false;
  const primitives::GemmOptions options{.m = 40, .n = 50, .k = 60};
  const auto family = gemm_primitive.family(options, gpu);
  ASSERT_TRUE(family) << family.error().message;
  ASSERT_GT(family->space.size(), 1U);
  const space::Index other = family->baseline == 0 ? 1 : 0;
  const auto decision = decision_of(*family, other, twice_as_fast(), "natural");
  ASSERT_TRUE(decision) << decision.error().message;
  ASSERT_TRUE(store().record(*decision));
  const auto decided = decisions().decided(options, gpu);
  EXPECT_EQ(decided.schedule.layout, GemmLayout::tiled);
  ASSERT_TRUE(decided.schedule.steps);
  EXPECT_TRUE(primitives::Gemm::make(device(), decided));
}

TEST_F(StoredPrimitivesTest, ReduceTakesItsSharesAndTheirOrder) {
  const auto automatic = primitives::reduce(device(), {.n = 5000});
  ASSERT_TRUE(automatic);
  const std::uint32_t items = automatic->shapes()[0].grid[0];
  decide(reduce_primitive, {.n = 5000}, {{"items", std::int64_t{2} * items}, {"order", "strided"}});
  const auto decided = primitives::reduce(device(), {.n = 5000, .decisions = &decisions()});
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->shapes()[0].grid[0], 2 * items);
  EXPECT_EQ(decided->shapes()[0].workgroup[0], 64U) << "of the strided order";
  // The sum of integers is another program.
  const auto integers =
      primitives::reduce(device(), {.n = 5000, .element = Scalar::u32, .decisions = &decisions()});
  ASSERT_TRUE(integers);
  EXPECT_EQ(integers->shapes()[0].grid[0], items);
}

TEST_F(StoredPrimitivesTest, ScanTakesItsShares) {
  const auto automatic = primitives::scan(device(), {.n = 5000});
  ASSERT_TRUE(automatic);
  const std::uint32_t items = automatic->shapes()[0].grid[0];
  decide(scan_primitive, {.n = 5000}, {{"items", std::int64_t{4} * items}});
  const auto decided = primitives::scan(device(), {.n = 5000, .decisions = &decisions()});
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->shapes()[0].grid[0], 4 * items);
  EXPECT_EQ(decided->shapes()[2].grid[0], 4 * items);
}

TEST_F(StoredPrimitivesTest, TransposeTakesItsSteps) {
  decide(transpose_primitive, {.rows = 64, .columns = 32},
         {{"wg_x", std::int64_t{8}}, {"wg_y", std::int64_t{2}}});
  const auto decided =
      primitives::transpose(device(), {.rows = 64, .columns = 32, .decisions = &decisions()});
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->shapes()[0].workgroup, (Extent{8, 2, 1}));
}

TEST_F(StoredPrimitivesTest, TransposeTakesItsTile) {
  decide(transpose_primitive, {.rows = 64, .columns = 32}, {{"through", std::int64_t{16}}});
  const auto decided =
      primitives::transpose(device(), {.rows = 64, .columns = 32, .decisions = &decisions()});
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->shapes()[0].workgroup, (Extent{16, 16, 1}));
}

TEST_F(StoredPrimitivesTest, ConvolutionTakesItsSteps) {
  decide(convolution_primitive, {.width = 32, .height = 32},
         {{"wg_x", std::int64_t{4}}, {"wg_y", std::int64_t{8}}});
  const auto decided =
      primitives::convolution(device(), {.width = 32, .height = 32, .decisions = &decisions()});
  ASSERT_TRUE(decided);
  EXPECT_EQ(decided->shapes()[0].workgroup, (Extent{4, 8, 1}));
}

TEST_F(StoredPrimitivesTest, ADecisionThatNamesWhatThereIsNotIsSaidAndNotUsed) {
  const auto family = kfac_primitive.family({.num_blocks = 40, .n = 4}, adapter());
  ASSERT_TRUE(family);
  auto decision = decision_of(*family, 1, twice_as_fast(), "natural");
  ASSERT_TRUE(decision);
  decision->evidence->configuration[0].value = std::string("spiral");
  ASSERT_TRUE(store().record(*decision));
  const auto made = primitives::KfacBlockInverse::make(
      device(), {.num_blocks = 40, .n = 4, .decisions = &decisions()});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->schedule().layout, KfacLayout::registers);
  ASSERT_EQ(decisions().problems().size(), 1U);
  EXPECT_NE(decisions().problems()[0].find("spiral"), std::string::npos);
}

TEST_F(StoredPrimitivesTest, ABadShapeIsRefusedAsWithoutDecisions) {
  const auto refused = primitives::scan(device(), {.n = 0, .decisions = &decisions()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "scan: n is 0; it must be at least 1");
}

}  // namespace
}  // namespace vyre::tune
