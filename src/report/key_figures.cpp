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

std::string time_figure(const Run& run, std::string_view name, std::size_t i) {
  return figure_of(name, time_text(run.ms(i)), interval_text(run.tried(i).interval_ms));
}

std::string speedup_figure(const Run& run) {
  return figure_of("Speed-up", ratio_text(run.results().speedup),
                   ratio_interval_text(run.results().speedup_interval),
                   verdict_of(run) == Verdict::faster ? "speedup" : "");
}

}  // namespace

std::string key_figures(const Run& run) {
  std::string figures;
  if (has_speedup(run)) figures += speedup_figure(run);
  if (run.chosen()) figures += time_figure(run, run.winner() ? "Tuned" : "Fastest", *run.chosen());
  if (run.original()) figures += time_figure(run, "Default", *run.original());
  figures += figure_of("Tried", fmt::to_string(run.results().tried.size()),
                       fmt::format("{} failed", run.failed().size()));
  const std::string_view sentence = sentence_of(verdict_of(run));
  if (sentence.empty()) return fmt::format("<dl class=\"figures\">\n{}</dl>\n", figures);
  return fmt::format("<dl class=\"figures\">\n{}</dl>\n<p class=\"verdict\">{}</p>\n", figures,
                     sentence);
}

}  // namespace vyre::report
