// Evaluates an expression for given values of its names, node by node: the definition of what an
// expression means. Lists are bounded in length, and so is the number of steps that comprehensions
// take.
#pragma once

#include <span>
#include <vector>

#include "space/datum.h"
#include "space/syntax.h"

namespace vyre::space {

class Evaluator {
 public:
  // `parameters`: a value for each name, in the order of Expression::names(); both must outlive it.
  Evaluator(const Syntax& syntax, std::span<const Datum> parameters)
      : syntax_(syntax), parameters_(parameters), locals_(syntax.locals) {}

  [[nodiscard]] Faulty<Datum> value(NodeId id);
  // The node that failed last.
  [[nodiscard]] Place place() const { return place_; }
  // The weight of all that was made so far: what it cost.
  [[nodiscard]] std::size_t work() const { return work_; }

 private:
  [[nodiscard]] Faulty<Datum> compute(const Node& node);
  [[nodiscard]] Faulty<Datum> comparison(const Node& node);
  [[nodiscard]] Faulty<Datum> items(const Node& node);
  [[nodiscard]] Faulty<Datum> comprehension(const Node& node);
  [[nodiscard]] Fault clause(const Node& node, std::size_t at, std::vector<Datum>& into);
  [[nodiscard]] Faulty<Datum> signed_number(const Node& node);

  const Syntax& syntax_;
  std::span<const Datum> parameters_;
  std::vector<Datum> locals_;
  std::size_t work_ = 0;
  Place place_;
  bool placed_ = false;
};

}  // namespace vyre::space
