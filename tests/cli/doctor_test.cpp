#include <fmt/format.h>
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

// Drivers would be looked for, and compile, in the places that these tests change.
Finished without_drivers(std::map<std::string, std::string> environment) {
  environment["OCL_ICD_VENDORS"] = "/nonexistent";
  return vyre({"doctor"}, environment);
}

// With at most so many descriptors.
Finished doctor_with_descriptors(int most) {
  return run_program(
      {"/bin/sh", "-c", fmt::format("ulimit -n {}; exec {} doctor", most, paths::tool)});
}

TEST(Doctor, FindsNothingWrongOnAMachineThatRunsTheTests) {
  const auto doctor = vyre({"doctor"});
  EXPECT_EQ(doctor.status, 0) << doctor.out;
  EXPECT_EQ(doctor.err, "");
  for (const auto* check : {"worker process", "OpenCL loader", "OpenCL drivers", "OpenCL device",
                            "kernel on opencl:0", "conformance on opencl:0", "vyre's cache"}) {
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
    EXPECT_TRUE(contains(doctor.err, "2 of 6 checks")) << doctor.err;
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
    const auto doctor = without_drivers({{"XDG_CACHE_HOME", cache}});
    EXPECT_TRUE(contains(problem(doctor, "vyre's cache"), cache + "/vyre")) << doctor.out;
    EXPECT_TRUE(contains(problem(doctor, "vyre's cache"), "XDG_CACHE_HOME")) << doctor.out;
    EXPECT_TRUE(contains(doctor.err, "3 of 6 checks")) << doctor.err;
  }
}

TEST(Doctor, LooksForTheCacheWhereTheVariablesPoint) {
  const TemporaryDirectory files;
  const std::string home = files.path() / "home";
  const std::string xdg = files.path() / "xdg";
  const auto by_xdg = without_drivers({{"HOME", home}, {"XDG_CACHE_HOME", xdg}});
  EXPECT_TRUE(contains(line_of(by_xdg, "vyre's cache"), xdg + "/vyre ")) << by_xdg.out;
  const auto by_home = without_drivers({{"HOME", home}, {"XDG_CACHE_HOME", ""}});
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
  EXPECT_TRUE(
      contains(problem(doctor, "kernel on opencl:0"), "element 32 is 2779096485, expected 97"))
      << doctor.out;
}

TEST(Doctor, SurvivesADriverThatAbortsForWantOfALinkerAndSaysWhatIsMissing) {
  if (!device_is_pocl()) GTEST_SKIP() << "the device is not PoCL";
  const TemporaryDirectory cold;
  const auto doctor = vyre({"doctor"}, {{"PATH", ""}, {"POCL_CACHE_DIR", cold.path()}});
  EXPECT_EQ(doctor.status, 1) << doctor.out << doctor.err;
  const std::string kernel = problem(doctor, "kernel on opencl:0");
  EXPECT_TRUE(contains(kernel, "brought its process down")) << kernel;
  EXPECT_TRUE(contains(kernel, "`ld`, which is not in PATH")) << kernel;
  EXPECT_EQ(problem(doctor, "worker process"), "");
}

TEST(Doctor, SurvivesADriverThatCrashesWhenItIsLoaded) {
  const TemporaryDirectory vendors;
  const std::string file =
      vendors.write("crashing.icd", std::string(paths::crashing_driver) + "\n");
  const auto doctor = vyre({"doctor"}, {{"OCL_ICD_VENDORS", vendors.path()}});
  EXPECT_EQ(doctor.status, 1) << doctor.out << doctor.err;
  const std::string drivers = problem(doctor, "OpenCL drivers");
  EXPECT_TRUE(contains(drivers, file)) << drivers;
  EXPECT_TRUE(contains(drivers, "killed by signal 6")) << drivers;
  EXPECT_TRUE(contains(problem(doctor, "OpenCL device"), "brought its process down")) << doctor.out;
}

TEST(Doctor, FindsNothingWrongWithFewDescriptors) {
  for (const int most : {256, 64}) {
    const auto doctor = doctor_with_descriptors(most);
    EXPECT_EQ(doctor.status, 0) << most << "\n" << doctor.out << doctor.err;
  }
}

TEST(Doctor, NoticesThatAWorkerCannotBeStarted) {
  const auto too_few = doctor_with_descriptors(5);
  EXPECT_EQ(too_few.status, 1) << too_few.out << too_few.err;
  EXPECT_TRUE(contains(problem(too_few, "worker process"), "ulimit -n")) << too_few.out;
  const TemporaryDirectory alone;
  const std::string tool = alone.path() / "vyre";
  std::filesystem::copy_file(paths::tool, tool);
  const auto missing = run_program({tool, "doctor"});
  EXPECT_EQ(missing.status, 1) << missing.out << missing.err;
  EXPECT_TRUE(contains(problem(missing, "worker process"), "vyre-worker is not there"))
      << missing.out;
}

}  // namespace
}  // namespace vyre::testing
