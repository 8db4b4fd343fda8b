// Keys, distances and names of files.
#include "vyre/store/key.h"

#include <gtest/gtest.h>

#include <set>

#include "store/directory.h"

namespace vyre::store {
namespace {

Dispatch dispatch() {
  return {.program = blake2b("program"), .groups = Size{15'625, 2, 1}, .output_bytes = 4'000'000};
}

// The digits were computed with Python's hashlib from the description in the header.
TEST(Key, IsTheHashOfItsNamedFields) {
  Dispatch d = dispatch();
  EXPECT_EQ(to_string(key_of(d)),
            "v1-4cb98f1e0522e0c4bfec4d870f6fe8a78ada1c9c71145e572050ad683591bbcc");
  d.groups.reset();
  EXPECT_EQ(to_string(key_of(d)),
            "v1-84bcfb4bb330055f4eb50899d3e96b0db911ae684d160a0bf2557e7bfd5f98b8");
  d = dispatch();
  d.input_bytes = 4'000'000;
  EXPECT_EQ(to_string(key_of(d)),
            "v1-d9ceeb9c2d4e543554d9853bed1d582458b967a113f6de0659f02ce11f4947a1");
}

TEST(Key, DiffersWithEveryField) {
  std::set<std::string> keys = {to_string(key_of(dispatch()))};
  const auto add = [&](auto change) {
    Dispatch d = dispatch();
    change(d);
    keys.insert(to_string(key_of(d)));
  };
  add([](Dispatch& d) { d.program = blake2b("other"); });
  add([](Dispatch& d) { d.workgroup = {1, 64, 1}; });
  add([](Dispatch& d) { d.groups = Size{1, 2, 15'625}; });
  add([](Dispatch& d) { d.groups.reset(); });
  add([](Dispatch& d) { d.groups = Size{}; });
  add([](Dispatch& d) { d.output_bytes = 0; });
  add([](Dispatch& d) { d.input_bytes = 1; });
  EXPECT_EQ(keys.size(), 8U);
}

TEST(Key, IsReadBackFromItsText) {
  const Key key = key_of(dispatch());
  const std::string text = to_string(key);
  EXPECT_EQ(parse_key(text), key);
  EXPECT_FALSE(parse_key(text.substr(1)));
  EXPECT_FALSE(parse_key(text + "0"));
  EXPECT_FALSE(parse_key("v2" + text.substr(2)));
  EXPECT_FALSE(parse_key(text.substr(0, 66) + "G"));
  EXPECT_FALSE(parse_key(""));
}

TEST(Distance, GrowsWithTheRatioOfSizesAndIsTheSameBothWays) {
  Dispatch twice = dispatch();
  twice.output_bytes *= 2;
  Dispatch tenfold = dispatch();
  tenfold.output_bytes *= 10;
  EXPECT_EQ(distance(dispatch(), dispatch()), 0);
  EXPECT_LT(distance(dispatch(), twice), distance(dispatch(), tenfold));
  EXPECT_EQ(distance(dispatch(), tenfold), distance(tenfold, dispatch()));
}

TEST(Distance, OfAnUnknownSizeIsLargerThanOfAnyKnownOne) {
  Dispatch unknown = dispatch();
  unknown.groups.reset();
  Dispatch huge = dispatch();
  huge.groups = Size{0xffffffff, 0xffffffff, 0xffffffff};
  EXPECT_GT(distance(dispatch(), unknown), distance(dispatch(), huge));
}

TEST(Directory, ComesFromXdgCacheHomeThenHomeThenHere) {
  EXPECT_EQ(directory("/c", "/h"), "/c/vyre/tuner");
  EXPECT_EQ(directory("", "/h"), "/h/.cache/vyre/tuner");
  EXPECT_EQ(directory("", ""), "./vyre/tuner");
}

TEST(FileName, OfAnAdapterIsItsId) {
  EXPECT_EQ(file_name("opencl-pthread-0123456789abcdef"), "opencl-pthread-0123456789abcdef.toml");
  EXPECT_EQ(file_name("azAZ09"), "azAZ09.toml");
}

TEST(FileName, NeverLeadsOutOfTheDirectory) {
  const std::string longest(5'000, 'x');
  std::set<std::string> names;
  const std::vector<std::string> hostile = {
      "../../x",     "..",    ".", "",   "/etc/passwd",
      "a/b",         "a\\b",  "-", "\n", std::string("a\0b", 3),
      "caf\xc3\xa9", longest, "x"};
  for (const std::string& adapter : hostile) {
    const std::string name = file_name(adapter);
    EXPECT_EQ(name.find_first_of("/\\\n\0"), std::string::npos) << name;
    EXPECT_FALSE(name.starts_with(".")) << name;
    EXPECT_LT(name.size(), 255U);
    names.insert(name);
  }
  EXPECT_EQ(names.size(), hostile.size());
}

}  // namespace
}  // namespace vyre::store
