// The plots of one kernel, each a <figure> or a part of one. Each draws what there is: with few or
// no attempts that have a time, it is empty or left out.
#pragma once

#include <string>

#include "report/axis.h"
#include "report/run.h"
#include "report/svg.h"

namespace vyre::report {

// How the search went: every attempt by its number, and the fastest until then.
[[nodiscard]] std::string best_so_far(const Run& run);

// How many configurations are how fast.
[[nodiscard]] std::string distribution(const Run& run);

// One small plot for each parameter of which more than one value was tried.
[[nodiscard]] std::string effects(const Run& run);

// How many attempts failed, in which way, and the reasons that were given most.
[[nodiscard]] std::string failures(const Run& run);

// A <figure> under a heading, with a line below that says how to read it, which is HTML.
[[nodiscard]] std::string figure(std::string_view heading, std::string_view drawing,
                                 std::string_view caption);

// Lines across at round times, with the times at their left end.
void time_grid(Svg& svg, const LogAxis& axis, double left, double right, std::size_t most);

// An entry of a legend: a mark of that class, and what it stands for.
[[nodiscard]] std::string legend(std::string_view steps, std::string_view style,
                                 std::string_view words);

// A path of dots without tips: the shortest way to write thousands.
class Dots {
 public:
  void add(double x, double y);
  [[nodiscard]] const std::string& steps() const { return steps_; }

 private:
  std::string steps_;
};

}  // namespace vyre::report
