#include <gtest/gtest.h>

#include <algorithm>

#include "vyre/device/device.h"

namespace vyre::device {
namespace {

Adapter card() {
  return {.kind = "opencl",
          .platform = "Some Platform",
          .vendor = "Vendor, Inc.",
          .name = "Fast Card (TM) 9000/XT",
          .driver = "1.2.3 (OpenCL 3.0)",
          .limits = {.max_workgroup = 1024,
                     .max_workgroup_dims = {1024, 1024, 64},
                     .shared_bytes = 48 << 10,
                     .max_buffer_bytes = 1 << 30,
                     .compute_units = 80,
                     .preferred_multiple = 32}};
}

TEST(Adapter, IsNamedByAReadablePrefixAndSixteenHexadecimalDigits) {
  const std::string id = card().id();
  const std::string prefix = "opencl-fast-card-tm-9000-xt-";
  ASSERT_TRUE(id.starts_with(prefix)) << id;
  const std::string digits = id.substr(prefix.size());
  EXPECT_EQ(digits.size(), 16U);
  EXPECT_EQ(digits.find_first_not_of("0123456789abcdef"), std::string::npos) << digits;
}

TEST(Adapter, HasAnIdThatIsSafeAsAFileNameWhateverTheDriverSays) {
  Adapter adapter = card();
  adapter.name = "../../etc/passwd\n\xc3\xa9 \\ ";
  adapter.name += std::string(500, 'x');
  const std::string id = adapter.id();
  EXPECT_LT(id.size(), 100U);
  EXPECT_TRUE(std::ranges::all_of(id, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '-');
  })) << id;
}

TEST(Adapter, KeepsItsIdWhenTheMemoryThatIsFreeChanges) {
  Adapter later = card();
  later.limits.max_buffer_bytes /= 2;
  EXPECT_EQ(later.id(), card().id());
}

TEST(Adapter, HasAnotherIdAfterAnUpdateOfTheDriver) {
  Adapter updated = card();
  updated.driver = "1.2.4 (OpenCL 3.0)";
  EXPECT_NE(updated.id(), card().id());
}

TEST(Adapter, HasAnotherIdWhenAnyOtherFieldDiffers) {
  const std::vector<void (*)(Adapter&)> changes = {
      [](Adapter& a) { a.kind = "cuda"; },
      [](Adapter& a) { a.platform += "x"; },
      [](Adapter& a) { a.vendor += "x"; },
      [](Adapter& a) { a.name += "x"; },
      [](Adapter& a) { a.is_cpu = true; },
      [](Adapter& a) { a.limits.max_workgroup = 512; },
      [](Adapter& a) { a.limits.max_workgroup_dims[2] = 1024; },
      [](Adapter& a) { a.limits.shared_bytes *= 2; },
      [](Adapter& a) { a.limits.compute_units = 40; },
      [](Adapter& a) { a.limits.preferred_multiple = 64; },
      [](Adapter& a) { a.limits.has_f64 = true; },
      // The same letters in another field.
      [](Adapter& a) { std::swap(a.platform, a.vendor); },
  };
  std::vector<std::string> ids = {card().id()};
  for (const auto change : changes) {
    Adapter changed = card();
    change(changed);
    ids.push_back(changed.id());
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

}  // namespace
}  // namespace vyre::device
