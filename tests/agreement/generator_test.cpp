// The generator of random programs and the shrinker do what agreement testing relies on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "interpret/interpret.h"
#include "ir/validate.h"
#include "ir/visit.h"
#include "support/programs.h"
#include "support/random_program.h"
#include "support/shrink.h"
#include "vyre/ir/text.h"

namespace vyre::testing {
namespace {

using namespace ir;  // NOLINT(google-build-using-namespace): the tests are about nothing else

// As many as `make test` compares.
constexpr std::uint64_t programs = 300;

// "binary 3 f32x4": every kind of node with what distinguishes it.
class Coverage {
 public:
  void add(const Block& block) {
    for_each_stmt(block, [&](const Stmt& stmt) { add(stmt); });
    for_each_expr(block, [&](const Expr& e) { add(e); });
  }

 private:
  void add(const Stmt& stmt) {
    seen.insert(fmt::format("statement {}", stmt.node.index()));
    if (const auto* s = as<AtomicAdd>(stmt)) {
      seen.insert(fmt::format("atomic {}", name_of(s->value.type().scalar)));
    }
    if (const auto* s = as<Store>(stmt)) {
      seen.insert(fmt::format("store {}", to_string(s->value.type())));
    }
  }

  void add(const Expr& e) {
    seen.insert(fmt::format("expression {}", (*e).node.index()));
    const Scalar scalar = e.type().scalar;
    if (const auto* n = as<Id>(e)) seen.insert(fmt::format("id {} {}", int(n->kind), n->dim));
    if (is<Load>(e)) seen.insert(fmt::format("load {}", to_string(e.type())));
    if (const auto* n = as<Unary>(e)) {
      seen.insert(fmt::format("unary {} {}", int(n->op), name_of(scalar)));
    }
    if (const auto* n = as<Binary>(e)) {
      seen.insert(fmt::format("binary {} {}", int(n->op), name_of(n->left.type().scalar)));
    }
    if (const auto* n = as<Convert>(e)) {
      seen.insert(fmt::format("convert {} {}", name_of(n->arg.type().scalar), name_of(scalar)));
    }
    if (const auto* n = as<Bitcast>(e)) {
      seen.insert(fmt::format("bitcast {} {}", name_of(n->arg.type().scalar), name_of(scalar)));
    }
  }

 public:
  std::set<std::string> seen;
};

TEST(RandomProgram, CoversEveryKindOfNodeAndEveryOperatorOnEveryType) {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < programs; ++seed)
    coverage.add(random_program(seed).program.body);

  std::vector<std::string> expected;
  for (std::size_t i = 0; i < std::variant_size_v<decltype(Stmt::node)>; ++i) {
    expected.push_back(fmt::format("statement {}", i));
  }
  for (std::size_t i = 0; i < std::variant_size_v<ExprVariant>; ++i) {
    expected.push_back(fmt::format("expression {}", i));
  }
  for (int kind = 0; kind < 6; ++kind) {
    for (int dim = 0; dim < 3; ++dim) expected.push_back(fmt::format("id {} {}", kind, dim));
  }
  for (const char* scalar : {"bool", "u32", "i32", "f32", "f64"}) {
    for (const char* lanes : {"", "x2", "x4", "x8", "x16"}) {
      expected.push_back(fmt::format("load {}{}", scalar, lanes));
      expected.push_back(fmt::format("store {}{}", scalar, lanes));
    }
    for (const char* from : {"bool", "u32", "i32", "f32", "f64"}) {
      expected.push_back(fmt::format("convert {} {}", from, scalar));
    }
  }
  const auto ops = [&](std::string_view kind, std::vector<int> list,
                       std::vector<const char*> types) {
    for (const int op : list) {
      for (const char* type : types) expected.push_back(fmt::format("{} {} {}", kind, op, type));
    }
  };
  ops("unary", {int(UnaryOp::neg), int(UnaryOp::abs)}, {"u32", "i32", "f32", "f64"});
  ops("unary", {int(UnaryOp::bit_not)}, {"bool", "u32", "i32"});
  ops("unary", {int(UnaryOp::popcount), int(UnaryOp::clz)}, {"u32", "i32", "u64", "i64"});
  ops("unary", {int(UnaryOp::sqrt), int(UnaryOp::exp), int(UnaryOp::log)}, {"f32", "f64"});
  using enum BinaryOp;
  ops("binary",
      {int(add), int(sub), int(mul), int(div), int(min), int(max), int(lt), int(le), int(gt),
       int(ge), int(eq), int(ne)},
      {"u32", "i32", "f32", "f64"});
  ops("binary", {int(rem), int(shl), int(shr)}, {"u32", "i32"});
  ops("binary", {int(bit_and), int(bit_or), int(bit_xor)}, {"bool", "u32", "i32"});
  ops("binary", {int(eq), int(ne)}, {"bool"});
  for (const char* pair : {"f32 u32", "f32 i32", "u32 f32", "i32 f32", "u32 i32", "i32 u32"}) {
    expected.push_back(fmt::format("bitcast {}", pair));
  }
  for (const char* scalar : {"u32", "i32", "f32"}) {
    expected.push_back(fmt::format("atomic {}", scalar));
  }

  for (const std::string& what : expected) EXPECT_TRUE(coverage.seen.contains(what)) << what;
}

TEST(RandomProgram, IsValidAndSurvivesTheRoundTrip) {
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    const Program p = random_program(seed).program;
    const Problems problems = validate(p);
    ASSERT_TRUE(problems.empty()) << listed(problems) << print(p);
    EXPECT_EQ(parsed(print(p)), p) << seed;
  }
}

TEST(RandomProgram, RunsOnTheInterpreterWithoutAnError) {
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    Generated g = random_program(seed);
    std::vector<std::span<std::byte>> buffers(g.buffers.begin(), g.buffers.end());
    const auto ran = interpret::run(g.program, {}, buffers);
    ASSERT_TRUE(ran) << seed << ": " << to_string(ran.error()) << "\n" << print(g.program);
  }
}

TEST(RandomProgram, IsTheSameForTheSameSeed) {
  EXPECT_EQ(random_program(7).program, random_program(7).program);
  EXPECT_EQ(random_program(7).buffers, random_program(7).buffers);
  EXPECT_NE(random_program(7).program.body, random_program(8).program.body);
}

bool is_remainder(const Expr& e) {
  const auto* n = as<Binary>(e);
  return n != nullptr && n->op == BinaryOp::rem;
}
bool stores_remainder(const Block& block) {
  return any_stmt(block, [](const Stmt& stmt) {
    const auto* store = as<Store>(stmt);
    return store != nullptr && any_expr(store->value, is_remainder);
  });
}

TEST(Shrink, FindsTheOneStatementThatFails) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program p = random_program(seed).program;
    if (!stores_remainder(p.body)) continue;
    ++tried;
    const Program small = shrunk(p, [](const Program& q) { return stores_remainder(q.body); });
    EXPECT_TRUE(validate(small).empty());
    ASSERT_EQ(small.body.size(), 1U) << print(small);
    EXPECT_LE(print_head(small.body[0]).size(), 150U) << print(small);
  }
  EXPECT_GT(tried, 5);
}

}  // namespace
}  // namespace vyre::testing
