#include <fmt/format.h>
#include <gtest/gtest.h>

#include "run/fake_device.h"
#include "support/programs.h"
#include "vyre/run/run.h"

namespace vyre::run {
namespace {

constexpr device::Limits small = {
    .max_workgroup = 256, .max_workgroup_dims = {256, 256, 64}, .shared_bytes = 1024};

// Why a device with these limits does not compile the program, or "compiled".
std::string refusal(std::string_view text, const ir::Uniforms& uniforms = {},
                    device::Limits limits = small, ErrorKind kind = ErrorKind::limit) {
  testing::FakeDevice device(limits);
  const auto executable = compile(device, {testing::parsed(text), uniforms});
  if (executable) return "compiled";
  EXPECT_EQ(executable.error().kind, kind);
  EXPECT_EQ(device.compiled, 0) << "the device's compiler is slow: ask it last";
  return executable.error().message;
}

constexpr const char* doubles = R"(program doubles {
  buffer y: f64[8] write
  grid 8
  y[invocation.x] = 1.0d
})";

TEST(Compile, RefusesF64WhereTheDeviceHasNone) {
  EXPECT_EQ(refusal(doubles),
            "the source of doubles uses f64, which fake does not have: use f32 or another device");
  device::Limits with_f64 = small;
  with_f64.has_f64 = true;
  EXPECT_EQ(refusal(doubles, {}, with_f64), "compiled");
}

constexpr const char* tiles = R"(program tiles {
  uniform width: u32 = 100
  shared a: f32[width]
  shared b: u32[100]
  buffer y: f32[64] write
  grid 64
  a[local.x] = 1.0
  b[local.x] = 1
  y[invocation.x] = a[local.x]
})";

TEST(Compile, RefusesMoreSharedMemoryThanTheDeviceHas) {
  EXPECT_EQ(refusal(tiles), "compiled");
  EXPECT_EQ(
      refusal(tiles, {{"width", {Scalar::u32, 200}}}),
      "program tiles needs 1200 bytes of shared memory per workgroup (a 800, b 400); fake has "
      "1024");
}

TEST(Compile, RefusesMorePrivateMemoryThanAWorkgroupCanKeepAcrossBarriers) {
  const auto text = [](std::string_view workgroup, std::string_view barrier) {
    return fmt::format(
        "program own {{ private a: f64[2000] buffer y: f32[512] write grid 512 workgroup {} "
        "a[0] = 1.0d {} y[invocation.x] = f32(a[0]) }}",
        workgroup, barrier);
  };
  device::Limits limits = small;
  limits.has_f64 = true;
  EXPECT_EQ(refusal(text("128", "barrier"), {}, limits), "compiled");
  EXPECT_EQ(refusal(text("256", ""), {}, limits), "compiled");
  EXPECT_EQ(refusal(text("256", "barrier"), {}, limits),
            "the 256 invocations of a workgroup of program own keep 16000 bytes each in private "
            "buffers while they wait for the others; at most 2097152 in all are accepted: choose a "
            "smaller workgroup");
}

TEST(Compile, RefusesAWorkgroupOverTheDevicesLimit) {
  EXPECT_EQ(
      refusal("program wide { buffer y: u32[512] write grid 512 workgroup 32, 16 "
              "y[invocation.x] = 0 }"),
      "program wide has workgroups of 32 x 16 x 1; fake allows 256 invocations in one: choose "
      "a smaller workgroup");
  EXPECT_EQ(refusal("program deep { buffer y: u32[512] write grid 512 workgroup 1, 1, 128 "
                    "y[invocation.x] = 0 }"),
            "program deep has workgroups of 1 x 1 x 128; fake allows 64 in z: choose a smaller "
            "workgroup");
}

TEST(Compile, RefusesAnEmptyGridAndUniformsThatTheProgramDoesNotHave) {
  const char* text =
      "program p { uniform n: u32 = 8 buffer y: u32[n] write grid n "
      "y[invocation.x] = 0 }";
  const auto wrong = [&](const ir::Uniforms& uniforms) {
    return refusal(text, uniforms, small, ErrorKind::input);
  };
  EXPECT_NE(wrong({{"n", {Scalar::u32, 0}}}).find("empty"), std::string::npos);
  EXPECT_EQ(wrong({{"m", {Scalar::u32, 1}}}), "program p has no uniform 'm'");
  EXPECT_EQ(wrong({{"n", {Scalar::f32, 1}}}), "uniform 'n' is u32, not f32");
}

TEST(Compile, OfNoProgramsGivesNoExecutables) {
  testing::FakeDevice device(small);
  const auto none = compile(device, std::span<const Request>{});
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace vyre::run
