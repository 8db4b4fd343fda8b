#include <fmt/format.h>

#include "report/tables.h"
#include "report/units.h"
#include "report/verdict.h"

namespace vyre::report {
namespace {

std::string figure_of(std::string_view name, std::string_view value, std::string_view note,
                      std::string_view style = {}) {
  return fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd><dd>{}</dd></div>\n", style, name,
                     value, note);
}

std::string time_figure(std::string_view name, const measure::Estimate& ms) {
  return figure_of(name, time_text(ms.value), interval_text(ms.interval));
}

std::string speedup_figure(const Run& run, const measure::Estimate& speedup) {
  return figure_of("Speed-up", ratio_text(speedup.value), ratio_interval_text(speedup.interval),
                   verdict_of(run) == Verdict::faster ? "speedup" : "");
}

}  // namespace

std::string key_figures(const Run& run) {
  std::string figures;
  if (const auto speedup = run.speedup()) figures += speedup_figure(run, *speedup);
  const auto chosen = run.chosen();
  if (chosen && chosen != run.original()) {
    figures += time_figure(run.winner() ? "Tuned" : "Fastest", run.time_ms(*chosen));
  }
  if (run.original()) figures += time_figure("Default", run.time_ms(*run.original()));
  figures += figure_of("Tried", fmt::to_string(run.results().tried.size()),
                       fmt::format("{} failed", run.failed().size()));
  const std::string_view sentence = sentence_of(verdict_of(run));
  if (sentence.empty()) return fmt::format("<dl class=\"figures\">\n{}</dl>\n", figures);
  return fmt::format("<dl class=\"figures\">\n{}</dl>\n<p class=\"verdict\">{}</p>\n", figures,
                     sentence);
}

}  // namespace vyre::report
