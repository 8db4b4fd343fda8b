// Emitted code on the default OpenCL device: every operation on every type against the interpreter,
// guards at the edges of buffers, and names that OpenCL C takes for itself.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

#include "interpret/interpret.h"
#include "run/compare.h"
#include "support/device.h"
#include "support/hostile_names.h"
#include "support/operations.h"
#include "support/programs.h"
#include "vyre/run/run.h"

namespace vyre::testing {
namespace {

using Content = std::vector<std::vector<std::byte>>;

// Values at which operations turn, and random bits between them.
class Values {
 public:
  std::uint64_t bits(Scalar scalar) {
    const bool edge = random_() % 3 != 0;
    switch (scalar) {
      case Scalar::boolean:
        return random_() % 2;
      case Scalar::f32:
        return edge ? std::bit_cast<std::uint32_t>(static_cast<float>(pick(floats_)))
                    : random_() & 0xffff'ffffU;
      case Scalar::f64:
        return edge ? std::bit_cast<std::uint64_t>(pick(floats_)) : random_();
      case Scalar::u64:
      case Scalar::i64:
        return edge ? pick(longs_) : random_();
      default:
        return edge ? pick(integers_) : random_() & 0xffff'ffffU;
    }
  }

 private:
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }

  std::mt19937_64 random_{5};
  std::vector<std::uint32_t> integers_ = {0,  1,          2,          7,          31,  32,
                                          33, 0x7fffffff, 0x80000000, 0x80000001, ~0U, ~1U};
  std::vector<std::uint64_t> longs_ = {0,
                                       1,
                                       3,
                                       63,
                                       64,
                                       0xffffffff,
                                       0x100000001,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0x8000000000000001,
                                       ~0ULL,
                                       ~1ULL};
  std::vector<double> floats_ = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 -2.5,
                                 1e-40,
                                 -1e-310,
                                 3.4e38,
                                 1e300,
                                 88.0,
                                 -87.0,
                                 1e10,
                                 2147483648.0,
                                 -2147483904.0,
                                 4294967295.0,
                                 9223372036854775808.0,
                                 18446744073709551616.0,
                                 -9223372036854775808.0,
                                 1e-3,
                                 16777217.0,
                                 65504.0,  // f16: the greatest, and to infinity or not
                                 65520.0,
                                 -65519.996,
                                 0x1p-24,  // f16: the least, half of it, and more than that
                                 -0x1p-25,
                                 0x1.0002p-25,
                                 0x1.ffep-15,  // f16: rounds up to a normal number
                                 1.00048828125,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::nan("")};
};

Content filled(const ir::Program& program, Values& values) {
  Content content;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    const std::size_t size = storage_bytes(buffer.element);
    auto& bytes = content.emplace_back(*ir::evaluate_size(program, buffer.count) * size);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      const std::uint64_t bits = values.bits(buffer.element);
      std::memcpy(&bytes[at], &bits, size);
    }
  }
  return content;
}

// What each operation leaves is held to that operation's own bound. The k-th store to a buffer goes
// to the k-th 64 elements of it.
std::vector<std::uint64_t> bounds_of(const ir::Program& program, const std::string& buffer) {
  std::vector<std::uint64_t> bounds;
  for (const ir::Stmt& stmt : program.body) {
    const auto* store = ir::as<ir::Store>(stmt);
    if (store != nullptr && store->buffer == buffer) bounds.push_back(run::ulp_bound(store->value));
  }
  return bounds;
}

struct Ran {
  Content expected;
  Content got;
};

Ran both_ways(device::Device& device, const ir::Program& program, const Content& content) {
  Ran made{content, content};
  const std::vector<std::span<std::byte>> expected(made.expected.begin(), made.expected.end());
  const auto interpreted = interpret::run(program, {}, expected);
  EXPECT_TRUE(interpreted) << to_string(interpreted.error());
  const std::vector<std::span<std::byte>> got(made.got.begin(), made.got.end());
  const auto launched = run::once(device, run::Request{program, {}}, got);
  EXPECT_TRUE(launched) << to_string(launched.error());
  return made;
}

