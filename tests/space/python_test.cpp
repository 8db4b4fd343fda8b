// Expressions against Python's own answer. Python is the oracle of this test and nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "space/expression.h"
#include "support/random_source.h"
#include "support/subprocess.h"
#include "vyre/space/enumerate.h"

namespace vyre::space {
namespace {

// Prints for each line of its input: the type and text of the result for the first combination of
// a, b, c, d, or "error"; then for every combination 1, 0 or e.
constexpr const char* oracle = R"python(
import itertools, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
values = [[-3, 0, 1, 8], [0.5, 2.0, -1.5], ['x', 'yz'], [True, False]]
combinations = [dict(zip('abcd', v)) for v in itertools.product(*values)]
names = dict(min=min, max=max, len=len, abs=abs, sum=sum, range=range, list=list, tuple=tuple,
             int=int, float=float, bool=bool, any=any, all=all, __builtins__={})
def text(value):
    kind = type(value).__name__
    return kind + ' ' + str(value) if kind in ('int', 'float', 'bool', 'str') else 'other'
for line in open(sys.argv[1]):
    code, first, truths = compile(line.strip(), 'e', 'eval'), None, ''
    for combination in combinations:
        try:
            value = eval(code, {**names, **combination})
            answer, truth = text(value), '01'[bool(value)]
            if isinstance(value, complex): answer = truth = 'e'
        except (ArithmeticError, TypeError, ValueError, MemoryError):
            answer = truth = 'e'
        first = first or answer
        truths += truth
    print(first, truths, sep='\t')
)python";

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string expression(int depth) {
    if (random_.one_in(12)) return text(depth);
    if (random_.one_in(16)) return list(depth);
    return random_.one_in(2) ? truth(depth) : number(depth);
  }

 private:
  std::string number(int depth) {
    if (depth <= 0) return leaf();
    if (random_.one_in(60)) return expression(depth - 1);  // most often of a wrong type
    switch (random_.below(14)) {
      case 0:
        return fmt::format("-{}", parenthesised(depth));
      case 1:
        return fmt::format("abs({})", number(depth - 1));
      case 2:
        return fmt::format("min({}, {})", number(depth - 1), number(depth - 1));
      case 3:
        return fmt::format("max({})", list(depth - 1));
      case 4:
        return fmt::format("len({})", list(depth - 1));
      case 5:
        return fmt::format("({} if {} else {})", number(depth - 1), truth(depth - 1),
                           number(depth - 1));
      case 6:
        return fmt::format("{} ** {}", parenthesised(depth), exponent());
      case 7:
        return fmt::format("sum({})", list(depth - 1));
      case 8:
        return fmt::format("int({})", number(depth - 1));
      default:
        break;
    }
    constexpr const char* signs[] = {"+", "-", "*", "/", "//", "%"};
    return fmt::format("{} {} {}", parenthesised(depth), random_.pick(signs), parenthesised(depth));
  }

  std::string parenthesised(int depth) { return fmt::format("({})", number(depth - 1)); }

