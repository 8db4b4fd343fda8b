#include "formats/t1.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "space/expression.h"
#include "vyre/space/enumerate.h"

namespace vyre::formats {
namespace {

const std::string hotspot = R"json({
  "General": {"BenchmarkName": "hotspot", "OutputFormat": "JSON"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "grid_width", "Type": "int", "Values": "[4096]", "Default": 4096},
      {"Name": "block_size_x", "Type": "int",
       "Values": "[1, 2, 4, 8, 16] + list(range(32, 1024+1, 32))", "Default": 256},
      {"Name": "block_size_y", "Type": "int", "Values": "[2**i for i in range(0, 6)]"},
      {"Name": "tile_size_x", "Type": "int", "Values": "[i for i in range(1, 11)]"},
      {"Name": "tile_size_y", "Type": "int", "Values": "[i for i in range(1, 11)]"},
      {"Name": "temporal_tiling_factor", "Type": "int", "Values": "[i for i in range(1, 11)]"},
      {"Name": "loop_unroll_factor_t", "Type": "int", "Values": "[i for i in range(1, 10+1)]"},
      {"Name": "sh_power", "Type": "int", "Values": [0, 1], "Default": [1]}],
    "Conditions": [
      {"Expression": "block_size_x*block_size_y>= 32",
       "Parameters": ["block_size_x", "block_size_y"]},
      {"Expression": "temporal_tiling_factor % loop_unroll_factor_t == 0", "Parameters": []},
      "block_size_x*block_size_y <= 1024",
      {"Expression": "(block_size_x*tile_size_x+ temporal_tiling_factor * 2) * (block_size_y*tile_size_y+ temporal_tiling_factor * 2) * (2+sh_power) * 4 <= 49152"}]},
  "KernelSpecification": {"Language": "CUDA", "Stream": null, "GridDivX": ["block_size_x"]}
})json";

TEST(T1, ParametersAndConditionsAreReadAndTheRestIsPassedOver) {
  const auto read = parse_t1(hotspot);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->parameters.size(), 8);
  EXPECT_EQ(read->parameters[1].values.size(), 37);
  EXPECT_EQ(read->constraints->size(), 4);
  const auto made = space::enumerate(*read);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->space.size(), 82'984);
}

TEST(T1, EveryPrefixIsRefusedWithAPlace) {
  for (std::size_t length = 0; length < hotspot.size(); length += 3) {
    const auto read = parse_t1(hotspot.substr(0, length));
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().place.known());
  }
}

TEST(T1, ValuesMayBeOfEveryType) {
  const auto good = parse_t1(R"({"ConfigurationSpace": {"TuningParameters": [
      {"Name": "a", "Type": "float", "Values": "[0.5, 1.0]"},
      {"Name": "b", "Type": "bool", "Values": "[True, False]"},
      {"Name": "c", "Type": "string", "Values": "['x', \"y\"]"}]}})");
  ASSERT_TRUE(good) << to_string(good.error());
  EXPECT_EQ(good->parameters[2].values[1], space::Value("y"));
}

TEST(T1, MistakesNameTheirPlace) {
  const auto values = parse_t1(R"({"ConfigurationSpace": {"TuningParameters": [
{"Name": "x", "Values": "[1, 2"}]}})");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().place.line, 2);
  for (
      const std::string_view text :
      {"{}", "[]", R"({"ConfigurationSpace": {}})",
       R"({"ConfigurationSpace": {"TuningParameters": []}})",
       R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x"}]}})",
       R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": "1/0"}]}})",
       R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": "[y]"}]}})",
       R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": [1]}], "Conditions": ["z > 1"]}})",
       R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": [1]}], "Conditions": [{}]}})"}) {
    EXPECT_FALSE(parse_t1(text)) << text;
  }
}

TEST(T1, ThousandsOfParametersOrConditionsAreRefusedWhereTheyAreTooMany) {
  const auto with = [](std::size_t parameters, std::size_t conditions) {
    std::string text = "{\"ConfigurationSpace\": {\"TuningParameters\": [";
    for (std::size_t p = 0; p < parameters; ++p) {
      text += fmt::format("{}\n{{\"Name\": \"p{}\", \"Values\": [1]}}", p > 0 ? "," : "", p);
    }
    text += "], \"Conditions\": [";
    for (std::size_t c = 0; c < conditions; ++c) {
      text += fmt::format("{}\n\"p0 > 0\"", c > 0 ? "," : "");
    }
    return parse_t1(text + "]}}");
  };
  EXPECT_TRUE(with(1'024, 4'096));
  const auto parameters = with(5'000, 0);
  ASSERT_FALSE(parameters);
  EXPECT_EQ(parameters.error().message, "a space has at most 1024 parameters");
  EXPECT_EQ(parameters.error().place.line, 1'026U);
  const auto conditions = with(1, 5'000);
  ASSERT_FALSE(conditions);
  EXPECT_EQ(conditions.error().message, "a space has at most 4096 conditions");
}

TEST(T1, AParameterWithTooManyValuesIsRefusedWhereItIs) {
  const auto made = parse_t1(
      "{\"ConfigurationSpace\": {\"TuningParameters\": [\n"
      "{\"Name\": \"x\", \"Values\": \"range(70000)\"},\n"
      "{\"Name\": \"y\", \"Values\": \"?\"}]}}");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().place.line, 2U);
  EXPECT_NE(made.error().message.find("at most 65536"), std::string::npos);
}

}  // namespace
}  // namespace vyre::formats
