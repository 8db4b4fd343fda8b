#include <gtest/gtest.h>

#include <algorithm>

#include "vyre/device/device.h"

namespace vyre::device {
namespace {

Adapter first_opencl() {
  const Listing listing = list();
  const auto found = std::ranges::find(listing.devices, "opencl:0", &Listed::which);
  if (found == listing.devices.end()) throw std::runtime_error(listing.why_no_opencl);
  return found->adapter;
}

std::string id_of(std::string_view which) {
  const auto device = open(which);
  return device ? (*device)->adapter().id() : "error: " + device.error().message;
}

TEST(Devices, AreListedWithTheReferenceFirst) {
  const Listing listing = list();
  ASSERT_GE(listing.devices.size(), 2U) << listing.why_no_opencl;
  EXPECT_EQ(listing.devices[0].which, "reference");
  EXPECT_EQ(listing.devices[1].which, "opencl:0");
  EXPECT_EQ(listing.opencl, OpenclState::ready);
  EXPECT_EQ(listing.why_no_opencl + listing.what_to_install, "");
}

TEST(Devices, AreListedWithCpusLast) {
  const Listing listing = list();
  EXPECT_TRUE(std::ranges::is_sorted(listing.devices.begin() + 1, listing.devices.end(), {},
                                     [](const Listed& listed) { return listed.adapter.is_cpu; }));
}

TEST(Devices, AreTheSameFromOneListingToTheNext) {
  EXPECT_EQ(first_opencl().id(), first_opencl().id());
}

TEST(Devices, HaveLimitsThatAKernelCanUse) {
  const Limits limits = first_opencl().limits;
  EXPECT_GE(limits.max_workgroup, 1U);
  for (const auto most : limits.max_workgroup_dims) EXPECT_GE(most, 1U);
  EXPECT_GE(limits.shared_bytes, 1024U);
  EXPECT_GE(limits.max_buffer_bytes, 1U << 20U);
  EXPECT_GE(limits.compute_units, 1U);
  EXPECT_GE(limits.preferred_multiple, 1U);
}

TEST(Devices, AreOpenedByKindIndexIdAndPartOfTheirName) {
  const Adapter adapter = first_opencl();
  std::string part = adapter.name.substr(0, adapter.name.size() / 2);
  std::ranges::transform(part, part.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const std::string& which : {std::string("opencl"), std::string("default"),
                                   std::string("opencl:0"), adapter.id(), part}) {
    EXPECT_EQ(id_of(which), adapter.id()) << which;
  }
  EXPECT_TRUE(id_of("reference").starts_with("reference-"));
}

TEST(Devices, ThatDoNotExistAreRefusedWithTheOnesThatDo) {
  for (const auto* which : {"no such card", "opencl:99", "opencl:x", "opencl:-1", "cuda", ""}) {
    const auto device = open(which);
    ASSERT_FALSE(device.has_value()) << which;
    EXPECT_EQ(device.error().kind, ErrorKind::no_device);
    const std::string expected = "there are: reference, opencl:0 (" + first_opencl().name + ")";
    EXPECT_NE(device.error().message.find(expected), std::string::npos) << device.error().message;
  }
}

}  // namespace
}  // namespace vyre::device
