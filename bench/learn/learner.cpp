#include "learner.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "choose.h"
#include "programs.h"
#include "schedule/promising.h"

namespace vyre::learn {
namespace {

constexpr std::size_t neighbours = 6;  // whose winners are measured on a program

class Learner {
 public:
  Learner(Tuner tuner, const LearnOptions& options) : tuner_(std::move(tuner)), options_(options) {}

  Result<void> run() {
    const auto programs = learn::programs();
    if (!programs) return Unexpected(programs.error());
    for (const ir::Program& program : *programs) {
      if (program.name.find(options_.only) == std::string::npos) continue;
      auto subject = tuner_.subject(program);
      if (!subject) return Unexpected(subject.error());
      subjects_.push_back(*std::move(subject));
    }
    found_.resize(subjects_.size());
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      if (auto done = search(i); !done) return done;
      collect();
    }
    // First all of them: measuring takes long and may be ended early.
    if (auto done = write(std::vector<bool>(examples_.size(), true), ""); !done) return done;
    if (auto done = measure(); !done) return done;
    const auto kept = choose(trials_, examples_.size());
    return write(kept, summary(kept));
  }

 private:
  // From what is known so far.
  Result<void> search(std::size_t i) {
    const auto found = tuner_.search(subjects_[i], start_of(i), budget());
    if (!found) return Unexpected(found.error());
    found_[i] = *found;
    fmt::print("{:<28} {:>8.2f}{} {}\n", subjects_[i].name, found->gain, found->sure ? " " : "?",
               subjects_[i].family.space.key(found->member));
    std::cout.flush();
    return {};
  }

  [[nodiscard]] Budget budget() const {
    return {.time = std::chrono::milliseconds(static_cast<std::int64_t>(options_.seconds * 1000)),
            .tries = options_.tries};
  }

  // Examples of what surely gained.
  void collect() {
    examples_.clear();
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      if (!found_[i].sure || found_[i].gain < options_.least_gain) continue;
      examples_.push_back({subjects_[i].name, found_[i].gain, subjects_[i].features,
                           schedule::named_values(subjects_[i].family.space, found_[i].member)});
    }
  }

  // The winners of the programs most like this one.
  [[nodiscard]] std::vector<space::Index> start_of(std::size_t i) const {
    const tune::Family& family = subjects_[i].family;
    return schedule::promising(family.space, family.baseline, subjects_[i].features, examples_, 4);
  }

  // What the nearest examples of others make of each program.
  Result<void> measure() {
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      auto trials = trials_of(subjects_[i]);
      std::vector<space::Index> members;
      for (const Trial& trial : trials) members.push_back(trial.member);
      const auto gains = tuner_.gains(subjects_[i], members);
      if (!gains) return Unexpected(gains.error());
      for (std::size_t k = 0; k < trials.size(); ++k) trials[k].gain = (*gains)[k];
      trials_.push_back(std::move(trials));
    }
    return {};
  }

  [[nodiscard]] std::vector<Trial> trials_of(const Subject& subject) const {
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t e = 0; e < examples_.size(); ++e) {
      if (examples_[e].program == subject.name) continue;
      near.emplace_back(distance(subject.features, examples_[e].features), e);
    }
    std::ranges::sort(near);
    near.resize(std::min(near.size(), neighbours));
    std::vector<Trial> made;
    const tune::Family& family = subject.family;
    for (const auto& [far, e] : near) {
      const auto member =
          schedule::adapted(family.space, family.baseline, subject.features, examples_[e]);
      if (member != family.baseline) made.push_back({e, member, 0});
    }
    return made;
  }

  // What the choice is worth, as comments of the file.
  [[nodiscard]] std::string summary(const std::vector<bool>& kept) const {
    const auto gains = left_out_gains(trials_, kept);
    std::vector<double> searched;
    for (const Found& found : found_) searched.push_back(found.sure ? found.gain : 1);
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      fmt::print("{:<28} searched {:>8.2f}  left out {:>8.2f}\n", subjects_[i].name, searched[i],
                 gains[i]);
    }
    const std::vector<bool> all(examples_.size(), true);
    return fmt::format(
        "# {} programs, {} with a sure gain; {} examples kept. Geometric mean of the gains: {:.2f} "
        "by\n# the search, {:.2f} by the best of 5 with the program's own example left out ({:.2f} "
        "with all kept).\n",
        subjects_.size(), examples_.size(), std::ranges::count(kept, true),
        geometric_mean(searched), geometric_mean(gains),
        geometric_mean(left_out_gains(trials_, all)));
  }

  Result<void> write(const std::vector<bool>& kept, const std::string& summary) const {
    std::ofstream file(options_.output);
    file << fmt::format(
        "# Made by `make learn` on {:%Y-%m-%d}, {}, from primitives and generated\n"
        "# kernels (bench/learn), none of them an example of the repository; for each at most {} s "
        "or {} tries.\n{}",
        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()),
        tuner_.adapter().name, options_.seconds, options_.tries, summary);
    for (std::size_t e = 0; e < examples_.size(); ++e) {
      if (kept[e]) file << to_string(examples_[e]) << "\n";
    }
    file.close();
    if (file) return {};
    return fail(ErrorKind::input, fmt::format("{} cannot be written", options_.output));
  }

  Tuner tuner_;
  LearnOptions options_;
  std::vector<Subject> subjects_;
  std::vector<Found> found_;
  std::vector<schedule::Example> examples_;
  Trials trials_;
};

}  // namespace

Result<void> learn(Tuner tuner, const LearnOptions& options) {
  return Learner(std::move(tuner), options).run();
}

}  // namespace vyre::learn
