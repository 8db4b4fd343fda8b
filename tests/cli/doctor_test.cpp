#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/vyre.h"

namespace vyre::testing {
namespace {

// The line of the check, or empty.
std::string line_of(const Finished& doctor, const std::string& check) {
  std::istringstream lines(doctor.out);
  for (std::string line; std::getline(lines, line);) {
    if (contains(line, check)) return line;
  }
  return {};
}

// What is wrong and how to mend it, or empty where the check is fine.
std::string problem(const Finished& doctor, const std::string& check) {
  const std::string line = line_of(doctor, check);
  EXPECT_NE(line, "") << check << " is not among\n" << doctor.out;
  if (!line.starts_with("problem ")) return {};
  EXPECT_TRUE(contains(line, "To mend it: ")) << line;
  return line;
}

bool device_is_pocl() {
  const auto listed = nlohmann::json::parse(vyre({"devices", "--json"}).out).at("devices");
  return listed.size() == 2 && listed[1].at("platform") == "Portable Computing Language";
}

TEST(Doctor, FindsNothingWrongOnAMachineThatRunsTheTests) {
  const auto doctor = vyre({"doctor"});
  EXPECT_EQ(doctor.status, 0) << doctor.out;
  EXPECT_EQ(doctor.err, "");
  for (const auto* check :
       {"OpenCL loader", "OpenCL drivers", "OpenCL device", "kernel on opencl:0", "vyre's cache"}) {
    EXPECT_TRUE(line_of(doctor, check).starts_with("ok ")) << check << "\n" << doctor.out;
  }
}

TEST(Doctor, SaysWhichPackageHoldsADriverWhereThereIsNone) {
  const TemporaryDirectory empty;
  for (const std::string& vendors : {std::string("/nonexistent"), empty.path().string()}) {
    const auto doctor = vyre({"doctor"}, {{"OCL_ICD_VENDORS", vendors}});
    EXPECT_EQ(doctor.status, 3) << doctor.out;
    EXPECT_TRUE(contains(problem(doctor, "OpenCL drivers"), "pocl-opencl-icd")) << doctor.out;
    EXPECT_TRUE(contains(problem(doctor, "OpenCL drivers"), vendors)) << doctor.out;
    EXPECT_NE(problem(doctor, "OpenCL device"), "");
    EXPECT_TRUE(line_of(doctor, "OpenCL loader").starts_with("ok "));
    EXPECT_TRUE(contains(doctor.err, "2 of 5 checks")) << doctor.err;
  }
}

TEST(Doctor, NamesTheFileOfADriverThatCannotBeLoaded) {
  const TemporaryDirectory vendors;
  const std::string file = vendors.write("broken.icd", "libvyre-no-such-driver.so\n");
  for (const std::string& place : {vendors.path().string(), file}) {
    const auto doctor = vyre({"doctor"}, {{"OCL_ICD_VENDORS", place}});
    EXPECT_EQ(doctor.status, 3);
    EXPECT_TRUE(contains(problem(doctor, "OpenCL drivers"), file)) << doctor.out;
  }
}

TEST(Doctor, FindsACacheDirectoryThatCannotBeMade) {
  const TemporaryDirectory files;
  const std::string in_the_way = files.write("a-file", "");
  for (const std::string& cache : {std::string("/proc/nope"), in_the_way}) {
    // PoCL would use the same variable, and then offer no device.
    const auto doctor =
        vyre({"doctor"}, {{"XDG_CACHE_HOME", cache}, {"POCL_CACHE_DIR", files.path() / "pocl"}});
    EXPECT_EQ(doctor.status, 1) << doctor.out;
    EXPECT_TRUE(contains(problem(doctor, "vyre's cache"), cache + "/vyre")) << doctor.out;
    EXPECT_TRUE(contains(problem(doctor, "vyre's cache"), "XDG_CACHE_HOME")) << doctor.out;
    EXPECT_EQ(problem(doctor, "kernel on opencl:0"), "");
  }
}

TEST(Doctor, LooksForTheCacheWhereTheVariablesPoint) {
  const TemporaryDirectory files;
  const std::string home = files.path() / "home";
  const std::string xdg = files.path() / "xdg";
  const std::string pocl = files.path() / "pocl";
  const auto by_xdg =
      vyre({"doctor"}, {{"HOME", home}, {"XDG_CACHE_HOME", xdg}, {"POCL_CACHE_DIR", pocl}});
  EXPECT_TRUE(contains(line_of(by_xdg, "vyre's cache"), xdg + "/vyre ")) << by_xdg.out;
  const auto by_home =
      vyre({"doctor"}, {{"HOME", home}, {"XDG_CACHE_HOME", ""}, {"POCL_CACHE_DIR", pocl}});
  EXPECT_TRUE(contains(line_of(by_home, "vyre's cache"), home + "/.cache/vyre ")) << by_home.out;
}

TEST(Doctor, FindsThatPoclCannotWriteItsCache) {
  if (!device_is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  const auto doctor = vyre({"doctor"}, {{"POCL_CACHE_DIR", "/proc/nope"}});
  EXPECT_EQ(doctor.status, 3) << "PoCL without a cache offers no device\n" << doctor.out;
  EXPECT_TRUE(contains(problem(doctor, "PoCL's cache"), "/proc/nope")) << doctor.out;
  EXPECT_TRUE(contains(problem(doctor, "PoCL's cache"), "POCL_CACHE_DIR")) << doctor.out;
  EXPECT_EQ(problem(doctor, "vyre's cache"), "");
}

TEST(Doctor, FindsADeviceThatCannotCompile) {
  if (!device_is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  const auto doctor = vyre({"doctor"}, {{"POCL_EXTRA_BUILD_FLAGS", "-no-such-flag"}});
  EXPECT_EQ(doctor.status, 1) << doctor.out;
  EXPECT_TRUE(contains(problem(doctor, "kernel on opencl:0"), "-no-such-flag")) << doctor.out;
}

TEST(Doctor, FindsADeviceThatComputesWrongResults) {
  if (!device_is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  const auto doctor =
      vyre({"doctor"}, {{"POCL_EXTRA_BUILD_FLAGS", "-Dget_global_id=get_local_id"}});
  EXPECT_EQ(doctor.status, 1) << doctor.out;
  EXPECT_TRUE(contains(problem(doctor, "kernel on opencl:0"), "element 32 is 0 instead of 97"))
      << doctor.out;
}

}  // namespace
}  // namespace vyre::testing