void expect_agreement_of_operations(device::Device& device, const ir::Program& program,
                                    const Content& content) {
  const Ran ran = both_ways(device, program, content);
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    const ir::Buffer& buffer = program.buffers[i];
    const std::size_t size = 64 * storage_bytes(buffer.element);
    const auto part = [&](const Content& of, std::size_t slot) {
      return std::span<const std::byte>(of[i]).subspan(slot * size, size);
    };
    const auto bounds = bounds_of(program, buffer.name);
    for (std::size_t slot = 0; slot < bounds.size(); ++slot) {
      const auto found =
          run::compare(buffer.element, part(ran.expected, slot), part(ran.got, slot), bounds[slot])
              .first;
      EXPECT_FALSE(found) << fmt::format("{}: slot {} of {}, element {} is {} instead of {}",
                                         program.name, slot, buffer.name, found->index, found->got,
                                         found->expected);
    }
  }
}

void expect_agreement(device::Device& device, const ir::Program& program, const Content& content) {
  const auto [expected, got] = both_ways(device, program, content);
  std::size_t i = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    const auto found =
        run::compare(buffer.element, expected[i], got[i], run::ulp_bound(program)).first;
    EXPECT_FALSE(found) << fmt::format("{}: {}[{}] is {} instead of {}", program.name, buffer.name,
                                       found->index, found->got, found->expected);
    ++i;
  }
}

class Operations : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Operations, AgreeWithTheInterpreterAtTheEdgesOfTheirTypes) {
  const auto device = opened("opencl");
  const auto programs = operation_programs(has_f64(*device));
  if (GetParam() >= programs.size()) GTEST_SKIP() << "the device has no f64";
  const ir::Program program = parsed(programs[GetParam()]);
  Values values;
  expect_agreement_of_operations(*device, program, filled(program, values));
}

INSTANTIATE_TEST_SUITE_P(OfType, Operations,
                         ::testing::Range<std::size_t>(0, operation_programs().size()),
                         [](const auto& type) {
                           return parsed(operation_programs()[type.param]).name;
                         });

TEST(Statements, LoopsIdsAndUniformsAgreeWithTheInterpreter) {
  const auto device = opened("opencl");
  Values values;
  for (const std::string& text : statement_programs(has_f64(*device))) {
    const ir::Program program = parsed(text);
    if (find_buffer(program, "at") != nullptr) continue;  // these leave their buffers on purpose
    expect_agreement(*device, program, filled(program, values));
  }
}

// Compilers fold these, by other code than that which computes them at run time.
TEST(Constants, AgreeWithTheInterpreterAtTheEdgesOfTheirTypes) {
  const auto device = opened("opencl");
  const std::string wide = has_f64(*device) ? "f64" : "f32";
  std::string body;
  int at = 0;
  for (const char* function : {"exp", "log", "sqrt", "abs", "-", "sin", "cos", "tan", "tanh",
                               "rsqrt", "exp2", "log2", "floor", "ceil", "round"}) {
    for (const char* value : {"nan", "inf", "0.0", "1e30", "1e-42", "-1.0", "88.8", "-100.0"}) {
      const bool named = value[0] == 'n' || value[0] == 'i';
      body += fmt::format("  y[{0}] = {1}({2}{3})\n  d[{0}] = {1}({4}({2}{3}))\n", at++, function,
                          named ? "f32." : "", value, wide);
    }
  }
  for (const char* arguments : {"f32.nan, 0.0", "1.0, f32.nan", "f32.nan, 2.0", "-2.0, 3.0",
                                "-2.0, 0.5", "0.0, -1.0", "f32.inf, -f32.inf", "-0.0, -3.0"}) {
    body += fmt::format("  y[{}] = pow({})\n", at++, arguments);
  }
  at = 0;
  for (const char* op : {"/", "%"}) {
    for (const char* pair :
         {"5i {} 0i", "-2147483648i {} -1i", "-2147483648i {} 0i", "-7i {} 2i"}) {
      body += fmt::format("  s[{}] = {}\n", at++, fmt::format(fmt::runtime(pair), op));
    }
  }
  for (const char* function : {"popcount", "clz"}) {
    for (const char* value : {"0", "1", "0x7fffffff", "0x80000000", "0xffffffff"}) {
      body += fmt::format("  s[{0}] = i32({1}({2}))\n  s[{3}] = {1}(i32({2}))\n", at, function,
                          value, at + 1);
      body += fmt::format("  s[{0}] = i32({1}({2}u64))\n  s[{3}] = i32({1}(~{2}u64))\n", at + 2,
                          function, value, at + 3);
      at += 4;
    }
  }
  // A divisor that only the compiler sees to be constant.
  for (const char* op : {"/", "%"}) {
    body += fmt::format(
        "  s[{} : 4] = [-12i, 32i, -10i, -2147483648i] {} max(splat4(-10i), [-11i, -9i, 0i, "
        "-1i])\n",
        at, op);
    at += 4;
  }
  const ir::Program program =
      parsed("program p {\n  buffer y: f32[128] write\n  buffer d: " + wide +
             "[128] write\n"
             "  buffer s: i32[64] write\n  grid 1\n" +
             body + "}");
  expect_agreement(*device, program,
                   {Content::value_type(512), Content::value_type(has_f64(*device) ? 1024 : 512),
                    Content::value_type(256)});
}

