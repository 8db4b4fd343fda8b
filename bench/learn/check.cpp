#include "check.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "choose.h"
#include "vyre/ir/text.h"

namespace vyre::learn {
namespace {

Result<ir::Program> read_program(const std::string& file) {
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  auto parsed = ir::parse(text);
  if (!parsed) return Unexpected(parsed.error());
  return *std::move(parsed);
}

Result<double> best_gain(Tuner& tuner, const std::string& file) {
  const auto program = read_program(file);
  if (!program) return Unexpected(program.error());
  const auto subject = tuner.subject(*program);
  if (!subject) return Unexpected(subject.error());
  const auto gains = tuner.gains(*subject, subject->promising);
  if (!gains) return Unexpected(gains.error());
  double best = 1;
  fmt::print("{:<16}", program->name);
  for (const double gain : *gains) {
    fmt::print(" {:>8.2f}", gain);
    best = std::max(best, gain);
  }
  fmt::print("  best {:.2f}\n", best);
  std::cout.flush();
  return best;
}

}  // namespace

Result<void> check(Tuner tuner, const std::vector<std::string>& files) {
  std::vector<double> gains;
  for (const std::string& file : files) {
    const auto gain = best_gain(tuner, file);
    if (!gain) return Unexpected(gain.error());
    gains.push_back(*gain);
  }
  fmt::print("geometric mean {:.2f}\n", geometric_mean(gains));
  return {};
}

}  // namespace vyre::learn
