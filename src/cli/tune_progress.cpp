#include "cli/tune_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/print.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

using tune::Attempt;
using tune::Progress;

std::string gained(const Progress& progress) {
  const auto& best = *progress.best->outcome.measured;
  const auto& original = *progress.baseline->outcome.measured;
  return fmt::format("best {}, {} times the default", time_text(best.estimate_ns),
                     ratio_text(original.estimate_ns / best.estimate_ns,
                                {original.interval.low / best.interval.high,
                                 original.interval.high / best.interval.low}));
}

std::string count_text(const Progress& progress) {
  return fmt::format("{}/{}", progress.evaluated, progress.evaluations);
}

std::string left_text(const Progress& progress) {
  const double elapsed = std::chrono::duration<double>(progress.elapsed).count();
  const double by_count = elapsed / static_cast<double>(progress.evaluated) *
                          static_cast<double>(progress.evaluations - progress.evaluated);
  const double by_time = std::chrono::duration<double>(progress.left).count();
  return fmt::format("{:.0f} s left", std::min(by_count, by_time));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string failures_text(const std::array<std::size_t, verdict_kinds>& verdicts) {
  std::string text;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (verdict == Verdict::correct || verdicts[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verdicts[i], name_of(verdict));
  }
  return text;
}

std::string status_line(const std::string& name, const Progress& progress) {
  std::string line = fmt::format("{} {}, {}", name, count_text(progress),
                                 progress.last ? "race against the default" : left_text(progress));
  const std::string failures = failures_text(progress.verdicts);
  if (!failures.empty()) line += ", failed: " + failures;
  if (progress.best != nullptr) line += ", " + gained(progress);
  return line;
}

std::string event_text(const tune::Family& family, const Progress& progress) {
  const Attempt& latest = *progress.latest;
  const std::string head = fmt::format("{}: {} ", family.name, count_text(progress));
  const std::string configuration = tune::changed_text(family, latest.index);
  std::string text;
  if (progress.latest == progress.baseline && progress.best != nullptr) {
    text = fmt::format("{}default: {}\n", head, time_text(latest.outcome.measured->estimate_ns));
  } else if (latest.outcome.verdict != Verdict::correct) {
    text = fmt::format("{}{} failed, {}: {}\n", head, configuration,
                       name_of(latest.outcome.verdict), first_line(latest.outcome.reason));
  } else if (progress.latest == progress.best) {
    text =
        fmt::format("{}{}: {}; {}\n", head, configuration, gained(progress), left_text(progress));
  }
  if (progress.last) text += fmt::format("{}: the best race against the default\n", family.name);
  return text;
}

TuneProgress::TuneProgress(const tune::Family& family, bool terminal)
    : family_(family), terminal_(terminal) {
  print_message("{}: {} configurations{}", family_.name, family_.space.size(),
                terminal_ ? "" : "\n");
}

TuneProgress::~TuneProgress() {
  if (terminal_) print_message("\r\x1b[K");
}

void TuneProgress::show(const Progress& progress) {
  if (!terminal_) {
    print_message("{}", event_text(family_, progress));
    return;
  }
  const std::string line = status_line(family_.name, progress);
  print_message("\r{}\x1b[K", line.substr(0, terminal_width() - 1));
}

}  // namespace vyre::cli
