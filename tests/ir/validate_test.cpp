// The rules of validation, each broken once.
#include "ir/validate.h"

#include <gtest/gtest.h>

#include "support/programs.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

using testing::in_body;
using testing::parsed;
using testing::problems_of;

struct Broken {
  std::string_view body;
  std::string_view message;
};

class ValidateBody : public ::testing::TestWithParam<Broken> {};

TEST_P(ValidateBody, SaysWhatIsWrongAndWhere) {
  const Problems problems = problems_of(in_body(GetParam().body));
  ASSERT_EQ(problems.size(), 1U) << testing::listed(problems);
  EXPECT_EQ(to_string(problems[0]), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateBody,
    ::testing::Values(
        Broken{"u[0] = uu", "11:8: unknown name 'uu'"},
        Broken{"let count = 1\nu[0] = coutn", "12:8: unknown name 'coutn': did you mean 'count'?"},
        Broken{"w[0] = 1", "11:1: unknown buffer 'w': declare it with buffer, shared or private"},
        Broken{"let r = u", "11:9: 'u' is a buffer: use an element of it, u[i]"},
        Broken{"let r = n[0]", "11:9: 'n' is not a buffer"},
        Broken{"let r = 1\nr = 2", "12:1: 'r' cannot be assigned: declare it with var"},
        Broken{"while 1 { }", "11:7: a condition must be bool, but 1 is u32"},
        Broken{"if true { break }",
               "11:11: there is no while around this break: write the rest of the body into an "
               "`if`"},
        Broken{"while true { for k in 0 .. 4 { if k == 2 { break } } }",
               "11:44: a break leaves a while, and this is in a for: write the for as a while, or "
               "the rest of its body into an `if`"},
        Broken{
            "let r = any([1, 2])",
            "11:9: any of one value is over the lanes of a vector of bools, but [1, 2] is u32x2"},
        Broken{"r = 2", "11:1: unknown name 'r': declare it with var"},
        Broken{"var r = 1\nr = 2.0", "12:1: 'r' is u32 but the value is f32"},
        Broken{"let r = 1\nif true { let r = 2 }", "12:11: 'r' is already declared in line 11"},
        Broken{"let y = 1", "11:1: 'y' is already declared in line 5"},
        Broken{"for n in 0 .. 4 { }", "11:1: 'n' is already declared in line 2"},
        Broken{"v[0] = 1.0", "11:1: buffer 'v' is read only: declare it write or read_write"},
        Broken{"u[0] = 1.0", "11:1: buffer 'u' holds u32, but the value is f32"},
        Broken{"u[0i] = 1", "11:3: an index must be u32, but 0i is i32"},
        Broken{"u[v[0]] = 1", "11:3: an index must be u32, but v[0] is f32"},
        Broken{"let r = 1 + 1i",
               "11:11: '+' needs two operands of one type, but 1 is u32 and 1i is i32"},
        Broken{"let r = v[0:2] * 2.0",
               "11:16: '*' needs two operands of one type, but v[0 : 2] is f32x2 and 2.0 is f32"},
        Broken{"let r = 1.0 % 2.0", "11:13: '%' does not work on f32"},
        Broken{"let r = 1.0 & 2.0", "11:13: '&' does not work on f32"},
        Broken{"let r = true < false", "11:14: '<' does not work on bool"},
        Broken{"let r = sqrt(4)", "11:9: 'sqrt' does not work on u32"},
        Broken{"y[0] += 1",
               "11:6: '+' needs two operands of one type, but y[0] is f32 and 1 is u32"},
        Broken{"y[0] += v[0 : 2]",
               "11:6: '+' needs two operands of one type, but y[0] is f32 and v[0 : 2] is f32x2"},
        Broken{"let r = sum(2.0)",
               "11:9: sum of one value is over the lanes of a vector of numbers, but 2.0 is f32"},
        Broken{
            "let r = max([true, false])",
            "11:9: max of one value is over the lanes of a vector of numbers, but [true, false] is "
            "boolx2"},
        Broken{"let r = round(4i)", "11:9: 'round' does not work on i32"},
        Broken{"let r = pow(4, 2)", "11:9: 'pow' does not work on u32"},
        Broken{"let r = popcount(4.0)", "11:9: 'popcount' does not work on f32"},
        Broken{"let r = clz(true)", "11:9: 'clz' does not work on bool"},
        Broken{"let r = !1.0", "11:9: '!' does not work on f32"},
        Broken{"let r = -true", "11:9: '-' does not work on bool"},
        Broken{"let r = fma(1, 2, 3)",
               "11:9: fma needs three floats of one type, not u32, u32 and u32"},
        Broken{
            "let r = select(1, 2, 3)",
            "11:9: select needs a bool with the lanes of the values, and two values of one type, "
            "not u32, u32 and u32"},
        Broken{
            "let r = select(true, v[0:2], v[0:2])",
            "11:9: select needs a bool with the lanes of the values, and two values of one type, "
            "not bool, f32x2 and f32x2"},
        Broken{"let r = as_u32(1.0d)",
               "11:9: the bits of f64 cannot be read as u32: only among u32, i32 and f32"},
        Broken{"let r = splat4(v[0:2])", "11:9: splat4 needs a scalar, not f32x2"},
        Broken{"let r = [1, 2, 3]", "11:9: a vector has 2, 4, 8 or 16 lanes, not 3"},
        Broken{"let r = [1, 2.0]",
               "11:13: the lanes of a vector are scalars of one type, but 2.0 is f32"},
        Broken{"let r = v[0:2].2", "11:15: f32x2 has no lane 2"},
        Broken{"let r = n.0", "11:10: u32 has no lane 0"},
        Broken{"if 1 { }", "11:4: a condition must be bool, but 1 is u32"},
        Broken{"if v[0:2] > splat2(0.0) { }",
               "11:11: a condition must be bool, but v[0 : 2] > splat2(0.0) is boolx2"},
        Broken{"for k in 0 .. 4i { }",
               "11:1: a loop counts in one type, u32 or i32, but its values are u32, i32 and step "
               "u32"},
        Broken{"for k in 0.0 .. 4.0 step 1.0 { }",
               "11:1: a loop counts in one type, u32 or i32, but its values are f32, f32 and step "
               "f32"},
        Broken{"for k in 0u64 .. 4u64 step 1u64 { }",
               "11:1: a loop counts in one type, u32 or i32, but its values are u64, u64 and step "
               "u64"},
        Broken{"u[1u64] = 1", "11:3: an index must be u32, but 1u64 is u64"},
        Broken{"let r = 1u64 + 1",
               "11:14: '+' needs two operands of one type, but 1u64 is u64 and 1 "
               "is u32"},
        Broken{"let r = as_u32(1u64)",
               "11:9: the bits of u64 cannot be read as u32: only among u32, i32 and f32"},
        Broken{"for k in 0 .. 4 step 0 { }", "11:22: a loop with step 0 never ends"},
        Broken{"for k in 0 .. 4 { }\nu[0] = k", "12:8: unknown name 'k'"},
        Broken{"if true { let r = 1 }\nu[0] = r", "12:8: unknown name 'r'"},
        Broken{"atomic d[0] += 1.0d",
               "11:1: an atomic adds to u32, i32 or f32, but buffer 'd' holds f64"},
        Broken{"atomic y[0] += 1.0",
               "11:1: a sum of floats depends on the order of atomic additions, which is any: say "
               "that it does not matter by a line 'reassociate' among the declarations"},
        Broken{"atomic u[0] += 1i", "11:16: the value added must be u32, but 1i is i32"},
        Broken{"region \"\" { }",
               "11:1: a region's name has 1 to 128 printable characters, without quotes and "
               "backslashes"}));

class ValidateDeclarations : public ::testing::TestWithParam<Broken> {};

TEST_P(ValidateDeclarations, SaysWhatIsWrongAndWhere) {
  const Problems problems = problems_of("program p {\n" + std::string(GetParam().body) + "\n}");
  ASSERT_EQ(problems.size(), 1U) << testing::listed(problems);
  EXPECT_EQ(to_string(problems[0]), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateDeclarations,
    ::testing::Values(
        Broken{"uniform a: u32 = 1\nuniform a: u32 = 2", "3:9: 'a' is already declared in line 2"},
        Broken{"buffer a: u32[1] read\nbuffer a: u32[2] read", "3:8: 'a' is already declared"},
        Broken{"uniform a: u32 = 1\nbuffer a: u32[2] read", "3:8: 'a' is already declared"},
        Broken{"uniform a: f32 = 1", "2:18: the default of 'a' must be an f32 literal"},
        Broken{
            "buffer a: u12[2] read",
            "2:11: expected a type: bool, u32, i32, u64, i64, f32, f64, u8, i8, u16, i16 or f16, "
            "found 'u12'"},
        Broken{"uniform a: u12 = 2",
               "2:12: expected a type: bool, u32, i32, u64, i64, f32 or f64, found 'u12'"},
        Broken{"uniform a: u8 = 2", "2:12: u8 is a type of buffer elements only: make it a u32"},
        Broken{"buffer a: u8[2] write\na[0] = 1.0",
               "3:1: buffer 'a' holds u8, stored from u32, but the value is f32"},
        Broken{"buffer a: f16[2] write\na[0] = 1",
               "3:1: buffer 'a' holds f16, stored from f32, but the value is u32"},
        Broken{"buffer a: u64[2] read_write\natomic a[0] += 1u64",
               "3:1: an atomic adds to u32, i32 or f32, but buffer 'a' holds u64"},
        Broken{"buffer a: u16[2] read_write\natomic a[0] += 1",
               "3:1: an atomic adds to u32, i32 or f32, but buffer 'a' holds u16"},
        Broken{"buffer a: i8[2] read_write\na[0] = i8(3)",
               "3:8: i8 is a type of buffer elements only: an i32 is converted when it is stored "
               "there"},
        Broken{"buffer a: u32[2]", "3:1: expected read, write or read_write, found '}'"},
        Broken{"buffer a: u32[1.5] read", "2:15: a size is a u32, but 1.5 is f32"},
        Broken{"buffer a: u32[m] read", "2:15: unknown name 'm'"},
        Broken{"buffer a: u32[local.x] read",
               "2:15: local.x cannot stand in a size: use u32 literals, u32 uniforms, "
               "workgroup.x/y/z and + - * / % min max"},
        Broken{"grid 1 << 3",
               "2:8: 1 << 3 cannot stand in a size: use u32 literals, u32 uniforms, "
               "workgroup.x/y/z and + - * / % min max"},
        Broken{"workgroup 0", "a workgroup has 1 to 2^31 invocations, not 0 x 1 x 1"},
        Broken{"workgroup 65536, 65536",
               "a workgroup has 1 to 2^31 invocations, not 65536 x 65536 x 1"},
        Broken{"workgroup 8 or 0", "a workgroup has 1 to 2^31 invocations, not 0 x 1 x 1"},
        Broken{"workgroup 8 or 4 or 8, 1", "the workgroup 8 x 1 x 1 is listed twice"},
        Broken{"buffer s: u32[workgroup.x] write workgroup 8 or 4",
               "2:8: the size of 's' names the workgroup: a program that may have several has "
               "results of one size"},
        Broken{"grid 1, 1, 1, 1", "2:15: expected at most three extents, found '1'"}));

TEST(Validate, AWriteOnlyBufferCannotBeLoadedFrom) {
  const Problems problems =
      problems_of("program p { buffer o: u32[4] write\n o[0] = o[1]\n atomic o[2] += 1 }");
  EXPECT_EQ(testing::listed(problems),
            "2:9: buffer 'o' is write only: declare it read_write to load from it\n"
            "3:2: an atomic reads and writes: declare buffer 'o' read_write\n");
}

TEST(Validate, FloatsAreAddedToByAtomicsWhereOrderDoesNotMatter) {
  parsed(
      "program p { buffer y: f32[4] read_write shared t: f32[4] reassociate\n"
      "t[local.x % 4] = 0.0 barrier atomic t[0] += 1.0 atomic y[0] += t[1] }");
  EXPECT_EQ(testing::listed(problems_of("program p { buffer y: f32[4] read_write reassociate\n"
                                        "atomic y[0] += 1 }")),
            "2:16: the value added must be f32, but 1 is u32\n");
}

TEST(Validate, SiblingBlocksMayUseTheSameName) {
  parsed(in_body("if true { let r = 1 } else { let r = 2.0 }\nfor r in 0 .. 4 { }"));
}

}  // namespace
}  // namespace vyre::ir
