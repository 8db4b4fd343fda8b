// vyre's search for something else: the step and the momentum with which gradient descent needs the
// fewest iterations, 30 evaluations among 1,600.
#include <cstdio>

#include "vyre/vyre.h"

// On x^2 + y^2 / 50. Too bold a choice does not converge: a failure, from which the search learns.
vyre::Result<double> iterations(const vyre::Config& config) {
  const double step = config["step"], momentum = config["momentum"];
  double x = 1, y = 1, dx = 0, dy = 0;
  for (int i = 0; i < 2000; ++i) {
    if (x * x + y * y < 1e-12) return i;
    x += dx = momentum * dx - step * x;
    y += dy = momentum * dy - step * y / 50;
  }
  return vyre::fail(vyre::ErrorKind::run, "it does not converge");
}

vyre::Result<void> run() {
  vyre::space::Parameter step{"step", {}}, momentum{"momentum", {}};
  for (int i = 0; i < 40; ++i) {
    step.values.emplace_back(0.05 * (i + 1));
    momentum.values.emplace_back(0.025 * i);
  }
  VYRE_TRY(const auto space, vyre::make_space({step, momentum}));
  VYRE_TRY(const auto best, vyre::minimise(space, {.evaluations = 30}, iterations));
  VYRE_TRY(const auto all,
           vyre::minimise(space, {.evaluations = 1600, .strategy = "exhaustive"}, iterations));
  std::printf("%s: %g iterations; the least is %g\n", best.config.text().c_str(), best.value,
              all.value);
  if (best.value < 1.25 * all.value) return {};
  return vyre::fail(vyre::ErrorKind::run, "the search missed it");
}

int main() { return vyre::exit_status(run()); }
