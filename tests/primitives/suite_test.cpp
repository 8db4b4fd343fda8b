#include "primitives/suite.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/cuda_compile.h"
#include "emit/emit.h"
#include "support/device.h"

namespace vyre::primitives {
namespace {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (auto* const cases : {
           convolution_cases,
           elementwise_cases,
           fisher_cases,
           gemm_cases,
           kfac_cases,
           natural_gradient_cases,
           newton_schulz_cases,
           reduce_cases,
           scan_cases,
           sheaf_diagonal_cases,
           sheaf_diffusion_cases,
           softmax_cases,
           stencil_cases,
           transpose_cases,
       }) {
    std::ranges::move(cases(), std::back_inserter(all));
  }
  return all;
}

std::vector<Case> cases_with_programs() {
  std::vector<Case> all = all_cases();
  std::erase_if(all, [](const Case& one) { return one.programs.empty(); });
  return all;
}

class Suite : public ::testing::TestWithParam<Case> {};

void expect_agreement(const Case& one, const std::vector<double>& got) {
  ASSERT_EQ(got.size(), one.expected.size());
  double scale = 0;
  for (const double value : one.expected) scale = std::max(scale, std::abs(value));
  std::size_t worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_FALSE(std::isnan(got[i])) << "element " << i;
    if (std::abs(got[i] - one.expected[i]) > std::abs(got[worst] - one.expected[worst])) worst = i;
  }
  EXPECT_LE(std::abs(got[worst] - one.expected[worst]), one.tolerance * scale)
      << "element " << worst << ": expected " << one.expected[worst] << ", got " << got[worst];
}

TEST_P(Suite, AgreesWithItsReferenceOnEveryDevice) {
  for (const std::string_view which : {"reference", "opencl"}) {
    SCOPED_TRACE(which);
    const auto device = testing::opened(which);
    const auto got = GetParam().run(*device);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    expect_agreement(GetParam(), *got);
  }
}

class Cuda : public ::testing::TestWithParam<Case> {};

TEST_P(Cuda, CompilesToPtx) {
  std::vector<emit::Unit> units;
  for (const ir::Program& program : GetParam().programs) {
    emit::Unit& unit = units.emplace_back(program);
    for (const ir::Uniform& uniform : program.uniforms) unit.fixed[uniform.name] = uniform.value;
  }
  const auto source = emit::emit(units, Language::cuda_c);
  ASSERT_TRUE(source.has_value()) << source.error().message;
  const auto ptx =
      device::compile_to_ptx(source->text, "compute_75", emit::compile_options(Language::cuda_c));
  if (!ptx && ptx.error().kind == ErrorKind::no_device) GTEST_SKIP() << ptx.error().message;
  EXPECT_TRUE(ptx.has_value()) << ptx.error().message;
}

INSTANTIATE_TEST_SUITE_P(Primitives, Suite, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });
INSTANTIATE_TEST_SUITE_P(Primitives, Cuda, ::testing::ValuesIn(cases_with_programs()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace vyre::primitives
