#include "emit/emit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <set>

#include "emit/code.h"
#include "emit/names.h"
#include "emit/operators.h"
#include "support/hostile_names.h"
#include "support/operations.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::emit {
namespace {

Unit unit(std::string_view text, ir::Uniforms fixed = {}) {
  return {testing::parsed(text), std::move(fixed)};
}

Source emitted(std::vector<Unit> units, Language language) {
  auto source = emit(units, language);
  if (!source) throw std::runtime_error(to_string(source.error()));
  return *std::move(source);
}

constexpr Language c_like[] = {Language::opencl_c, Language::cuda_c};

constexpr std::string_view with_uniforms =
    "program p { uniform n: u32 = 4 uniform a: f32 = 1.5 uniform on: bool = true "
    "buffer x: f32[n] read_write grid n if on { x[invocation.x] = a } }";

TEST(Emit, UniformsThatAreNotFixedStayArgumentsInOrder) {
  for (const Language language : {Language::vy, Language::opencl_c, Language::cuda_c}) {
    const Source open = emitted({unit(with_uniforms)}, language);
    EXPECT_EQ(open.entries[0].uniforms, (std::vector<std::string>{"n", "a", "on"}));
    const Source closed = emitted({unit(with_uniforms, {{"a", {Scalar::f32, 0}}})}, language);
    EXPECT_EQ(closed.entries[0].uniforms, (std::vector<std::string>{"n", "on"}));
  }
}

TEST(Emit, FixedUniformsAreTheDefaultsOfVyText) {
  const Source source = emitted({unit(with_uniforms, {{"n", {Scalar::u32, 77}}})}, Language::vy);
  ir::Program expected = testing::parsed(with_uniforms);
  expected.uniforms[0].value.bits = 77;
  EXPECT_EQ(testing::parsed(source.text), expected);
}

TEST(Emit, SeveralVyProgramsEndWithALoneBrace) {
  const Source source = emitted({unit(with_uniforms), unit(with_uniforms)}, Language::vy);
  const std::size_t end = source.text.find("\n}\n") + 3;
  EXPECT_EQ(testing::parsed(source.text.substr(0, end)).name, source.entries[0].name);
  EXPECT_EQ(testing::parsed(source.text.substr(end)).name, source.entries[1].name);
}

TEST(Emit, AnInvocationAloneInItsGroupNeedsNoAtomicInItsSharedMemory) {
  const auto atomics = [](std::string_view workgroup, std::string_view buffer, Language language) {
    const std::string text =
        "program p { buffer y: u32[4] read_write shared t: u32[4] grid 4 workgroup " +
        std::string(workgroup) + " t[0] = 0 atomic " + std::string(buffer) + "[0] += 1 }";
    return emitted({unit(text)}, language).text.find("atomic") != std::string::npos;
  };
  for (const Language language : c_like) {
    EXPECT_FALSE(atomics("1", "t", language));
    EXPECT_TRUE(atomics("1", "y", language));
    EXPECT_TRUE(atomics("2", "t", language));
  }
}

TEST(Emit, EntriesOfOneTextHaveDistinctNames) {
  for (const Language language : {Language::vy, Language::opencl_c, Language::cuda_c}) {
    const Source source = emitted({unit("program p { }"), unit("program p_2 { }"),
                                   unit("program p { }"), unit("program p { }")},
                                  language);
    std::set<std::string> names;
    for (const Entry& entry : source.entries) names.insert(entry.name);
    EXPECT_EQ(names.size(), 4U);
    EXPECT_EQ(source.entries[0].name, "p");
  }
}

TEST(Emit, FixingAUniformThatIsNotThereIsRefused) {
  const Unit wrong = unit("program p { }", {{"n", {Scalar::u32, 1}}});
  for (const Language language : {Language::vy, Language::opencl_c}) {
    const auto source = emit(std::span(&wrong, 1), language);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().kind, ErrorKind::input);
  }
}