  std::string truth(int depth) {
    if (depth <= 0) return random_.one_in(2) ? "d" : "True";
    constexpr const char* relations[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (random_.below(8)) {
      case 0:
        return fmt::format("not {}", truth(depth - 1));
      case 1:
        return fmt::format("({} and {})", expression(depth - 1), truth(depth - 1));
      case 2:
        return fmt::format("({} or {})", truth(depth - 1), expression(depth - 1));
      case 3:
        return fmt::format("{} in {}", leaf(), list(depth - 1));
      case 4:
        return fmt::format("c {} {}", random_.pick(relations), text(depth - 1));
      case 5:
        return fmt::format("{} {} {} {} {}", leaf(), random_.pick(relations), parenthesised(depth),
                           random_.pick(relations), leaf());
      default:
        return fmt::format("{} {} {}", parenthesised(depth), random_.pick(relations),
                           parenthesised(depth));
    }
  }

  std::string list(int depth) {
    switch (random_.below(6)) {
      case 0:
        return fmt::format("range({})", random_.below(6));
      case 1:
        return fmt::format("list(range({}, {}, {}))", leaf(), random_.below(9),
                           1 + random_.below(3));
      case 2:
        return fmt::format("[i * {} for i in range(4) if i != {}]", leaf(), number(depth - 1));
      case 3:
        return fmt::format("[{}] + [a, 1]", number(depth - 1));
      case 4:
        return fmt::format("({}, {})", number(depth - 1), leaf());
      default:
        return fmt::format("[{}, {}, {}]", leaf(), number(depth - 1), leaf());
    }
  }

  std::string text(int depth) {
    if (depth <= 0 || random_.one_in(2)) return random_.one_in(2) ? "c" : "'x'";
    return random_.one_in(2) ? fmt::format("{} + 'z'", text(depth - 1))
                             : fmt::format("c * {}", leaf());
  }

  std::string leaf() {
    constexpr const char* names[] = {"a", "a", "a", "b", "d"};
    constexpr const char* numbers[] = {"0",
                                       "1",
                                       "2",
                                       "7",
                                       "-5",
                                       "32",
                                       "0.5",
                                       "1e3",
                                       "2.5",
                                       "9007199254740993",
                                       "9223372036854775807",
                                       "-4611686018427387904",
                                       "1e308",
                                       "0.1"};
    if (random_.one_in(2)) return random_.pick(names);
    return numbers[random_.below(random_.one_in(4) ? std::uint32_t{std::size(numbers)} : 6)];
  }

  std::string exponent() {
    constexpr const char* exponents[] = {"0", "1", "2", "3", "5", "-1", "-2", "0.5", "d", "a"};
    return random_.pick(exponents);
  }

  testing::RandomSource random_;
};

std::vector<Parameter> parameters() {
  const auto integer = [](std::int64_t value) { return Value(value); };
  return {{"a", {integer(-3), integer(0), integer(1), integer(8)}},
          {"b", {Value(0.5), Value(2.0), Value(-1.5)}},
          {"c", {Value("x"), Value("yz")}},
          {"d", {Value(true), Value(false)}}};
}

// The values of the combination with this number, the last parameter fastest.
std::map<std::string, Value, std::less<>> combination(std::size_t number) {
  std::map<std::string, Value, std::less<>> made;
  const auto all = parameters();
  for (std::size_t p = all.size(); p-- > 0;) {
    made[all[p].name] = all[p].values[number % all[p].values.size()];
    number /= all[p].values.size();
  }
  return made;
}

std::string answer(const Result<Value>& result) {
  if (!result) {
    return result.error().message == "the expression is not a single value" ? "other" : "e";
  }
  constexpr const char* kinds[] = {"int", "float", "bool", "str"};
  return fmt::format("{} {}", kinds[result->index()], to_string(*result));
}

// Python has integers of any size and complex numbers; vyre says that it has not.
bool is_beyond_vyre(const Expression& expression, std::size_t number) {
  const auto bound = combination(number);
  const auto held = expression.holds(
      [&](std::string_view name) { return std::optional(bound.find(name)->second); });
  return !held && (held.error().message == "an integer is beyond 64 bits" ||
                   held.error().message == "a negative number to a fractional power is not real");
}

// The truth of all combinations, as the enumeration sees it.
std::string enumerated(const std::string& text) {
  const auto definition = define(parameters(), {text});
  if (!definition) return to_string(definition.error());
  const auto made = enumerate(*definition);
  std::string truths;
  for (std::size_t i = 0; i < 48; ++i) {
    const std::vector<Digit> digits = {static_cast<Digit>(i / 12), static_cast<Digit>(i / 4 % 3),
                                       static_cast<Digit>(i / 2 % 2), static_cast<Digit>(i % 2)};
    truths += made->space.find(digits) ? '1' : '0';
  }
  return truths;
}

void compare(const std::string& text, const std::string& first, const std::string& truths,
             int& beyond) {
  const auto parsed = Expression::parse(text);
  ASSERT_TRUE(parsed) << to_string(parsed.error()) << " in " << text;
  const auto bound = combination(0);
  const auto value = parsed->evaluate(
      [&](std::string_view name) { return std::optional(bound.find(name)->second); });
  if (answer(value) != first) {
    ASSERT_TRUE(is_beyond_vyre(*parsed, 0)) << text << " is " << first << ", not " << answer(value);
    ++beyond;
  }
  const std::string mine = enumerated(text);
  ASSERT_EQ(mine.size(), truths.size()) << mine << " for " << text;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if ((truths[i] == '1') == (mine[i] == '1') || is_beyond_vyre(*parsed, i)) continue;
    FAIL() << text << "\nfor combination " << i << "\n" << truths << " Python\n" << mine << " vyre";
  }
}

TEST(Python, TenThousandGeneratedExpressionsHaveItsResults) {
  constexpr int count = 10'000;
  if (testing::run_program({"/bin/sh", "-c", "python3 -c 0"}).status != 0) {
    GTEST_SKIP() << "python3 is not installed";
  }
  Generator generator(20261115);
  std::vector<std::string> expressions;
  std::string lines;
  for (int i = 0; i < count; ++i) {
    expressions.push_back(generator.expression(1 + i % 4));
    lines += expressions.back() + "\n";
  }
  const testing::TemporaryDirectory folder;
  const auto ran =
      testing::run_program({"/usr/bin/env", "python3", "-W", "ignore",
                            folder.write("oracle.py", oracle), folder.write("expressions", lines)});
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::istringstream answers(ran.out);
  std::string first;
  std::string truths;
  int beyond = 0;
  for (const std::string& text : expressions) {
    ASSERT_TRUE(std::getline(answers, first, '\t') && std::getline(answers, truths));
    compare(text, first, truths, beyond);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(beyond, count / 10);
}

}  // namespace
}  // namespace vyre::space
