#include "vyre/ir/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/validate.h"
#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::in_body;
using testing::parsed;

std::string print_of(std::string_view text) { return to_hex(fingerprint(parsed(text))); }

constexpr std::string_view base = R"(program a {
  uniform n: u32 = 64
  buffer x: f32[n] read
  buffer y: f32[n] write
  shared tile: f32[64]
  grid n
  let i = invocation.x
  tile[local.x] = x[i]
  barrier
  for k in 0 .. 4 { let t = tile[k]  y[i] = t }
})";

std::string changed(std::string_view from, std::string_view to) {
  std::string text(base);
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  EXPECT_NE(text, base) << from;
  return text;
}

TEST(Fingerprint, DoesNotDependOnNamesThatCannotBeSeenFromOutside) {
  EXPECT_EQ(print_of(changed("program a", "program other")), print_of(base));
  EXPECT_EQ(print_of(changed("tile", "patch")), print_of(base));
  EXPECT_EQ(print_of(changed("let t = tile[k]  y[i] = t", "let u = tile[k]  y[i] = u")),
            print_of(base));
  EXPECT_EQ(
      print_of(changed("for k in 0 .. 4 { let t = tile[k]", "for v0 in 0 .. 4 { let t = tile[v0]")),
      print_of(base));
}

TEST(Fingerprint, DoesNotDependOnRegionsLayoutOrDefaults) {
  EXPECT_EQ(print_of(changed("barrier", "region \"wait\" { region \"inner\" { barrier } }")),
            print_of(base));
  EXPECT_EQ(print_of(changed("n: u32 = 64", "n: u32 = 640")), print_of(base));
  EXPECT_EQ(print_of(changed("  ", " // comment\n")), print_of(base));
}

TEST(Fingerprint, ChangesWithAnythingElse) {
  std::set<std::string> seen = {print_of(base)};
  for (const std::string& text : {
           changed("buffer x", "buffer w"),
           changed("x[i]", "x[i + 1]"),
           changed("0 .. 4", "0 .. 5"),
           changed("grid n", "grid n * 2"),
           changed("grid n", "grid n workgroup 32"),
           changed("grid n", "grid n workgroup 64 or 32"),
           changed("grid n", "grid n reassociate"),
           changed("f32[n] write", "f32[n] read_write"),
           changed("f32[64]", "f32[65]"),
           changed("y[i] = t", "y[i] = -t"),
           changed("barrier", "barrier barrier"),
           changed("uniform n: u32 = 64", "uniform n: u32 = 64 uniform m: u32 = 64"),
       }) {
    // `x` is also read by its name in the body.
    const std::string whole = text.find("buffer w") == std::string::npos
                                  ? text
                                  : std::string(text).replace(text.find("x[i]"), 4, "w[i]");
    EXPECT_TRUE(seen.insert(print_of(whole)).second) << whole;
  }
}

TEST(Fingerprint, IsTheSameOnEveryMachine) {
  // An independent BLAKE2b-256 (Python's hashlib) of the canonical text behind its domain.
  EXPECT_EQ(print_of("program p { }"),
            "7df435e8d3abdc6d0fb0b3d48e9f1c7366815de7ca9acb276ce8604368844827");
}

TEST(Fingerprint, TheCanonicalFormIsAValidProgramAndItsOwnCanonicalForm) {
  for (const auto& [name, text] : testing::sample_programs()) {
    const Program once = canonical(parsed(text));
    EXPECT_TRUE(validate(once).empty()) << name << testing::listed(validate(once)) << print(once);
    EXPECT_EQ(canonical(once), once) << name;
  }
}

TEST(Fingerprint, CanonicalNamesDoNotMeetNamesThatStay) {
  const Program p = parsed(R"(program p {
    uniform v1: u32 = 3
    buffer s0: u32[4] write
    shared t: u32[4]
    let a = v1
    s0[0] = a
  })");
  EXPECT_TRUE(validate(canonical(p)).empty()) << print(canonical(p));
}

}  // namespace
}  // namespace vyre::ir
