// CUDA C, compiled to PTX: no GPU is needed for that.
#include "device/cuda_compile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "emit/emit.h"
#include "support/hostile_names.h"
#include "support/operations.h"
#include "support/paths.h"
#include "support/programs.h"

namespace vyre::device {
namespace {

emit::Unit with_all_fixed(const ir::Program& program) {
  emit::Unit unit{program, {}};
  for (const ir::Uniform& uniform : program.uniforms) unit.fixed[uniform.name] = uniform.value;
  return unit;
}

// PTX of all programs in one text, each with its uniforms fixed and, where shared memory allows,
// open.
Result<std::string> ptx_of(const std::vector<std::string>& programs, std::string_view arch) {
  std::vector<emit::Unit> units;
  for (const std::string& text : programs) {
    const ir::Program program = testing::parsed(text);
    units.push_back(with_all_fixed(program));
    if (program.uniforms.empty()) continue;
    const emit::Unit open{program, {}};
    if (emit::emit(std::span(&open, 1), Language::cuda_c)) units.push_back(open);
  }
  const auto source = emit::emit(units, Language::cuda_c);
  if (!source) return Unexpected(source.error());
  return compile_to_ptx(source->text, arch, emit::compile_options(Language::cuda_c));
}

std::vector<std::string> example_programs() {
  std::vector<std::string> programs;
  for (const auto& entry : std::filesystem::directory_iterator(testing::paths::examples)) {
    if (entry.path().extension() != ".vy") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    programs.push_back(text.str());
  }
  return programs;
}

class CudaCompiler : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto ptx = compile_to_ptx("extern \"C\" __global__ void nothing() {}", GetParam(), {});
    if (!ptx && ptx.error().kind == ErrorKind::no_device) GTEST_SKIP() << ptx.error().message;
    ASSERT_TRUE(ptx) << to_string(ptx.error());
  }
  void expect_compiles(const std::vector<std::string>& programs) const {
    const auto ptx = ptx_of(programs, GetParam());
    ASSERT_TRUE(ptx) << to_string(ptx.error());
  }
};

INSTANTIATE_TEST_SUITE_P(Architectures, CudaCompiler, ::testing::Values("sm_75", "sm_90"),
                         [](const auto& arch) { return std::string(arch.param); });

TEST_P(CudaCompiler, AcceptsEveryOperationOnEveryType) {
  expect_compiles(testing::operation_programs());
}

TEST_P(CudaCompiler, AcceptsEveryStatement) { expect_compiles(testing::statement_programs()); }

TEST_P(CudaCompiler, AcceptsTheExamples) { expect_compiles(example_programs()); }

TEST_P(CudaCompiler, AcceptsNamesThatMeanSomethingElseInCuda) {
  expect_compiles(testing::programs_with_hostile_names());
}

TEST_P(CudaCompiler, DoesNotContractAProductAndASum) {
  const auto ptx = ptx_of({"program p { buffer x: f32[64] read_write grid 64 let i = invocation.x "
                           "x[i] = x[i] * x[i] + x[i] }"},
                          GetParam());
  ASSERT_TRUE(ptx) << to_string(ptx.error());
  EXPECT_EQ(ptx->find("fma"), std::string::npos);
}

TEST_P(CudaCompiler, ReportsRefusedSourceWithTheCompilersLog) {
  const auto ptx = compile_to_ptx("__global__ void f() { undeclared = 1; }", GetParam(), {});
  ASSERT_FALSE(ptx);
  EXPECT_EQ(ptx.error().kind, ErrorKind::compile);
  EXPECT_NE(ptx.error().message.find("undeclared"), std::string::npos);
}

}  // namespace
}  // namespace vyre::device