// The floats nearest to multiples of pi / 2, and those beside them; then some of any size, of which
// a vector has large and small ones.
std::vector<float> angles(std::size_t count) {
  std::vector<float> made;
  for (int k = 0; made.size() + 3 <= count / 2; k += k < 100 ? 1 : 131) {
    const auto near = static_cast<float>((k % 2 == 0 ? k : -k) * std::numbers::pi / 2);
    for (const float toward : {-HUGE_VALF, near, HUGE_VALF}) {
      made.push_back(std::nextafter(near, toward));
    }
  }
  for (int i = 0; made.size() < count; ++i) {
    made.push_back(std::ldexp(i % 3 == 0 ? -1.1F : 1.3F, i % 275 - 148));
  }
  made.back() = HUGE_VALF;
  return made;
}

// `y` and `z` are what these make of `a` and `b`, by vectors of every width.
void expect_functions_of_vectors_agree(const std::vector<float>& a, const std::vector<float>& b,
                                       std::string_view y, std::string_view z) {
  const auto device = opened("opencl");
  const auto content = [](const std::vector<float>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return Content::value_type(bytes.begin(), bytes.end());
  };
  for (const int width : {2, 4, 8, 16}) {
    const ir::Program program = parsed(
        fmt::format("program p {{\n  buffer x: f32[{0}] read\n  buffer w: f32[{0}] read\n"
                    "  buffer y: f32[{0}] write\n  buffer z: f32[{0}] write\n  grid {0} / {1}\n"
                    "  let at = invocation.x * {1}\n  let a = x[at : {1}]\n  let b = w[at : {1}]\n"
                    "  y[at : {1}] = {2}\n  z[at : {1}] = {3}\n}}\n",
                    a.size(), width, y, z));
    expect_agreement(*device, program,
                     {content(a), content(b), content(std::vector<float>(a.size())),
                      content(std::vector<float>(a.size()))});
  }
}

TEST(FunctionsOfVectors, OfAnglesAgreeWithTheInterpreterWhateverTheirSize) {
  const std::vector<float> a = angles(2048);
  expect_functions_of_vectors_agree(a, a, "sin(a)", "cos(a)");
  std::vector<float> small;
  for (const float angle : a) small.push_back(angle / 1000);
  expect_functions_of_vectors_agree(a, small, "tanh(a)", "tanh(b)");
}

// Most of each vector is positive; what is not comes in some.
TEST(FunctionsOfVectors, OfPowersAgreeWithTheInterpreterWhereverTheyAre) {
  constexpr float inf = HUGE_VALF;
  constexpr std::array odd = {0.0F, -0.0F, 1.0F, -2.0F, inf, -inf, 1e-42F, 3e38F, -3.0F, NAN};
  std::vector<float> bases, exponents;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> logarithm(-120, 120), near(0.5F, 2), exponent(-140, 140);
  for (std::size_t i = 0; i < 4096; ++i) {
    const float base = i % 2 == 0 ? near(random) : std::exp2(logarithm(random));
    bases.push_back(i % 64 == 63 ? odd[i / 64 % odd.size()] : base);
    const float apart = i % 640 >= 320 ? exponent(random) : near(random) * 2.5F;
    exponents.push_back(i % 512 == 63 ? odd[i / 512 % odd.size()] : apart);
  }
  expect_functions_of_vectors_agree(bases, exponents, "pow(a, b)", "pow(b, a)");
  expect_functions_of_vectors_agree(bases, exponents, "log2(a)", "log2(b)");  // to its own bound
}

