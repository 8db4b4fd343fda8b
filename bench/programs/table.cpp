#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vyre::bench {
namespace {

constexpr std::string_view form = "{:<19} {:<9} {:<9} {:>9} {:>9} {:>6} {:>6} {:>6} {:>5}  {}\n";

std::string ratio_text(double ratio) { return ratio > 0 ? fmt::format("{:.2f}", ratio) : "-"; }

}  // namespace

std::string table_head() {
  return fmt::format(form, "PROGRAM", "HALF", "BEST PEER", "PEER MS", "VYRE MS", "RATIO", "OPENMP",
                     "COPY", "TRIES", "SCHEDULE");
}

std::string table_row(const Contest& c) {
  const Rival& best = c.best();
  const Rival* openmp = c.find("OpenMP");
  std::string schedule = c.schedule;
  if (!c.problem.empty()) schedule += fmt::format(" (not tuned: {})", c.problem);
  return fmt::format(form, c.entry->name, name_of(c.entry->half), best.name,
                     fmt::format("{:.3f}", best.ms), fmt::format("{:.3f}", c.ms),
                     ratio_text(best.ratio), ratio_text(openmp == nullptr ? 0 : openmp->ratio),
                     ratio_text(c.bandwidth), c.tries, schedule);
}

std::string short_row(const Contest& c) {
  std::string text = std::string(c.entry->name);
  for (const Rival& rival : c.rivals) {
    const std::string how = rival.how.empty() ? "" : fmt::format(" ({})", rival.how);
    text += fmt::format(" {}{} {:.2f}", rival.name, how, rival.ratio);
  }
  if (c.bandwidth > 0) text += fmt::format(" copy {:.2f}", c.bandwidth);
  if (!c.left_out.empty()) text += fmt::format(" ({})", c.left_out);
  return text + fmt::format(" ({:.3g} ms, {} tries: {})", c.ms, c.tries, c.schedule);
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

std::vector<double> ratios_to(std::span<const Contest> contests, std::string_view rival) {
  std::vector<double> made;
  for (const Contest& c : contests) {
    if (const Rival* found = c.find(rival); found != nullptr) made.push_back(found->ratio);
  }
  return made;
}

std::vector<double> ratios_to_best(std::span<const Contest> contests) {
  std::vector<double> made;
  for (const Contest& c : contests) made.push_back(c.best().ratio);
  return made;
}

std::vector<double> ratios_to_best(std::span<const Contest> contests, Half half) {
  std::vector<double> made;
  for (const Contest& c : contests) {
    if (c.entry->half == half) made.push_back(c.best().ratio);
  }
  return made;
}

std::vector<double> bandwidths(std::span<const Contest> contests) {
  std::vector<double> made;
  for (const Contest& c : contests) {
    if (c.bandwidth > 0) made.push_back(c.bandwidth);
  }
  return made;
}

}  // namespace vyre::bench
