// Programs of primitives with buffers of the caller's names, and several of them as one program.
#include <gtest/gtest.h>

#include <limits>

#include "ir/names.h"
#include "primitives/fisher_program.h"
#include "primitives/gemm_programs.h"
#include "primitives/kfac_program.h"
#include "primitives/natural_gradient_program.h"
#include "primitives/newton_schulz_programs.h"
#include "primitives/sheaf_programs.h"
#include "primitives/softmax_program.h"
#include "primitives/suite.h"
#include "support/device.h"
#include "vyre/ir/compose.h"
#include "vyre/ir/text.h"

namespace vyre::primitives {
namespace {

using Programs = std::vector<ir::Program>;
using Floats = std::vector<float>;

constexpr KfacLayout composed_layouts[] = {KfacLayout::item, KfacLayout::group,
                                           KfacLayout::interleaved, KfacLayout::registers,
                                           KfacLayout::panels};
constexpr GemmLayout gemm_layouts[] = {GemmLayout::plain, GemmLayout::tiled, GemmLayout::packed};

void expect_only_names_differ(const Programs& plain, const Programs& named) {
  ASSERT_EQ(plain.size(), named.size());
  const auto mine = [&](const std::string& name) { return "my_" + name; };
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ir::Program expected = ir::renamed(plain[i], {.buffer = mine});
    const std::vector<ir::Buffer> buffers = expected.buffers;  // those of `expected` are replaced
    for (const ir::Buffer& buffer : buffers) {
      // Shared and private memory keeps its names: nobody outside sees it.
      if (buffer.memory != ir::Memory::global) {
        expected = ir::renamed(expected, {.buffer = [&](const std::string& name) {
                                 return name == buffer.name ? name.substr(3) : name;
                               }});
      }
    }
    EXPECT_EQ(ir::print(named[i]), ir::print(expected));
  }
}

TEST(NamesOfBuffers, AreTheCallersInEveryProgram) {
  const KfacNames kfac{"my_blocks_out", "my_blocks_in", "my_scratch", "my_state", "my_condition"};
  for (const KfacLayout layout : composed_layouts) {
    const KfacOptions options{.num_blocks = 3, .n = 4, .schedule = {.layout = layout}};
    expect_only_names_differ({good(kfac_block_inverse_program(options))},
                             {good(kfac_block_inverse_program(options, kfac))});
    expect_only_names_differ({good(kfac_block_inverse_plain_program(options))},
                             {good(kfac_block_inverse_plain_program(options, kfac))});
  }
  const GemmNames gemm{"my_a", "my_b", "my_c", "my_packed_a", "my_packed_b"};
  for (const GemmLayout layout : gemm_layouts) {
    const GemmOptions options{.m = 3, .n = 4, .k = 5, .schedule = {.layout = layout}};
    expect_only_names_differ(good(gemm_programs(options)), good(gemm_programs(options, gemm)));
  }
  expect_only_names_differ({good(fisher_program({.parameters = 3}))},
                           {good(fisher_program({.parameters = 3}, {"my_scores", "my_fisher"}))});
  for (const Scalar element : {Scalar::f32, Scalar::i32}) {
    const NaturalGradientOptions options{.n = 3, .element = element};
    expect_only_names_differ({good(natural_gradient_program(options))},
                             {good(natural_gradient_program(options, {"my_w", "my_g", "my_out"}))});
  }
  const NewtonSchulzNames newton{"my_m", "my_root", "my_residual", "my_y",
                                 "my_z", "my_t",    "my_y_next",   "my_z_next"};
  expect_only_names_differ(good(newton_schulz_programs({.n = 3})),
                           good(newton_schulz_programs({.n = 3}, newton)));
  expect_only_names_differ(
      {good(softmax_program({.n = 3}))},
      {good(softmax_program({.n = 3}, {"my_times", "my_masses", "my_weights"}))});
}

TEST(NamesOfBuffers, AreTheCallersInTheProgramsOfSheaves) {
  const Sheaf sheaf =
      constant_sheaf(3, std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}});
  expect_only_names_differ(
      good(sheaf_diffusion_programs(sheaf)),
      good(sheaf_diffusion_programs(sheaf, {"my_x", "my_dx", "my_lx", "my_d", "my_t", "my_moving",
                                            "my_edge_start", "my_disagreement", "my_flags"})));
  expect_only_names_differ(
      {good(sheaf_diagonal_program(3))},
      {good(sheaf_diagonal_program(3, {"my_stalks", "my_restriction", "my_moving"}))});
  expect_only_names_differ({good(sheaf_flags_program(3))},
                           {good(sheaf_flags_program(3, {"my_before", "my_after", "my_flags"}))});
}

