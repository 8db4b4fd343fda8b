#include "report/page.h"

#include <fmt/format.h>

#include <cmath>

#include "report/effects.h"
#include "report/plots.h"
#include "report/results_view.h"
#include "report/style.h"
#include "report/tables.h"
#include "report/text.h"

namespace vyre::report {
namespace {

// Nothing in the page is fetched or run; should text from outside ever get through as markup, the
// browser is told to see it the same way.
constexpr std::string_view policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n";

std::string entry(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escaped(value));
}

std::string header(const Page& page) {
  return fmt::format(
      "<header><h1>{}</h1>\n<dl class=\"about\">\n{}{}{}{}</dl></header>\n", escaped(page.title),
      entry("Device", page.device), entry("Driver", page.driver),
      entry("Version", page.version.empty() ? "" : "vyre " + page.version),
      entry("Date", page.date == std::chrono::sys_seconds() ? "" : date_text(page.date)));
}

// Where the time of the search went: "34 s: 55 % compiling, 30 % measuring".
std::string effort(const formats::Results& results) {
  formats::Cost sum;
  double last_s = 0;
  for (const auto& tried : results.tried) {
    sum.compile_ms += tried.cost.compile_ms;
    sum.verification_ms += tried.cost.verification_ms;
    sum.benchmark_ms += tried.cost.benchmark_ms;
    sum.framework_ms += tried.cost.framework_ms;
    last_s = std::fmax(last_s, tried.at_s);  // which a time that is none does not spoil
  }
  const double total = sum.total_ms();
  std::string text =
      is_drawable(last_s) ? fmt::format(" · search took {}", duration_text(last_s)) : "";
  if (!is_drawable(total)) return text;
  return text + fmt::format(" · {:.0f} % compiling, {:.0f} % verifying, {:.0f} % measuring",
                            100 * sum.compile_ms / total, 100 * sum.verification_ms / total,
                            100 * sum.benchmark_ms / total);
}

std::string figure_of(std::string_view name, std::string_view value, std::string_view note,
                      std::string_view style = {}) {
  return fmt::format("<div class=\"{}\"><dt>{}</dt><dd>{}</dd><dd>{}</dd></div>\n", style, name,
                     value, note);
}

std::string time_figure(std::string_view name, const measure::Estimate& ms) {
  return figure_of(name, time_text(ms.value), interval_text(ms.interval));
}

std::string speedup_figure(const ResultsView& view, const measure::Estimate& speedup) {
  return figure_of("Speed-up", ratio_text(speedup.value), ratio_interval_text(speedup.interval),
                   conclusion_of(view) == Conclusion::faster ? "speedup" : "");
}

// Speed-up, times and counts, large, and what they come to.
std::string key_figures(const ResultsView& view) {
  std::string figures;
  if (const auto speedup = view.speedup()) figures += speedup_figure(view, *speedup);
  const auto chosen = view.chosen();
  if (chosen && chosen != view.original()) {
    figures += time_figure(view.winner() ? "Tuned" : "Fastest", view.time_ms(*chosen));
  }
  if (view.original()) figures += time_figure("Default", view.time_ms(*view.original()));
  figures += figure_of("Tried", fmt::to_string(view.results().tried.size()),
                       fmt::format("{} failed", view.failed().size()));
  const std::string_view sentence = sentence_of(conclusion_of(view));
  if (sentence.empty()) return fmt::format("<dl class=\"figures\">\n{}</dl>\n", figures);
  return fmt::format("<dl class=\"figures\">\n{}</dl>\n<p class=\"verdict\">{}</p>\n", figures,
                     sentence);
}

constexpr std::size_t longest_value = 60;

std::string shown(const space::Value& value) {
  return escaped(shortened(space::to_string(value), longest_value));
}

std::string chip(const std::string& name, const space::Value& value, const space::Value* original) {
  const std::string before =
      original == nullptr ? "" : fmt::format("<small>default {}</small>", shown(*original));
  return fmt::format("<li class=\"{}\"><span>{} = <b>{}</b></span>{}</li>\n",
                     original == nullptr ? "same" : "changed",
                     escaped(shortened(name, longest_value)), shown(value), before);
}

// The configuration that won, beside the default's values where they differ.
std::string configuration(const ResultsView& view) {
  if (!view.chosen()) return {};
  const auto& values = view.tried(*view.chosen()).values;
  std::string changed;
  std::string same;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const space::Value* original = nullptr;
    if (view.original()) original = &view.tried(*view.original()).values[p];
    const bool differs = original != nullptr && !space::same(*original, values[p]);
    (differs ? changed : same) +=
        chip(view.results().parameters[p], values[p], differs ? original : nullptr);
  }
  return fmt::format("<h3>{}</h3>\n<ul class=\"chips\">\n{}{}</ul>\n",
                     view.winner() ? "Tuned configuration" : "Fastest configuration", changed,
                     same);
}

std::string section(const ResultsView& view, std::size_t kernel) {
  const auto& results = view.results();
  std::string about = results.sizes.empty() ? "" : results.sizes + " · ";
  if (!results.strategy.empty()) about += "strategy " + results.strategy + " · ";
  about += counted(results.tried.size(), "attempt") + effort(results);
  if (!results.accepted.empty()) about += " · right is what is " + results.accepted;
  const std::string plots = best_so_far(view) + distribution(view);
  return fmt::format(
      "<section id=\"{}\"><h2>{}</h2>\n<p class=\"note\">{}</p>\n{}{}{}{}{}{}</section>\n",
      anchor(kernel), escaped(shortened(results.kernel, 200)), escaped(about), key_figures(view),
      configuration(view),
      plots.empty() ? "" : fmt::format("<div class=\"pair\">{}</div>\n", plots), effects(view),
      failures(view), fastest(view));
}

std::string body(const Page& page) {
  const std::vector<ResultsView> views(page.kernels.begin(), page.kernels.end());
  std::string out = header(page) + "<main>\n" + summary(views) + remembered(page.remembered);
  if (views.empty() && page.remembered.empty()) out += "<p>No kernel was tuned.</p>\n";
  for (std::size_t k = 0; k < views.size(); ++k) out += section(views[k], k);
  return out + "</main>\n";
}

}  // namespace

std::string html(const Page& page) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n{}<title>{}</title>\n"
      "<style>\n{}</style></head>\n<body>\n{}</body></html>\n",
      policy, escaped(page.title), style_sheet, body(page));
}

}  // namespace vyre::report
