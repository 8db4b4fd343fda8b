// What makes `natural` ask for one configuration rather than another.
#include "search/natural.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "search/grid.h"

namespace vyre::search {
namespace {

double log_value(const space::Space& space, Index index, std::size_t parameter) {
  return std::log(static_cast<double>(std::get<std::int64_t>(space.values(index)[parameter])));
}

std::size_t apart(const space::Space& space, Index a, Index b) {
  const auto x = space.digits(a);
  const auto y = space.digits(b);
  std::size_t differ = 0;
  for (std::size_t p = 0; p < x.size(); ++p) differ += x[p] == y[p] ? 0U : 1U;
  return differ;
}

struct Trace {
  std::vector<Index> asked;
  std::vector<double> times;
};

template <class Answer>
Trace run(const space::Space& space, const Settings& settings, std::size_t count,
          const Answer& answer, std::uint64_t seed = 1) {
  Natural natural(space, settings, seed);
  Trace trace;
  while (trace.asked.size() < count) {
    const Index index = natural.ask(1).at(0);
    const Observation outcome = answer(index);
    trace.asked.push_back(index);
    trace.times.push_back(outcome.verdict == Verdict::correct ? outcome.time : HUGE_VAL);
    natural.tell(index, outcome);
  }
  return trace;
}

// The three fastest of the first `count`.
std::vector<Index> best_three(const Trace& trace, std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return trace.times[i]; });
  std::vector<Index> best;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
    best.push_back(trace.asked[order[i]]);
  }
  return best;
}

TEST(Natural, EveryThirdIsANeighbourOfOneOfTheThreeBest) {
  const space::Space space = grid(4, 6);
  const auto bowl = [&](Index index) {
    double sum = 0;
    for (std::size_t p = 0; p < 4; ++p) {  // no two have the same time
      sum += (1 + 0.1 * static_cast<double>(p)) * std::pow(log_value(space, index, p) - 1, 2);
    }
    return Observation{.time = std::exp(sum), .cost = 1};
  };
  const Trace trace = run(space, {}, 60, bowl);
  for (std::size_t i = 6; i < 60; i += 3) {
    const auto best = best_three(trace, i);
    EXPECT_TRUE(std::ranges::any_of(best, [&](Index b) {
      return apart(space, b, trace.asked[i]) == 1;
    })) << i;
  }
  // With none of them local, many of these places are not.
  const Trace global = run(space, {.local = 0}, 60, bowl);
  std::size_t elsewhere = 0;
  for (std::size_t i = 6; i < 60; i += 3) {
    const auto best = best_three(global, i);
    elsewhere +=
        std::ranges::none_of(best, [&](Index b) { return apart(space, b, global.asked[i]) == 1; })
            ? 1U
            : 0U;
  }
  EXPECT_GT(elsewhere, 2U);
}

// On a plane the fastest is in a corner, and from everywhere a step leads nearer to it.
TEST(Natural, OfTheNeighboursTheMostPromisingIsTried) {
  const space::Space space = grid(4, 12);
  std::size_t tried = 0;
  std::size_t faster = 0;
  for (std::uint64_t corner = 0; corner < 16; ++corner) {
    const auto plane = [&](Index index) {
      double sum = 0;
      for (std::size_t p = 0; p < 4; ++p) {
        const double x = log_value(space, index, p);
        sum += (corner >> p & 1U) != 0 ? x : -x;
      }
      return Observation{.time = std::exp(sum), .cost = 1};
    };
    const Trace trace = run(space, {.local = 1}, 16, plane);
    const double fastest = *std::ranges::min_element(trace.times);
    for (std::size_t i = 6; i < trace.times.size(); ++i) {
      const double before = *std::min_element(trace.times.begin(),
                                              trace.times.begin() + static_cast<std::ptrdiff_t>(i));
      if (before <= fastest) continue;
      ++tried;
      faster += trace.times[i] < before ? 1U : 0U;
    }
  }
  EXPECT_GT(2 * faster, tried);
}

// Times are alike on both sides of the middle, but one side costs a thousand times more to try.
TEST(Natural, OfTwoThatPromiseAlikeTheCheaperIsTried) {
  std::vector<space::Value> powers;
  std::vector<space::Value> numbers;
  for (int i = 0; i <= 16; ++i) powers.emplace_back(std::int64_t{1} << i);
  for (int i = 1; i <= 32; ++i) numbers.emplace_back(i);
  const space::Space space = grid({powers, numbers});
  const auto is_dear = [&](Index index) { return space.digit(index, 0) > 8; };
  const auto answer = [&](Index index) {
    const double away = std::abs(static_cast<double>(space.digit(index, 0)) - 8) - 4;
    const double other = log_value(space, index, 1) - 1.5;
    return Observation{.time = std::exp(0.2 * away * away + 0.3 * other * other),
                       .cost = is_dear(index) ? 1000.0 : 1.0};
  };
  const auto dear = [&](double power) {
    std::ptrdiff_t count = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Trace trace = run(space, {.cost_power = power}, 20, answer, seed);
      count += std::ranges::count_if(trace.asked, is_dear);
    }
    return count;
  };
  const auto without = dear(0);
  EXPECT_LT(3 * dear(0.5), 2 * without);
  EXPECT_LT(3 * dear(2), without);
}

