#include "run/data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace vyre::run {
namespace {

std::string shown(std::string_view description, Scalar element, std::uint32_t count) {
  const auto bytes = make_data(description, element, count);
  if (!bytes) return bytes.error().message;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += (i > 0 ? "," : "") + element_text(*bytes, element, i);
  }
  return text;
}

std::optional<std::uint32_t> own_count(std::string_view description, Scalar element) {
  return Data::read(description, element).value().count();
}

TEST(Data, RampsFillsAndListsAreInTheBuffersType) {
  EXPECT_EQ(shown("ramp", Scalar::u32, 4), "0,1,2,3");
  EXPECT_EQ(shown("ramp:4", Scalar::f32, 4), "0,1,2,3");
  EXPECT_EQ(shown("ramp", Scalar::boolean, 3), "false,true,false");
  EXPECT_EQ(shown("fill:-2.5", Scalar::f64, 2), "-2.5,-2.5");
  EXPECT_EQ(shown("1,-2,3", Scalar::i32, 3), "1,-2,3");
  EXPECT_EQ(shown("0.1,inf,nan", Scalar::f32, 3), "0.1,inf,nan");
  EXPECT_EQ(shown("true,0", Scalar::boolean, 2), "true,false");
}

TEST(Data, NarrowElementsAreReadAndShownAsWhatTheyHold) {
  EXPECT_EQ(shown("ramp", Scalar::u8, 300).substr(0, 8), "0,1,2,3,");
  EXPECT_TRUE(shown("ramp", Scalar::u8, 258).ends_with("254,255,0,1"));
  EXPECT_EQ(shown("-128,127", Scalar::i8, 2), "-128,127");
  EXPECT_EQ(shown("-32768,5", Scalar::i16, 2), "-32768,5");
  EXPECT_EQ(shown("0,65535", Scalar::u16, 2), "0,65535");
  EXPECT_EQ(shown("0.5,-65504,1e9,nan", Scalar::f16, 4), "0.5,-65504,inf,nan");
  EXPECT_EQ(shown("0.1", Scalar::f16, 1), "0.099975586");
  EXPECT_EQ(shown("0.099975586", Scalar::f16, 1), "0.099975586");
  EXPECT_EQ(shown("256", Scalar::u8, 1), "'256' is not a u8");
  EXPECT_EQ(shown("-129", Scalar::i8, 1), "'-129' is not an i8");
  EXPECT_EQ(make_data("random:1", Scalar::u8, 7)->size(), 7U);
  EXPECT_NE(shown("random:1", Scalar::f16, 9), shown("random:2", Scalar::f16, 9));
}

TEST(Data, LongsKeepAll64Bits) {
  EXPECT_EQ(shown("18446744073709551615,0", Scalar::u64, 2), "18446744073709551615,0");
  EXPECT_EQ(shown("-9223372036854775808,-1", Scalar::i64, 2), "-9223372036854775808,-1");
  EXPECT_EQ(shown("-1", Scalar::u64, 1), "'-1' is not a u64");
  EXPECT_EQ(shown("ramp", Scalar::i64, 3), "0,1,2");
}

TEST(Data, RandomNumbersAreTheSameForASeedAndInRange) {
  EXPECT_EQ(shown("random:7", Scalar::f32, 100), shown("random:7:100", Scalar::f32, 100));
  EXPECT_NE(shown("random:7", Scalar::u32, 100), shown("random:8", Scalar::u32, 100));
  const auto bytes = make_data("random:1", Scalar::f64, 1000).value();
  double sum = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const double x = std::stod(element_text(bytes, Scalar::f64, i));
    EXPECT_GE(x, -1.0);
    EXPECT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / 1000, 0.0, 0.1);
}

TEST(Data, SaysHowManyElementsItHas) {
  EXPECT_EQ(own_count("ramp", Scalar::f32), std::nullopt);
  EXPECT_EQ(own_count("ramp:12", Scalar::f32), 12U);
  EXPECT_EQ(own_count("random:3:9", Scalar::f32), 9U);
  EXPECT_EQ(own_count("1,2,3", Scalar::f32), 3U);
}

TEST(Data, AFileIsTakenAsItIs) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "vyre_data.bin";
  std::ofstream(path, std::ios::binary).write("\1\0\0\0\2\0\0\0", 8);
  const std::string at = "@" + path.string();
  EXPECT_EQ(own_count(at, Scalar::u32), 2U);
  EXPECT_EQ(shown(at, Scalar::u32, 2), "1,2");
  EXPECT_EQ(own_count(at, Scalar::f64), 1U);
  std::filesystem::resize_file(path, 7);
  EXPECT_EQ(Data::read(at, Scalar::u32).error().message,
            fmt::format("'{}': the file has 7 bytes: it must be a multiple of 4 and at most "
                        "1073741824",
                        at.substr(0, 80)));
  std::filesystem::remove(path);
  EXPECT_EQ(Data::read(at, Scalar::u32).error().kind, ErrorKind::io);
}

TEST(Data, APipeIsReadOnceForItsCountAndItsContent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "\1\0\0\0\2\0\0\0", 8), 8);
  ::close(ends[1]);
  auto data = Data::read(fmt::format("@/dev/fd/{}", ends[0]), Scalar::u32);
  ::close(ends[0]);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->count(), 2U);
  const auto bytes = std::move(*data).bytes(2).value();
  EXPECT_EQ(element_text(bytes, Scalar::u32, 0), "1");
  EXPECT_EQ(element_text(bytes, Scalar::u32, 1), "2");
}

TEST(Data, WhatCannotBeReadIsRefusedWithTheReason) {
  const auto message = [](std::string_view text, Scalar element) {
    return Data::read(text, element).error().message;
  };
  EXPECT_EQ(message("ramp:1000000000000", Scalar::f32),
            "'ramp:1000000000000': '1000000000000' is not a count that fits in u32");
  EXPECT_EQ(message("random", Scalar::f32), "'random': random needs a seed, as in random:7");
  EXPECT_EQ(message("fill", Scalar::f32), "'fill': fill needs a value, as in fill:1.5");
  EXPECT_EQ(message("ramp:1:2", Scalar::f32), "'ramp:1:2': too many parts");
  EXPECT_EQ(message("1,x,3", Scalar::f32), "'x' is not an f32");
  EXPECT_EQ(message("-1", Scalar::u32), "'-1' is not a u32");
  EXPECT_EQ(message("", Scalar::u32), "'' is not a u32");
  EXPECT_EQ(make_data("ramp", Scalar::f32, 4'000'000'000U).error().message,
            "'ramp': 4000000000 elements are 16000000000 bytes; at most 1073741824 are accepted");
}

}  // namespace
}  // namespace vyre::run
