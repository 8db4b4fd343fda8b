// Enumerates one group of a plan: one stage for each parameter.
//
// A stage takes blocks of partial configurations, appends each value of its parameter, tests, and
// passes on what is left. Blocks are filled before they go on, so that tests run over full blocks
// even where few lanes survive, and memory does not grow with the number of partial configurations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/part.h"
#include "space/plan.h"

namespace vyre::space {

class Pipeline {
 public:
  // Rows go to `out`, whose columns are the group's parameters in the order of the steps. What they
  // cost is the plan's work.
  Pipeline(Plan& plan, const Group& group, std::size_t parameters, Part& out, std::uint64_t most);

  // False if there are more than `most` rows, or the work is exhausted.
  [[nodiscard]] bool run();

 private:
  // Partial configurations that wait for a stage; columns[step][lane].
  struct Waiting {
    std::vector<std::vector<Digit>> columns;
    std::size_t lanes = 0;
  };
  // What a stage works on: the lanes made of a parent and a value.
  struct Scratch {
    std::vector<std::uint32_t> parents;
    std::vector<Digit> values;
    std::vector<std::vector<Digit>> columns;  // of earlier steps, only those that are tested
    std::vector<const Digit*> digits;         // by parameter
  };

  void drain(std::size_t step);
  void extend(std::size_t step);
  void spend(std::size_t step, std::size_t lanes);
  [[nodiscard]] std::size_t test(std::size_t step, std::size_t lanes);
  [[nodiscard]] std::size_t keep(Scratch& scratch, std::size_t lanes, const std::uint8_t* holds);
  void load(std::size_t step, const Check& check, std::size_t lanes);
  void pass(std::size_t step, std::size_t lanes);
  void pass_some(std::size_t step, std::size_t first, std::size_t lanes);

  Plan& plan_;
  const Group& group_;
  Part& out_;
  std::uint64_t most_;
  std::size_t block_;  // lanes
  bool full_ = false;
  std::vector<std::size_t> step_of_;  // by parameter
  std::vector<Digit> zeros_;
  std::vector<Waiting> waiting_;
  std::vector<Scratch> scratch_;
};

}  // namespace vyre::space