// Half of the space fails, beside the best: far fewer than half of the first suggestions are there.
TEST(Natural, GoesWhereThingsRun) {
  const space::Space space = grid(3, 8);
  const auto answer = [&](Index index) {
    if (space.digit(index, 0) >= 4) return Observation{.verdict = Verdict::compile, .cost = 1};
    double sum = 0;
    for (std::size_t p = 0; p < 3; ++p) sum += std::pow(log_value(space, index, p) - 1, 2);
    return Observation{.time = std::exp(sum), .cost = 1};
  };
  for (const Acquisition how : {Acquisition::improvement, Acquisition::sample}) {
    std::ptrdiff_t failed = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Trace trace = run(space, {.acquisition = how}, 15, answer, seed);
      failed += std::count(trace.times.begin() + 5, trace.times.end(), HUGE_VAL);
    }
    EXPECT_LT(failed, 22) << static_cast<int>(how);  // of 60
  }
}

// Drawn from exp(-sharpness f): with 0 from all alike, with much from the fast ones.
TEST(Natural, APolicyThatIsDrawnFromIsAsSharpAsItIsSet) {
  const space::Space space = grid(2, 30);
  const auto answer = [&](Index index) {
    return Observation{.time = std::exp(log_value(space, index, 0) + log_value(space, index, 1)),
                       .cost = 1};
  };
  const auto mean_log = [&](double sharpness) {
    const Trace trace =
        run(space, {.acquisition = Acquisition::sample, .sharpness = sharpness}, 120, answer);
    double sum = 0;
    for (std::size_t i = 20; i < 120; ++i) sum += std::log(trace.times[i]) / 100;
    return sum;
  };
  double everywhere = 0;
  for (Index i = 0; i < space.size(); ++i) everywhere += std::log(answer(i).time) / space.size();
  EXPECT_NEAR(mean_log(0), everywhere, 0.35);
  EXPECT_LT(mean_log(2), everywhere - 0.7);
  EXPECT_LT(mean_log(8), mean_log(1) - 0.3);
}

// The first are spread, as many as are set; two good ones are needed to go on.
TEST(Natural, BeginsWithAsManySpreadOnesAsAreSet) {
  const space::Space space = grid(2, 20);
  const auto flat = [](Index index) { return Observation{.time = 1.0 + index, .cost = 1}; };
  const Trace five = run(space, {.start = 5}, 12, flat);
  const Trace nine = run(space, {.start = 9}, 12, flat);
  EXPECT_TRUE(std::equal(five.asked.begin(), five.asked.begin() + 5, nine.asked.begin()));
  EXPECT_NE(five.asked[5], nine.asked[5]);
  Natural natural(space, {.start = 3}, 1);
  Natural failing(space, {.start = 3}, 1);
  std::vector<Index> asked;
  for (int i = 0; i < 8; ++i) {
    const Index index = natural.ask(1).at(0);
    ASSERT_EQ(failing.ask(1).at(0), index) << i;
    // One good one is not enough to learn from, with or without failures.
    const Observation outcome = {.verdict = i == 0 ? Verdict::correct : Verdict::runtime,
                                 .time = 1};
    natural.tell(index, outcome);
    failing.tell(index, {.verdict = Verdict::runtime});
  }
}

TEST(Unguided, ExhaustiveAsksInOrderAndBothAsManyAsWanted) {
  const space::Space space = grid(2, 5);
  auto ordered = *make_strategy("exhaustive", space, 0);
  EXPECT_EQ(ordered->ask(3), (std::vector<Index>{0, 1, 2}));
  ordered->tell(4, {.time = 1});
  EXPECT_EQ(ordered->ask(3), (std::vector<Index>{3, 5, 6}));
  EXPECT_EQ(ordered->ask(100).size(), 18U);
  EXPECT_TRUE(ordered->done());
  EXPECT_TRUE(ordered->ask(1).empty());
  std::map<Index, int> first;
  for (std::uint64_t seed = 0; seed < 2'500; ++seed) {
    auto random = *make_strategy("random", space, seed);
    const auto asked = random->ask(2);
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_NE(asked[0], asked[1]);
    ++first[asked[0]];
  }
  for (const auto& [index, count] : first) EXPECT_NEAR(count, 100, 50) << index;
}

}  // namespace
}  // namespace vyre::search
