#include "space/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "space/order.h"

namespace vyre::space {
namespace {

// Rules by the set of parameters with a choice that they name.
std::map<std::vector<std::uint32_t>, std::vector<Rule>> rules_by_columns(
    const Definition& definition) {
  const Positions positions(definition.parameters);
  std::map<std::vector<std::uint32_t>, std::vector<Rule>> made;
  for (const Expression& constraint : *definition.constraints) {
    Rule rule(constraint, definition.parameters, positions);
    std::vector<std::uint32_t> columns(rule.names().begin(), rule.names().end());
    std::ranges::sort(columns);
    std::erase_if(columns,
                  [&](std::uint32_t p) { return definition.parameters[p].values.size() < 2; });
    made[columns].push_back(std::move(rule));
  }
  return made;
}

// Tests the values of one parameter, or, without any, the one combination there is.
void apply(Check& check, std::vector<Digit>& domain, std::size_t parameters, Tally& tally) {
  std::vector<Digit> kept;
  const std::vector<Digit> zeros(max_lanes, 0);
  std::vector<const Digit*> digits(parameters, zeros.data());
  std::vector<std::uint8_t> holds(max_lanes);
  for (std::size_t first = 0; first < domain.size(); first += max_lanes) {
    const std::size_t lanes = std::min(max_lanes, domain.size() - first);
    if (!check.columns().empty()) digits[check.columns()[0]] = domain.data() + first;
    check.test(digits, lanes, holds.data(), tally);
    for (std::size_t i = 0; i < lanes; ++i) {
      if (holds[i] != 0) kept.push_back(domain[first + i]);
    }
  }
  domain = std::move(kept);
}

// Which group each parameter is in: two parameters of one check are in the same.
class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t of) {
    while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
    return of;
  }
  void unite(std::uint32_t a, std::uint32_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<std::uint32_t> parent_;
};

// Binds the parameters of the checks in their order; each check is made as soon as it can be.
Group group_of(const Plan& plan, std::span<const std::size_t> order,
               std::span<const std::uint32_t> members) {
  Group group;
  std::vector<std::vector<std::size_t>> naming(plan.domains.size());  // checks, by parameter
  std::unordered_map<std::size_t, std::size_t> unbound;               // parameters, by check
  for (const std::size_t check : order) {
    unbound[check] = plan.checks[check].columns().size();
    for (const std::uint32_t column : plan.checks[check].columns()) {
      naming[column].push_back(check);
    }
  }
  std::vector<bool> bound(plan.domains.size(), false);
  const auto bind = [&](std::uint32_t parameter) {
    if (bound[parameter]) return;
    bound[parameter] = true;
    Step& step = group.steps.emplace_back(Step{.parameter = parameter, .checks = {}});
    for (const std::size_t check : naming[parameter]) {
      if (--unbound[check] == 0) step.checks.push_back(check);
    }
  };
  for (const std::size_t check : order) {
    for (const std::uint32_t column : plan.checks[check].columns()) bind(column);
  }
  for (const std::uint32_t member : members) bind(member);
  return group;
}

void make_groups(Plan& plan, const Definition& definition) {
  const auto count = static_cast<std::uint32_t>(definition.parameters.size());
  UnionFind groups(count);
  for (const Check& check : plan.checks) {
    for (const std::uint32_t column : check.columns()) groups.unite(check.columns()[0], column);
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  std::map<std::uint32_t, std::vector<std::size_t>> checks;
  std::vector<std::uint32_t> roots;  // in the order of their first parameter
  for (std::uint32_t p = 0; p < count; ++p) {
    if (definition.parameters[p].values.size() < 2) continue;
    auto& mine = members[groups.find(p)];
    if (mine.empty()) roots.push_back(groups.find(p));
    mine.push_back(p);
  }
  for (std::size_t c = 0; c < plan.checks.size(); ++c) {
    checks[groups.find(plan.checks[c].columns()[0])].push_back(c);
  }
  for (const std::uint32_t root : roots) {
    const auto order = order_checks(plan, checks[root], members[root]);
    plan.groups.push_back(group_of(plan, order, members[root]));
  }
}

Failure too_costly(const Check& check, std::uint64_t most_work) {
  return fail(ErrorKind::limit,
              fmt::format("the constraints take more than {} steps to test on some combinations; "
                          "the last was \"{}\": write shorter lists or fewer constraints",
                          most_work, check.text()));
}

}  // namespace

Result<Plan> make_plan(const Definition& definition, std::uint64_t most_work) {
  Plan plan{.tally = {.work = Work(most_work)}};
  for (const Parameter& parameter : definition.parameters) {
    auto& domain = plan.domains.emplace_back(parameter.values.size());
    std::iota(domain.begin(), domain.end(), Digit{0});
    plan.impossible = plan.impossible || domain.empty();
  }
  if (plan.impossible) return plan;
  for (auto& [columns, rules] : rules_by_columns(definition)) {
    Check check(columns, std::move(rules), definition.parameters);
    if (columns.size() > 1) {
      plan.checks.push_back(std::move(check));
      continue;
    }
    std::vector<Digit> once = {0};
    auto& domain = columns.empty() ? once : plan.domains[columns[0]];
    apply(check, domain, definition.parameters.size(), plan.tally);
    if (plan.tally.work.exhausted()) return too_costly(check, most_work);
    plan.impossible = plan.impossible || domain.empty();
  }
  if (plan.impossible) return plan;
  for (Check& check : plan.checks) {
    check.prepare(plan.domains, plan.tally);
    if (plan.tally.work.exhausted()) return too_costly(check, most_work);
  }
  make_groups(plan, definition);
  return plan;
}

}  // namespace vyre::space