TEST(Names, ThatMeanSomethingElseInOpenClCompile) {
  const auto device = opened("opencl");
  std::vector<run::Request> requests;
  for (const std::string& text : programs_with_hostile_names()) requests.push_back({parsed(text)});
  const auto compiled = run::compile(*device, requests);
  EXPECT_TRUE(compiled) << to_string(compiled.error());
}

// Runs a program whose buffers are all u32, and returns the last of them.
std::vector<std::uint32_t> last_after(std::string_view text,
                                      std::vector<std::vector<std::uint32_t>> buffers) {
  const auto device = opened("opencl");
  std::vector<std::span<std::byte>> bytes;
  for (auto& buffer : buffers) bytes.push_back(std::as_writable_bytes(std::span(buffer)));
  const auto ran = run::once(*device, run::Request{parsed(text), {}}, bytes);
  if (!ran) throw std::runtime_error(to_string(ran.error()));
  return buffers.back();
}

TEST(Guards, ALoadOutOfBoundsGivesZero) {
  EXPECT_EQ(last_after("program p { buffer at: u32[4] read buffer y: u32[4] read_write grid 4 "
                       "let i = invocation.x y[i] = at[at[i]] }",
                       {{3, 4, 0, ~0U}, {9, 9, 9, 9}}),
            (std::vector<std::uint32_t>{~0U, 0, 3, 0}));
}

TEST(Guards, AStoreOrAtomicOutOfBoundsDoesNothing) {
  EXPECT_EQ(last_after("program p { buffer at: u32[4] read buffer y: u32[4] read_write grid 1 "
                       "for k in 0 .. 4 { y[at[k]] = k + 10 atomic y[at[k] + 1] += 100 } }",
                       {{3, 4, 0, ~0U}, {1, 2, 3, 4}}),
            (std::vector<std::uint32_t>{112, 102, 3, 10}));
}

TEST(Guards, AnAtomicOfFloatsOutOfBoundsDoesNothing) {
  const std::uint32_t half = std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t one = std::bit_cast<std::uint32_t>(1.0F);
  EXPECT_EQ(last_after("program p { buffer at: u32[4] read buffer y: f32[2] read_write grid 4 "
                       "reassociate atomic y[at[invocation.x]] += 0.5 }",
                       {{1, 2, 1, ~0U}, {half, 0}}),
            (std::vector<std::uint32_t>{half, one}));
}

TEST(Guards, AVectorAccessIsOutOfBoundsIfAnyLaneIs) {
  EXPECT_EQ(last_after("program p { buffer at: u32[4] read buffer y: u32[9] read_write grid 1 "
                       "y[at[0] : 2] = at[at[1] : 2] y[at[2] : 4] = [5, 5, 5, 5] "
                       "y[at[3] : 2] = [6, 7] }",
                       {{0, 3, 6, 7}, {1, 1, 1, 1, 1, 1, 1, 1, 1}}),
            (std::vector<std::uint32_t>{0, 0, 1, 1, 1, 1, 1, 6, 7}));
}

TEST(Guards, SharedMemoryIsGuardedToo) {
  EXPECT_EQ(last_after("program p { buffer at: u32[2] read buffer y: u32[3] read_write "
                       "shared t: u32[2] grid 1 workgroup 1 t[0] = 4 t[1] = 5 t[at[0]] = 6 "
                       "y[0] = t[0] y[1] = t[1] y[2] = t[at[1]] }",
                       {{2, ~0U}, {9, 9, 9}}),
            (std::vector<std::uint32_t>{4, 5, 0}));
}

