#include "device/reference_device.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/device.h"
#include "vyre/device/device.h"

namespace vyre::device {
namespace {

using testing::literal_u32;
using testing::opened;
using testing::row;

constexpr const char* fill_program = R"(program fill {
  uniform n: u32 = 8
  uniform value: u32 = 1
  buffer out: u32[n] write
  grid n
  workgroup 4

  out[invocation.x] = value
}
program local_ids {
  buffer out: u32[8] write
  grid 8
  workgroup 4

  out[invocation.x] = local.x
}
)";

class ReferenceDevice : public ::testing::Test {
 protected:
  std::unique_ptr<Kernel> kernel(const char* entry) { return module_->kernel(entry).value(); }
  std::vector<std::uint32_t> content() {
    std::vector<std::uint32_t> host(out_->bytes() / 4);
    EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(host)), *out_));
    return host;
  }
  std::string refusal(Kernel& of, std::vector<Argument> arguments, const Shape& shape) {
    const auto done = device_->launch(of, arguments, shape);
    return done ? "done" : done.error().message;
  }

  std::unique_ptr<Device> device_ = opened("reference");
  std::unique_ptr<Module> module_ = device_->compile(fill_program).value();
  std::unique_ptr<Buffer> out_ = device_->allocate(32).value();
};

TEST_F(ReferenceDevice, RunsVyresOwnText) {
  EXPECT_EQ(device_->language(), Language::vy);
  EXPECT_EQ(refusal(*kernel("local_ids"), {out_.get()}, row(8, 4)), "done");
  EXPECT_EQ(content(), (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST_F(ReferenceDevice, TakesTheUniformsThatNoSizeDependsOn) {
  const auto fill = kernel("fill");
  EXPECT_EQ(refusal(*fill, {out_.get(), literal_u32(5)}, row(8, 4)), "done");
  EXPECT_EQ(content(), std::vector<std::uint32_t>(8, 5));
  EXPECT_EQ(refusal(*fill, {out_.get(), literal_u32(6)}, row(8, 4)), "done");
  EXPECT_EQ(content(), std::vector<std::uint32_t>(8, 6));
}

TEST_F(ReferenceDevice, TakesAllUniformsAsWell) {
  const auto small = device_->allocate(8).value();
  EXPECT_EQ(refusal(*kernel("fill"), {small.get(), literal_u32(2), literal_u32(9)}, row(2, 4)),
            "done");
}

TEST_F(ReferenceDevice, RefusesArgumentsThatAreNotTheProgramsOwn) {
  const auto fill = kernel("fill");
  EXPECT_EQ(refusal(*fill, {}, row(8, 4)), "kernel 'fill' takes 2 arguments, 0 were given");
  EXPECT_EQ(refusal(*fill, {literal_u32(1), literal_u32(1)}, row(8, 4)),
            "argument 0 of kernel 'fill' is not a buffer of the reference device");
  EXPECT_EQ(refusal(*fill, {out_.get(), Literal{Scalar::f32, 0}}, row(8, 4)),
            "argument 1 of kernel 'fill' is the uniform 'value' of type u32");
}

TEST_F(ReferenceDevice, RunsWithAnotherWorkgroupWhereTheResultCannotDependOnIt) {
  EXPECT_EQ(refusal(*kernel("fill"), {out_.get(), literal_u32(3)}, row(8, 2)), "done");
  EXPECT_EQ(
      refusal(*kernel("local_ids"), {out_.get()}, row(8, 2)),
      "program local_ids computes with workgroups of 4 x 1 x 1: it cannot run with 2 x 1 x 1");
}

TEST_F(ReferenceDevice, RefusesAnotherGridThanTheProgramHas) {
  EXPECT_EQ(refusal(*kernel("fill"), {out_.get(), literal_u32(3)}, row(16, 4)),
            "program fill has a grid of 8 x 1 x 1, the launch one of 16 x 1 x 1");
}

TEST_F(ReferenceDevice, ReportsEveryProblemAtItsPlaceInTheWholeText) {
  const auto bad = device_->compile("program a {\n}\n\nprogram b {\n  let x = nothing\n}\n");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().kind, ErrorKind::compile);
  EXPECT_NE(bad.error().message.find("\n5:"), std::string::npos) << bad.error().message;
  EXPECT_NE(bad.error().message.find("nothing"), std::string::npos) << bad.error().message;
  EXPECT_FALSE(device_->compile("// nothing here\n").has_value());
}

TEST_F(ReferenceDevice, ReportsWhatAProgramMustNotDo) {
  auto compiled = device_->compile(
      "program far { buffer out: u32[8] write grid 9 "
      "out[invocation.x] = 1 }");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  const auto far = (*compiled)->kernel("far").value();
  const std::vector<Argument> arguments = {out_.get()};
  const auto done = device_->launch(*far, arguments, row(9, 64));
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, ErrorKind::run);
}

TEST_F(ReferenceDevice, TimesALaunch) {
  const std::vector<Argument> arguments = {out_.get()};
  const auto timing = device_->time(*kernel("local_ids"), arguments, row(8, 4));
  ASSERT_TRUE(timing.has_value());
  EXPECT_GT(timing->device_ns, 0U);
  EXPECT_LE(timing->device_ns, timing->wall_ns);
}

TEST_F(ReferenceDevice, NamesTheKernelsThereAreWhereOneIsMissing) {
  const auto none = module_->kernel("nothing");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message,
            "there is no kernel 'nothing' in the source; it has: fill, local_ids");
}

TEST_F(ReferenceDevice, RefusesCopiesOfAnotherLengthAndAllowsEmptyBuffers) {
  std::vector<std::byte> host(31);
  EXPECT_EQ(device_->write(*out_, host).error().message,
            "the buffer has 32 bytes and the host memory 31");
  const auto none = device_->allocate(0).value();
  EXPECT_TRUE(device_->write(*none, {}));
  EXPECT_TRUE(device_->read({}, *none));
}

TEST(ProgramTexts, AreCutAfterTheBraceThatEndsAProgram) {
  const auto pieces = program_texts("program a { if true { } }\nprogram b { }\n");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].text, "program a { if true { } }");
  EXPECT_EQ(pieces[1].text, "\nprogram b { }");
}

TEST(ProgramTexts, KnowTheLineTheyStartIn) {
  const auto pieces = program_texts("program a {\n\n}\nprogram b { }");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].first_line, 1U);
  EXPECT_EQ(pieces[1].first_line, 3U);  // the rest of the line with the brace
}

TEST(ProgramTexts, DoNotEndAtABraceInACommentOrARegionsName) {
  const auto pieces = program_texts("program a { // }\n region \"}\" { } }");
  ASSERT_EQ(pieces.size(), 1U);
}

TEST(ProgramTexts, KeepWhatIsNotAProgramForTheParserToReport) {
  const auto pieces = program_texts("program a { } and more");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[1].text, " and more");
  EXPECT_EQ(program_texts("program a {").size(), 1U);
}

TEST(ProgramTexts, AreNoneWhereThereAreOnlyCommentsAndSpaces) {
  EXPECT_TRUE(program_texts("").empty());
  EXPECT_TRUE(program_texts(" // nothing\n\n").empty());
  EXPECT_EQ(program_texts("program a { }\n// the end\n").size(), 1U);
}

}  // namespace
}  // namespace vyre::device
