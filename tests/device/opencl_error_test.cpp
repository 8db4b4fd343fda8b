#include "device/opencl_error.h"

#include <gtest/gtest.h>

#include "device/opencl_api.h"

namespace vyre::device {
namespace {

TEST(OpenclError, SaysTheCodeItsNameAndWhatItMeans) {
  EXPECT_EQ(opencl_error(CL_INVALID_KERNEL_ARGS),
            "-52 invalid kernel args: an argument was not set");
}

TEST(OpenclError, CarriesTheNumbersOfTheCall) {
  EXPECT_EQ(opencl_error(CL_INVALID_WORK_GROUP_SIZE, "24 does not divide 1000"),
            "-54 invalid work group size: 24 does not divide 1000");
}

TEST(OpenclError, KnowsEveryCodeOfTheStandard) {
  for (int code = 0; code >= -72; --code) {
    if (code < -19 && code > -30) continue;  // not given to any error
    EXPECT_EQ(opencl_error(code).find("of this driver"), std::string::npos) << code;
  }
  EXPECT_EQ(opencl_error(-1001),
            "-1001 platform not found: the OpenCL loader found no driver (ICD)");
}

TEST(OpenclError, PassesOnACodeThatOnlyTheDriverKnows) {
  EXPECT_EQ(opencl_error(-4242, "while launching"),
            "-4242 (an error code of this driver): while launching");
}

TEST(OpenclError, IsAFailureOfTheDevice) {
  const Error error =
      opencl_failure("allocating 7 bytes", CL_MEM_OBJECT_ALLOCATION_FAILURE).error();
  EXPECT_EQ(error.kind, ErrorKind::device);
  EXPECT_EQ(error.message,
            "allocating 7 bytes failed: -4 memory object allocation failure: the device could not "
            "provide memory for a buffer");
}

}  // namespace
}  // namespace vyre::device