TEST(NamesOfBuffers, ThatCannotBeUsedAreRefused) {
  const KfacOptions options{.num_blocks = 3, .n = 4, .schedule = {.layout = KfacLayout::item}};
  // The message ends with the file of the builder.
  const auto said = [](const auto& result) {
    const std::string message = message_of(result);
    return message.substr(0, message.rfind(" ("));
  };
  EXPECT_EQ(said(kfac_block_inverse_program(options, {.blocks_in = "two words"})),
            "kfac_block_inverse: 'two words' cannot be a buffer's name");
  EXPECT_EQ(said(kfac_block_inverse_program(options, {.blocks_in = "scratch"})),
            "kfac_block_inverse: 'scratch' is already declared");
  EXPECT_EQ(said(softmax_program({.n = 3}, {.times = "n"})), "softmax: 'n' is already declared");
  EXPECT_EQ(said(newton_schulz_programs({.n = 3}, {.t = "y_next"})),
            "newton_schulz_inverse_sqrt: 'y_next' is already declared");
}

TEST(NamesOfBuffers, MayBeThoseOfLocalValues) {
  const KfacOptions options{.num_blocks = 1, .n = 2, .schedule = {.layout = KfacLayout::item}};
  const auto program = good(
      kfac_block_inverse_plain_program(options, {"base", "block", "norm", "state", "condition"}));
  const auto device = testing::opened("reference");
  auto inverse = good(Pipeline::make(*device, std::span(&program, 1)));
  good(inverse.array("block").write<float>(Floats{2, 0, 0, 4}));
  good(inverse.launch());
  Floats out(4);
  good(inverse.array("base").read(std::span(out)));
  EXPECT_EQ(out, (Floats{0.5, 0, 0, 0.25}));
}

// Good, indefinite, singular, asymmetric, not finite, and one beyond whole vectors.
const Floats mixed_blocks = {4, 1, 1, 3, 4, 3, 3, 2, 1,
                             1, 1, 1, 2, 1, 0, 2, 1, std::numeric_limits<float>::quiet_NaN(),
                             0, 1, 2, 0, 0, 4};
constexpr std::uint32_t mixed_count = 6;

Floats launched(Pipeline& pipeline, std::string_view in, std::string_view out,
                const Floats& values) {
  good(pipeline.array(in).write<float>(values));
  good(pipeline.launch());
  Floats result(values.size());
  good(pipeline.array(out).read(std::span(result)));
  return result;
}

TEST(KfacPlain, HasThreeBuffersAndGivesTheBitsOfTheOneThatReportsInEveryLayout) {
  for (const std::string_view which : {"reference", "opencl"}) {
    const auto device = testing::opened(which);
    for (const KfacLayout layout : composed_layouts) {
      SCOPED_TRACE(::testing::Message() << which << " " << name_of(layout));
      const KfacOptions options{.num_blocks = mixed_count, .n = 2, .schedule = {.layout = layout}};
      const auto plain = good(kfac_block_inverse_plain_program(options));
      std::vector<std::string> names;
      for (const ir::Buffer& b : plain.buffers) {
        if (b.memory == ir::Memory::global) names.push_back(b.name);
      }
      EXPECT_EQ(names, (std::vector<std::string>{"blocks_out", "blocks_in", "scratch"}));
      auto quiet = good(Pipeline::make(*device, std::span(&plain, 1)));
      const auto reporting = good(kfac_block_inverse_program(options));
      auto loud = good(Pipeline::make(*device, std::span(&reporting, 1)));
      const Floats result = launched(quiet, "blocks_in", "blocks_out", mixed_blocks);
      EXPECT_EQ(result, launched(loud, "blocks_in", "blocks_out", mixed_blocks));
      EXPECT_NEAR(result[4], -2, 1e-5) << "the indefinite block was done again";
      EXPECT_EQ(result[8], 0) << "the singular block has no inverse";
    }
  }
}

KfacNames names_of_layer(const std::string& layer) {
  return {.blocks_out = layer + "_inverse", .blocks_in = layer, .scratch = layer + "_scratch"};
}

const std::vector<std::string> layers = {"first", "second", "third"};

Programs steps_of_layers(KfacLayout layout) {
  const KfacOptions options{
      .num_blocks = mixed_count, .n = 2, .damping = 0.5F, .schedule = {.layout = layout}};
  Programs steps;
  for (const std::string& layer : layers) {
    steps.push_back(good(kfac_block_inverse_plain_program(options, names_of_layer(layer))));
  }
  return steps;
}

TEST(Composition, ThreeKfacStepsAreOneProgramWithARegionForEachOperation) {
  for (const KfacLayout layout : composed_layouts) {
    const ir::Program whole = good(ir::compose("three_layers", steps_of_layers(layout))).program;
    ASSERT_EQ(whole.body.size(), 3U);
    for (const ir::Stmt& stmt : whole.body) {
      const auto* region = ir::as<ir::Region>(stmt);
      ASSERT_NE(region, nullptr);
      EXPECT_EQ(region->name, "kfac_block_inverse_" + std::string(name_of(layout)));
    }
  }
}

