#include "space/order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vyre::space {
namespace {

constexpr double per_row = 4;  // what making a lane costs beside its checks, in nanoseconds

struct Candidate {
  std::uint64_t mask = 0;  // of its parameters among the group's
  double share = 1;
  double cost = 0;
};

class Model {
 public:
  Model(const Plan& plan, std::span<const std::size_t> checks,
        std::span<const std::uint32_t> members) {
    for (const std::uint32_t member : members) {
      sizes_.push_back(static_cast<double>(plan.domains[member].size()));
    }
    for (const std::size_t check : checks) {
      Candidate made{.share = plan.checks[check].share(), .cost = plan.checks[check].cost()};
      for (const std::uint32_t column : plan.checks[check].columns()) {
        made.mask |= std::uint64_t{1} << (std::ranges::find(members, column) - members.begin());
      }
      candidates.push_back(made);
    }
  }

  // Lanes made for each row when these parameters are bound.
  [[nodiscard]] double growth(std::uint64_t mask) const {
    double product = 1;
    for (; mask != 0; mask &= mask - 1) {
      product *= sizes_[static_cast<std::size_t>(__builtin_ctzll(mask))];
    }
    return std::min(product, 1e100);
  }

  std::vector<Candidate> candidates;

 private:
  std::vector<double> sizes_;
};

struct State {
  double cost = std::numeric_limits<double>::infinity();
  double rows = 1;
  std::uint64_t bound = 0;
  std::size_t last = 0;  // the check made last
};

State after(const Model& model, const State& before, std::size_t check) {
  const Candidate& next = model.candidates[check];
  // Bounded, so that costs stay finite and can be compared.
  const double lanes = std::min(before.rows * model.growth(next.mask & ~before.bound), 1e200);
  return {.cost = before.cost + lanes * (per_row + next.cost),
          .rows = lanes * next.share,
          .bound = before.bound | next.mask,
          .last = check};
}

// The cheapest way to every set of checks.
std::vector<std::size_t> best_order(const Model& model) {
  const std::size_t count = model.candidates.size();
  std::vector<State> states(std::size_t{1} << count);
  states[0].cost = 0;
  for (std::size_t set = 0; set < states.size(); ++set) {
    for (std::size_t check = 0; check < count; ++check) {
      if ((set >> check & 1) != 0) continue;
      const State next = after(model, states[set], check);
      State& known = states[set | std::size_t{1} << check];
      if (next.cost < known.cost) known = next;
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t set = states.size() - 1; set != 0;) {
    order.push_back(states[set].last);
    set &= ~(std::size_t{1} << states[set].last);
  }
  std::ranges::reverse(order);
  return order;
}

// Always the check that leaves the fewest rows, the cheaper one of two that leave as many.
std::vector<std::size_t> greedy_order(const Model& model) {
  std::vector<std::size_t> order;
  std::vector<bool> made(model.candidates.size(), false);
  State state{.cost = 0};
  while (order.size() < made.size()) {
    State best;
    best.rows = std::numeric_limits<double>::infinity();
    for (std::size_t check = 0; check < made.size(); ++check) {
      if (made[check]) continue;
      const State next = after(model, state, check);
      if (std::pair(next.rows, next.cost) < std::pair(best.rows, best.cost)) best = next;
    }
    state = best;
    made[best.last] = true;
    order.push_back(best.last);
  }
  return order;
}

}  // namespace

std::vector<std::size_t> order_checks(const Plan& plan, std::span<const std::size_t> checks,
                                      std::span<const std::uint32_t> members) {
  std::vector<std::size_t> order(checks.begin(), checks.end());
  if (checks.size() < 2 || members.size() > 64) return order;
  const Model model(plan, checks, members);
  const auto positions = checks.size() <= most_exact ? best_order(model) : greedy_order(model);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = checks[positions[i]];
  return order;
}

}  // namespace vyre::space
