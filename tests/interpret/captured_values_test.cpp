// BuiltActions programs compute what the C++ that builds them reads like: random builders against a
// model in which a value is a number, read at once.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "interpret/interpret.h"
#include "support/programs.h"
#include "support/random_source.h"
#include "vyre/ir/build.h"
#include "vyre/ir/text.h"

namespace vyre::interpret {
namespace {

constexpr std::uint32_t elements = 4;
constexpr std::uint32_t results = 32;

// What is done with values, which have numbers: element `at` of y is that of the value modulo 4.
struct Action {
  enum class Kind : std::uint8_t { read_element, read_variable, store, assign, count, when, loop };
  Kind kind = Kind::store;
  std::uint32_t made = 0;  // the new value's number
  std::uint32_t from = 0;  // a value
  std::uint32_t at = 0;    // a value
  std::uint32_t passes = 0;
  std::vector<Action> body;
  std::vector<Action> otherwise;
};

class RandomActions {
 public:
  explicit RandomActions(std::uint64_t seed) : random_(seed) {}

  std::vector<Action> block(std::uint32_t depth) {
    const std::vector<std::uint32_t> outside = visible_;
    std::vector<Action> steps;
    const std::uint32_t length = 2 + random_.below(5);
    for (std::uint32_t i = 0; i < length; ++i) steps.push_back(step(depth));
    if (depth > 0) visible_ = outside;
    return steps;
  }

  std::vector<std::uint32_t> visible_ = {0};  // value 0 is the invocation, hence 0

 private:
  Action step(std::uint32_t depth) {
    Action made{.kind = static_cast<Action::Kind>(random_.below(depth < 3 ? 7 : 5)),
                .from = random_.pick(visible_),
                .at = random_.pick(visible_),
                .passes = random_.below(4)};
    if (made.kind == Action::Kind::read_element || made.kind == Action::Kind::read_variable) {
      visible_.push_back(made.made = ++values_);
    }
    if (made.kind == Action::Kind::when || made.kind == Action::Kind::loop)
      made.body = block(depth + 1);
    if (made.kind == Action::Kind::when) made.otherwise = block(depth + 1);
    return made;
  }

  testing::RandomSource random_;
  std::uint32_t values_ = 0;
};

// The meaning.
struct EagerModel {
  std::array<std::uint32_t, elements> y = {10, 20, 30, 40};
  std::uint32_t v = 5;
  std::vector<std::uint32_t> values = std::vector<std::uint32_t>(1000);

  void run(const std::vector<Action>& steps) {
    for (const Action& step : steps) run(step);
  }
  void run(const Action& s) {
    std::uint32_t& element = y[values[s.at] % elements];
    switch (s.kind) {
      case Action::Kind::read_element:
        values[s.made] = element;
        break;
      case Action::Kind::read_variable:
        values[s.made] = v;
        break;
      case Action::Kind::store:
        element = values[s.from] * 3 + 1;
        break;
      case Action::Kind::assign:
        v = values[s.from] + 7;
        break;
      case Action::Kind::count:
        element += values[s.from];
        break;
      case Action::Kind::when:
        run(values[s.from] % 2 == 0 ? s.body : s.otherwise);
        break;
      case Action::Kind::loop:
        for (std::uint32_t pass = 0; pass < s.passes; ++pass) run(s.body);
        break;
    }
  }
};

// The same steps, built.
struct BuiltActions {
  ir::Builder k{"steps"};
  ir::BufferRef y = k.read_write("y", Scalar::u32, elements);
  ir::BufferRef out = k.write("out", Scalar::u32, results);
  std::unique_ptr<ir::Variable> v;
  std::vector<ir::Value> values = std::vector<ir::Value>(1000, ir::invocation(0));

  BuiltActions() {
    k.grid(1);
    v = std::make_unique<ir::Variable>(k.var("v", 5U));
  }
  void run(const std::vector<Action>& steps) {
    for (const Action& step : steps) run(step);
  }
  void run(const Action& s) {
    const ir::Element element = y[values[s.at] % elements];
    switch (s.kind) {
      case Action::Kind::read_element:
        values[s.made] = element.load();
        break;
      case Action::Kind::read_variable:
        values[s.made] = *v;
        break;
      case Action::Kind::store:
        element = values[s.from] * 3 + 1;
        break;
      case Action::Kind::assign:
        *v = values[s.from] + 7;
        break;
      case Action::Kind::count:
        element.atomic_add(values[s.from]);
        break;
      case Action::Kind::when:
        k.when(values[s.from] % 2 == 0, [&] { run(s.body); }, [&] { run(s.otherwise); });
        break;
      case Action::Kind::loop:
        k.loop("pass", 0U, s.passes, [&](const ir::Value&) { run(s.body); });
        break;
    }
  }
};

TEST(CapturedValues, AreWhatTheyWereWhenTheyWereMade) {
  std::size_t captured = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomActions random(seed);
    const std::vector<Action> steps = random.block(0);
    EagerModel model;
    model.run(steps);
    BuiltActions built;
    built.run(steps);
    std::array<std::uint32_t, results> expected{};
    for (std::size_t i = 0; i < random.visible_.size(); ++i) {
      expected.at(i) = model.values[random.visible_[i]];
      built.out[i] = built.values[random.visible_[i]];
    }
    const auto program = built.k.finish();
    ASSERT_TRUE(program) << seed << "\n" << testing::listed(program.error());
    if (print(*program).find("old_") != std::string::npos) ++captured;
    std::array<std::uint32_t, elements> y = EagerModel{}.y;
    std::array<std::uint32_t, results> out{};
    const std::array<std::span<std::byte>, 2> buffers = {std::as_writable_bytes(std::span(y)),
                                                         std::as_writable_bytes(std::span(out))};
    const auto ran = run(*program, {}, buffers);
    ASSERT_TRUE(ran) << seed << "\n" << to_string(ran.error()) << print(*program);
    ASSERT_EQ(y, model.y) << seed << "\n" << print(*program);
    ASSERT_EQ(out, expected) << seed << "\n" << print(*program);
  }
  EXPECT_GT(captured, 300U);
}

}  // namespace
}  // namespace vyre::interpret
