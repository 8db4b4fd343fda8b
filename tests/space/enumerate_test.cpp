#include "vyre/space/enumerate.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "space/definitions.h"
#include "space/expression.h"

namespace vyre::space {
namespace {

std::multiset<std::string> keys(const Space& space) {
  std::multiset<std::string> made;
  for (Index i = 0; i < space.size(); ++i) made.insert(space.key(i));
  return made;
}

// Every combination, one by one, through the expressions' own evaluation.
std::multiset<std::string> brute_force(const Definition& definition) {
  std::multiset<std::string> made;
  std::map<std::string, Value, std::less<>> bound;
  const auto lookup = [&](std::string_view name) {
    return std::optional(bound.find(name)->second);
  };
  const auto bind = [&](const auto& self, std::size_t at, const std::string& key) -> void {
    if (at == definition.parameters.size()) {
      for (const Expression& constraint : *definition.constraints) {
        const auto holds = constraint.holds(lookup);
        if (!holds || !*holds) return;
      }
      made.insert(key);
      return;
    }
    for (const Value& value : definition.parameters[at].values) {
      bound[definition.parameters[at].name] = value;
      self(self, at + 1, key + (at > 0 ? "," : "") + to_string(value));
    }
  };
  bind(bind, 0, "");
  return made;
}

void expect_exact(const Definition& definition) {
  const auto made = enumerate(definition);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(keys(made->space), brute_force(definition));
  for (Index i = 0; i < made->space.size(); ++i) {
    ASSERT_EQ(made->space.find(made->space.digits(i)), i);
  }
}

TEST(Enumerate, ASmallSpaceIsExact) {
  expect_exact(defined({{"x", integers(1, 8)}, {"y", integers(1, 8)}, {"z", integers(0, 1)}},
                       {"4 <= x * y <= 16", "x % 2 == 0 or z == 0"}));
}

TEST(Enumerate, AGemmSpaceHasAsManyConfigurationsAsItsTuners) {
  const std::vector<Value> powers = {Value(std::int64_t{16}), Value(std::int64_t{32}),
                                     Value(std::int64_t{64}), Value(std::int64_t{128})};
  const std::vector<Value> sizes = {Value(std::int64_t{8}), Value(std::int64_t{16}),
                                    Value(std::int64_t{32})};
  const std::vector<Value> widths = {Value(std::int64_t{1}), Value(std::int64_t{2}),
                                     Value(std::int64_t{4}), Value(std::int64_t{8})};
  const auto made = enumerate(
      defined({{"MWG", powers},
               {"NWG", powers},
               {"KWG", integers(32, 32)},
               {"MDIMC", sizes},
               {"NDIMC", sizes},
               {"MDIMA", sizes},
               {"NDIMB", sizes},
               {"VWM", widths},
               {"VWN", widths},
               {"SA", integers(0, 1)},
               {"SB", integers(0, 1)}},
              {"MWG % (MDIMC * VWM) == 0", "NWG % (NDIMC * VWN) == 0", "MWG % (MDIMA * VWM) == 0",
               "NWG % (NDIMB * VWN) == 0", "KWG % ((MDIMC * NDIMC)/MDIMA) == 0",
               "KWG % ((MDIMC * NDIMC)/NDIMB) == 0"}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->space.size(), 17'956);
  EXPECT_EQ(made->undefined, 0);
}

TEST(Enumerate, SpacesOfNoneOneAndTwoConfigurations) {
  for (const auto& [constraint, size] : std::map<std::string, std::size_t>{
           {"x + y > 9", 0}, {"x + y == 6", 1}, {"x + y == 5", 2}, {"x > 9", 0}, {"1 > 2", 0}}) {
    const auto made =
        enumerate(defined({{"x", integers(1, 3)}, {"y", integers(1, 3)}}, {constraint}));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->space.size(), size) << constraint;
  }
  expect_exact(defined({{"x", integers(5, 5)}}, {"x == 5"}));
  expect_exact(defined({{"x", integers(5, 5)}}, {"x == 6"}));
  expect_exact(defined({{"x", {}}, {"y", integers(1, 2)}}, {}));
  expect_exact(defined({{"x", integers(1, 2)}, {"y", integers(1, 2)}}, {}));
}

TEST(Enumerate, ACombinationWhoseConstraintHasNoValueIsNotValid) {
  const auto made =
      enumerate(defined({{"x", integers(0, 3)}, {"y", integers(1, 3)}}, {"y == 2 or 6 % x == 0"}));
  ASSERT_TRUE(made);
  EXPECT_EQ(keys(made->space), (std::multiset<std::string>{"0,2", "1,1", "1,2", "1,3", "2,1", "2,2",
                                                           "2,3", "3,1", "3,2", "3,3"}));
  EXPECT_EQ(made->undefined, 2);
  ASSERT_TRUE(made->reason);
  EXPECT_EQ(to_string(*made->reason), "1:13: division by zero in \"y == 2 or 6 % x == 0\"");
}

TEST(Enumerate, IntegersBeyond64BitsAreNotValidEither) {
  const auto made =
      enumerate(defined({{"x", integers(1, 70)}, {"y", integers(2, 3)}}, {"y ** x > 0"}));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->space.size(), 62 + 39);
}

TEST(Enumerate, FloatsStringsAndMixedValuesAreAllowed) {
  expect_exact(defined({{"f", {Value(0.5), Value(1.5), Value(-2.0)}},
                        {"s", {Value("a"), Value("b"), Value("c")}},
                        {"m", {Value(std::int64_t{1}), Value(2.5), Value("x"), Value(true)}},
                        {"b", {Value(true), Value(false)}}},
                       {"f > 0 or s == 'a'", "m != 'x' or b", "s in ['a', 'c'] or f // 1 == 0",
                        "len(s) == 1", "s != 'c' or b == (f < 1)"}));
}

TEST(Enumerate, UnknownNamesAndBadConstraintsAreRefused) {
  EXPECT_FALSE(define({{"x", integers(1, 2)}}, {"y > 1"}));
  const auto bad = define({{"x", integers(1, 2)}}, {"x > "});
  ASSERT_FALSE(bad);
  EXPECT_EQ(to_string(bad.error()), "1:5: expected a value, found the end in \"x > \"");
}

TEST(Enumerate, AHundredMillionAreEnumeratedAndOfMoreAPartIsDrawn) {
  const auto most =
      enumerate(defined({{"x", integers(1, 10'000)}, {"y", integers(1, 10'000)}}, {}));
  ASSERT_TRUE(most);
  EXPECT_EQ(most->space.size(), 100'000'000U);
  EXPECT_FALSE(most->sampled_from);
  const auto more =
      enumerate(defined({{"x", integers(1, 10'000)}, {"y", integers(1, 10'001)}}, {}));
  ASSERT_TRUE(more);
  EXPECT_EQ(more->space.size(), 100'000U);
  EXPECT_EQ(more->sampled_from, 100'010'000);
}

TEST(Enumerate, ADrawnPartIsTheSameEachTimeAndValid) {
  std::vector<Parameter> many;
  for (int i = 0; i < 12; ++i) many.push_back({"p" + std::to_string(i), integers(1, 10)});
  const Definition large = defined(many, {"p0 < p1", "p2 * p3 > 40"});
  const auto first = enumerate(large);
  const auto again = enumerate(large);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->sampled_from, 45.0 * 28 * 1e8);  // pairs in order; products over 40
  for (Index i = 0; i < first->space.size(); i += 1'000) {
    const std::vector<Digit> digits = first->space.digits(i);
    EXPECT_LT(digits[0], digits[1]);
    EXPECT_GT((digits[2] + 1) * (digits[3] + 1), 40);
    EXPECT_EQ(digits, again->space.digits(i));
  }
}

TEST(Enumerate, AnEmptyGroupMakesTheLargestSpaceEmpty) {
  std::vector<Parameter> many;
  for (int i = 0; i < 40; ++i) many.push_back({"p" + std::to_string(i), integers(1, 10)});
  const auto empty = enumerate(defined(many, {"p38 + p39 > 20"}));
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->space.empty());
}

TEST(Enumerate, AMillionConfigurations) {
  const auto made =
      enumerate(defined({{"x", integers(1, 128)}, {"y", integers(1, 128)}, {"z", integers(1, 128)}},
                        {"x + y + z <= 192"}));
  ASSERT_TRUE(made);
  Index expected = 0;
  for (int x = 1; x <= 128; ++x) {
    for (int y = 1; y <= 128; ++y) {
      expected += static_cast<Index>(std::max(0, std::min(128, 192 - x - y)));
    }
  }
  EXPECT_EQ(made->space.size(), expected);
}

// Constraints of the kinds that files have, over random parameters.
std::string random_constraint(std::mt19937& random, std::size_t parameters) {
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  const auto name = [&] { return "p" + std::to_string(pick(parameters)); };
  const auto number = [&] { return std::to_string(pick(20)); };
  switch (pick(10)) {
    case 0:
      return name() + " * " + name() + " <= " + number();
    case 1:
      return number() + " <= " + name() + " + " + name() + " < " + number();
    case 2:
      return name() + " % " + name() + " == 0";
    case 3:
      return name() + " == " + number() + " or " + name() + " != " + name();
    case 4:
      return "not (" + name() + " > " + name() + " and " + name() + " < " + number() + ")";
    case 5:
      return "(" + name() + " / " + name() + ") % 2 != 0";
    case 6:
      return name() + " in [1, 2, " + number() + ", " + name() + "]";
    case 7:
      return "min(" + name() + ", " + name() + ") < max(" + number() + ", " + name() + ")";
    case 8:
      return "(" + name() + " if " + name() + " > 3 else -" + name() + ") // 2 < 2";
    default:
      return "abs(" + name() + " - " + name() + ") * 2 ** " + name() + " < 40";
  }
}

TEST(Enumerate, GeneratedSpacesAgreeWithBruteForce) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + random() % 5;
    std::vector<Parameter> parameters;
    for (std::size_t p = 0; p < count; ++p) {
      const auto first = static_cast<std::int64_t>(random() % 4) - 1;
      const auto size = static_cast<std::int64_t>(random() % 5);
      parameters.push_back({"p" + std::to_string(p), integers(first, first + size)});
      if (random() % 8 == 0) parameters.back().values.emplace_back(2.5);
    }
    std::vector<std::string> constraints;
    for (std::size_t c = random() % 5; c > 0; --c) {
      constraints.push_back(random_constraint(random, count));
    }
    SCOPED_TRACE(testing::PrintToString(constraints));
    expect_exact(defined(parameters, constraints));
    if (HasFailure()) return;
  }
}

TEST(Enumerate, MoreChecksThanCanBeOrderedExactlyAreStillExact) {
  std::vector<Parameter> parameters;
  std::vector<std::string> constraints;
  for (int p = 0; p < 13; ++p) parameters.push_back({"p" + std::to_string(p), integers(0, 1)});
  for (int p = 0; p < 12; ++p) {
    constraints.push_back("p" + std::to_string(p) + " <= p" + std::to_string(p + 1));
  }
  const auto made = enumerate(defined(parameters, constraints));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->space.size(), 14);
}

}  // namespace
}  // namespace vyre::space