TEST(Composition, ThreeKfacStepsComputeWhatTheyComputeOneAfterTheOther) {
  for (const KfacLayout layout : {KfacLayout::item, KfacLayout::group}) {
    const Programs steps = steps_of_layers(layout);
    const ir::Program whole = good(ir::compose("three_layers", steps)).program;
    for (const std::string_view which : {"reference", "opencl"}) {
      SCOPED_TRACE(::testing::Message() << which << " " << name_of(layout));
      const auto device = testing::opened(which);
      auto all = good(Pipeline::make(*device, std::span(&whole, 1)));
      auto alone = good(Pipeline::make(*device, steps));
      for (std::size_t i = 0; i < layers.size(); ++i) {
        Floats values = mixed_blocks;
        for (float& value : values) value *= static_cast<float>(i + 1);
        for (Pipeline* pipeline : {&all, &alone}) {
          good(pipeline->array(layers[i]).write<float>(values));
        }
      }
      good(all.launch());
      good(alone.launch());
      for (const std::string& layer : layers) {
        Floats got(mixed_blocks.size());
        Floats expected(mixed_blocks.size());
        good(all.array(layer + "_inverse").read(std::span(got)));
        good(alone.array(layer + "_inverse").read(std::span(expected)));
        EXPECT_EQ(got, expected) << layer;
      }
    }
  }
}

TEST(Composition, StepsOfDifferentDampingComposeUnderNewNames) {
  const auto step = [](const std::string& layer, float damping) {
    return good(kfac_block_inverse_plain_program(
        {.num_blocks = 1, .n = 2, .damping = damping, .schedule = {.layout = KfacLayout::item}},
        names_of_layer(layer)));
  };
  const Programs steps = {step("first", 0), step("second", 1)};
  EXPECT_FALSE(ir::compose("both", steps));
  const auto whole = good(ir::compose("both", steps, {.rename = true}));
  EXPECT_EQ(whole.parts[1].uniforms.at("damping"), "damping_2");
  for (const std::string_view which : {"reference", "opencl"}) {
    const auto device = testing::opened(which);
    auto both = good(Pipeline::make(*device, std::span(&whole.program, 1)));
    good(both.array("second").write<float>(Floats{1, 0, 0, 3}));
    EXPECT_EQ(launched(both, "first", "first_inverse", Floats{1, 0, 0, 4}),
              (Floats{1, 0, 0, 0.25}));
    Floats second(4);
    good(both.array("second_inverse").read(std::span(second)));
    EXPECT_EQ(second, (Floats{0.5, 0, 0, 0.25}));
  }
}

// Invocations read each other's numbers there, which one dispatch cannot order.
TEST(Composition, AStepThatReadsWhatAnotherWroteIsRefused) {
  const KfacOptions options{.num_blocks = 2, .n = 2, .schedule = {.layout = KfacLayout::item}};
  const Programs steps = {
      good(kfac_block_inverse_plain_program(options, names_of_layer("x"))),
      good(kfac_block_inverse_plain_program(
          options, {.blocks_out = "back", .blocks_in = "x_inverse", .scratch = "more"}))};
  EXPECT_NE(message_of(ir::compose("both", steps)).find("share buffer 'x_inverse'"),
            std::string::npos);
}

TEST(Composition, PrimitivesOfOneGridShareWhatTheyNameAlike) {
  const Programs parts = {
      good(sheaf_diagonal_program(4, {.stalks = "after"})),
      good(sheaf_flags_program(4, {.before = "before", .after = "after", .flags = "moved"}))};
  const ir::Program whole = good(ir::compose("step_and_flags", parts)).program;
  for (const std::string_view which : {"reference", "opencl"}) {
    const auto device = testing::opened(which);
    auto both = good(Pipeline::make(*device, std::span(&whole, 1)));
    const std::vector<std::int32_t> start = {10 << 16, 0, 1 << 16, 2};
    good(both.array("before").write<std::int32_t>(start));
    good(both.array("after").write<std::int32_t>(start));
    good(both.array("restriction").write<std::int32_t>(std::vector<std::int32_t>(4, 1 << 16)));
    good(both.stage(0).set("damping", {Scalar::i32, 1U << 15U}));
    good(both.launch());
    std::vector<std::uint32_t> moved(4);
    good(both.array("moved").read(std::span(moved)));
    EXPECT_EQ(moved, (std::vector<std::uint32_t>{1, 0, 1, 1}));
  }
}

}  // namespace
}  // namespace vyre::primitives
