#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

using Json = nlohmann::json;

TEST(DevicesCommand, PrintsOneRowPerDevice) {
  const auto listed = vyre({"devices"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_EQ(listed.err, "");
  EXPECT_TRUE(listed.out.starts_with("DEVICE ")) << listed.out;
  EXPECT_TRUE(contains(listed.out, "\nreference ")) << listed.out;
  EXPECT_TRUE(contains(listed.out, "\nopencl:0 ")) << listed.out;
}

TEST(DevicesCommand, PrintsTheSameJsonEveryTimeExceptFreeMemory) {
  Json first = Json::parse(vyre({"devices", "--json"}).out);
  Json second = Json::parse(vyre({"devices", "--json"}).out);
  for (Json* listed : {&first, &second}) {
    for (Json& device : listed->at("devices")) device.erase("max_buffer_bytes");
  }
  EXPECT_EQ(first, second);
}

TEST(DevicesCommand, HasEveryFieldInItsJson) {
  const Json listed = Json::parse(vyre({"devices", "--json"}).out).at("devices");
  ASSERT_GE(listed.size(), 2U);
  EXPECT_EQ(listed[0].at("device"), "reference");
  EXPECT_EQ(listed[1].at("device"), "opencl:0");
  for (const Json& device : listed) {
    for (const auto* text : {"id", "kind", "platform", "vendor", "name", "driver"}) {
      EXPECT_TRUE(device.at(text).is_string()) << text;
    }
    for (const auto* number : {"compute_units", "max_workgroup", "preferred_multiple",
                               "shared_bytes", "max_buffer_bytes"}) {
      EXPECT_GE(device.at(number).get<std::uint64_t>(), 1U) << number;
    }
    EXPECT_EQ(device.at("max_workgroup_dims").size(), 3U);
    EXPECT_TRUE(device.at("f64").is_boolean() && device.at("cpu").is_boolean());
  }
}

TEST(DevicesCommand, SaysWhatToInstallWhereThereIsNoDriver) {
  const auto listed = vyre({"devices"}, {{"OCL_ICD_VENDORS", "/nonexistent"}});
  EXPECT_EQ(listed.status, 3);
  EXPECT_TRUE(contains(listed.out, "\nreference ")) << listed.out;
  EXPECT_FALSE(contains(listed.out, "opencl")) << listed.out;
  EXPECT_TRUE(contains(listed.err, "pocl-opencl-icd")) << listed.err;
  EXPECT_TRUE(contains(listed.err, "ocl-icd-libopencl1")) << listed.err;
}

TEST(DevicesCommand, StillPrintsJsonWhereThereIsNoDriver) {
  const auto listed = vyre({"devices", "--json"}, {{"OCL_ICD_VENDORS", "/nonexistent"}});
  EXPECT_EQ(listed.status, 3);
  EXPECT_EQ(Json::parse(listed.out).at("devices").size(), 1U);
}

TEST(DevicesCommand, SaysWhyADriverHasNoDevice) {
  const auto listed = vyre({"devices"}, {{"POCL_DEVICES", "nonsense"}});
  if (listed.status == 0) GTEST_SKIP() << "another driver than PoCL is installed";
  EXPECT_EQ(listed.status, 3);
  EXPECT_TRUE(contains(listed.err, "-1 device not found")) << listed.err;
}

TEST(DevicesCommand, ListsTwoDevicesOfOneDriver) {
  const auto listed = vyre({"devices", "--json"}, {{"POCL_DEVICES", "pthread basic"}});
  const Json devices = Json::parse(listed.out).at("devices");
  if (devices[1].at("platform") != "Portable Computing Language") GTEST_SKIP() << "not PoCL";
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[2].at("device"), "opencl:1");
  EXPECT_NE(devices[1].at("id"), devices[2].at("id"));
}

// Oclgrind calls its simulator a GPU.
TEST(DevicesCommand, ListsGpusBeforeCpus) {
  const std::string oclgrind = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
  const std::string pocl = "/etc/OpenCL/vendors/pocl.icd";
  if (!std::filesystem::exists(oclgrind) || !std::filesystem::exists(pocl)) {
    GTEST_SKIP() << "needs PoCL and Oclgrind";
  }
  const TemporaryDirectory vendors;
  std::filesystem::copy(pocl, vendors.path() / "1-pocl.icd");
  vendors.write("2-oclgrind.icd", oclgrind + "\n");
  const auto listed = vyre({"devices", "--json"}, {{"OCL_ICD_VENDORS", vendors.path()}});
  const Json devices = Json::parse(listed.out).at("devices");
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[1].at("name"), "Oclgrind Simulator");
  EXPECT_EQ(devices[1].at("cpu"), false);
  EXPECT_EQ(devices[2].at("cpu"), true);
}

TEST(DevicesCommand, HasNoColourWhenNotOnATerminal) {
  EXPECT_FALSE(contains(vyre({"devices"}).out, "\x1b"));
  EXPECT_FALSE(contains(vyre({"doctor"}).out, "\x1b"));
}

}  // namespace
}  // namespace vyre::testing