TEST(Shuffles, OfOneTwoAndThreeVectorsTakeTheRightLanes) {
  EXPECT_EQ(last_after("program p { buffer x: u32[12] read buffer y: u32[12] read_write grid 1 "
                       "let a = x[0 : 4] let b = x[4 : 4] let c = x[8 : 4] "
                       "y[0 : 4] = [a.3, a.3, a.0, a.2] y[4 : 4] = [b.1, a.0, a.3, b.0] "
                       "y[8 : 4] = [c.0, a.1, b.2, c.3] }",
                       {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, std::vector<std::uint32_t>(12)}),
            (std::vector<std::uint32_t>{3, 3, 0, 2, 5, 0, 3, 4, 8, 1, 6, 11}));
}

TEST(Halves, InVectorsNeedNoMoreAlignmentThanOne) {
  const ir::Program program = parsed(
      "program p { buffer x: f16[20] read buffer y: f16[20] read_write grid 1 "
      "y[3 : 8] = x[1 : 8] y[13 : 4] = x[11 : 4] y[1 : 2] = x[17 : 2] y[0] = x[19] }");
  Values values;
  expect_agreement(*opened("opencl"), program, filled(program, values));
}

TEST(Shuffles, OfWholeVectorsAndRunsOfLanesTakeTheRightLanes) {
  std::vector<std::uint32_t> numbers(32);
  std::iota(numbers.begin(), numbers.end(), 0U);
  EXPECT_EQ(
      last_after("program p { buffer x: u32[32] read buffer y: u32[48] read_write grid 1 "
                 "let a = x[0 : 16] let b = x[16 : 16] let c = x[8 : 8] let d = x[4 : 8] "
                 "y[0 : 16] = [a.0, a.2, a.4, a.6, a.8, a.10, a.12, a.14,"
                 " b.1, b.3, b.5, b.7, b.9, b.11, b.13, b.15] "
                 "y[16 : 16] = [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7,"
                 " d.0, d.1, d.2, d.3, d.4, d.5, d.7, d.6] "
                 "y[32 : 8] = [b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15] "
                 "y[40 : 8] = [a.15, a.15, a.14, c.3, x[3], d.1, a.1, a.0] }",
                 {numbers, std::vector<std::uint32_t>(48)}),
      (std::vector<std::uint32_t>{0,  2,  4,  6,  8,  10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31,
                                  8,  9,  10, 11, 12, 13, 14, 15, 4,  5,  6,  7,  8,  9,  11, 10,
                                  24, 25, 26, 27, 28, 29, 30, 31, 15, 15, 14, 11, 3,  5,  1,  0}));
}

TEST(Offsets, ThatWrapAreNotWidened) {
  EXPECT_EQ(last_after("program p { buffer x: u32[4] read buffer y: u32[4] read_write grid 4 "
                       "let i = invocation.x + 0xffffffff y[i + 1] = x[i + 1] + i }",
                       {{10, 20, 30, 40}, {0, 0, 0, 0}}),
            (std::vector<std::uint32_t>{9, 20, 31, 42}));
}

TEST(Barriers, InABranchCostNoStoreOfIt) {
  EXPECT_EQ(last_after("program p { buffer x: u32[1] read buffer y: u32[8] read_write "
                       "grid 8 workgroup 4 let me = invocation.x if group.x != 0 { barrier "
                       "for k in 0i .. i32(local.x) step 2i { if 0 >= x[0] { } else { "
                       "y[me] = 7 } } } }",
                       {{1}, std::vector<std::uint32_t>(8)}),
            (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 7, 7, 7}));
}

TEST(Barriers, OfAnInvocationAloneInItsGroupDoNotStopTheCompiler) {
  EXPECT_EQ(last_after("program p { buffer y: u32[3] read_write grid 3 workgroup 1 "
                       "for k in 0 .. 3 { for l in 0 .. 2 { atomic y[0] += 5 } barrier } }",
                       {{0, 0, 0}}),
            (std::vector<std::uint32_t>{90, 0, 0}));
}

TEST(Surplus, InvocationsOfARaggedGridDoNothing) {
  EXPECT_EQ(last_after("program p { buffer y: u32[2] read_write grid 5, 3 workgroup 4, 2 "
                       "atomic y[0] += 1 atomic y[1] += invocation.x * 10 + invocation.y }",
                       {{0, 0}}),
            (std::vector<std::uint32_t>{15, 3 * 100 + 5 * 3}));
}

}  // namespace
}  // namespace vyre::testing
