// vyre_learn: makes src/schedule/learned.txt, or measures what it is worth for other programs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "check.h"
#include "learner.h"
#include "tuner.h"

namespace vyre::learn {
namespace {

struct Options {
  std::string device = "default";
  LearnOptions learn;
  std::vector<std::string> checked;
};

Result<void> run(const Options& options) {
  auto tuner = Tuner::start(options.device);
  if (!tuner) return Unexpected(tuner.error());
  if (!options.checked.empty()) return check(*std::move(tuner), options.checked);
  return learn(*std::move(tuner), options.learn);
}

}  // namespace
}  // namespace vyre::learn

int main(int argc, char** argv) {
  vyre::learn::Options options;
  CLI::App app("Learns which schedules are promising.");
  auto* output = app.add_option("output", options.learn.output, "the file to write");
  app.add_option("--device", options.device, "the device to tune on");
  app.add_option("--seconds", options.learn.seconds, "of searching for each program")
      ->capture_default_str();
  app.add_option("--tries", options.learn.tries, "configurations for each program at most")
      ->capture_default_str();
  app.add_option("--only", options.learn.only, "only programs whose names contain this");
  auto* checked = app.add_option("--check", options.checked,
                                 "measure what was learned on these programs instead");
  output->excludes(checked);
  CLI11_PARSE(app, argc, argv);
  if (options.learn.output.empty() && options.checked.empty()) {
    fmt::print(stderr, "vyre_learn: name a file to write, or programs to check\n");
    return 2;
  }
  const auto done = vyre::learn::run(options);
  if (!done) fmt::print(stderr, "vyre_learn: {}\n", to_string(done.error()));
  return done ? 0 : 1;
}