TEST(Emit, ASharedSizeThatIsNotFixedIsRefused) {
  const std::string_view text =
      "program p { uniform n: u32 = 4 shared t: f32[n] grid 64 t[local.x % 4] = 0.0 }";
  for (const Language language : c_like) {
    const Unit open = unit(text);
    const auto source = emit(std::span(&open, 1), language);
    ASSERT_FALSE(source);
    EXPECT_NE(source.error().message.find("'n'"), std::string::npos) << source.error().message;
    const Unit fixed = unit(text, {{"n", {Scalar::u32, 4}}});
    EXPECT_TRUE(emit(std::span(&fixed, 1), language));
  }
}

TEST(Emit, ASizeThatCannotBeEvaluatedIsRefused) {
  const Unit negative = unit("program p { uniform n: u32 = 4 buffer x: f32[n - 5] read grid 64 }",
                             {{"n", {Scalar::u32, 4}}});
  EXPECT_FALSE(emit(std::span(&negative, 1), Language::opencl_c));
}

TEST(Emit, UseOfF64IsReported) {
  EXPECT_FALSE(emitted({unit("program p { }")}, Language::opencl_c).uses_f64);
  EXPECT_TRUE(
      emitted({unit("program p { }"), unit("program q { let a = f32(1.0d) }")}, Language::opencl_c)
          .uses_f64);
}

TEST(Emit, HelpersAreDefinedOncePerText) {
  const std::string_view text =
      "program p { buffer x: i32[64] read_write grid 64 x[0] = x[1] / x[2] % x[3] }";
  const auto size = [&](std::size_t units) {
    return emitted(std::vector<Unit>(units, unit(text)), Language::cuda_c).text.size();
  };
  // A third unit adds its kernel only, as the second did.
  EXPECT_EQ(size(3) - size(2), size(2) - size(1));
}

TEST(Emit, TheSameUnitsGiveTheSameText) {
  std::vector<Unit> units;
  for (const std::string& text : testing::statement_programs()) units.push_back(unit(text));
  for (const Language language : c_like) {
    EXPECT_EQ(emitted(units, language).text, emitted(units, language).text);
  }
}

// 256 open brackets are what compilers accept without being told otherwise.
TEST(Emit, TheDeepestProgramsStayBelowTheNestingThatCompilersAccept) {
  std::string expr = "s[0]";
  for (std::uint32_t n = 0; n < ir::max_nesting / 4; ++n) expr = "abs(-(" + expr + ") * 2i)";
  std::string nest = "s[0] = i32(u[0])";
  for (std::uint32_t n = 10; n < ir::max_nesting; ++n) nest = "if u[0] < 5 { " + nest + " }";
  for (const Language language : c_like) {
    EXPECT_LE(bracket_depth(emitted({unit(testing::in_body("s[0] = " + expr))}, language).text),
              20U);
    EXPECT_LE(bracket_depth(emitted({unit(testing::in_body(nest))}, language).text), 256U);
  }
}

TEST(Names, HostileNamesBecomeDistinctNamesThatAreAllowed) {
  const auto reserved = [](std::string_view name) { return name == "int" || name == "float"; };
  Names names(reserved);
  names.map_all({"int", "int_", "int__2", "x", "float"});
  EXPECT_EQ(names.of("x"), "x");
  EXPECT_EQ(names.of("int_"), "int_");
  std::set<std::string> all;
  for (const char* name : {"int", "int_", "int__2", "x", "float"}) {
    EXPECT_FALSE(reserved(names.of(name)));
    all.insert(names.of(name));
  }
  EXPECT_EQ(all.size(), 5U);
}

TEST(Literals, AreReadBackExactly) {
  for (const float value : {0.1F, 1.0F, 1e20F, 1e-45F, 3.4028235e38F, -2.5F, 16777217.0F}) {
    const std::string text = number({Scalar::f32, std::bit_cast<std::uint32_t>(value)}).text;
    EXPECT_EQ(text.back(), 'f');
    EXPECT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text << " would be an integer";
  }
}

}  // namespace
}  // namespace vyre::emit
