#include "report/page.h"

#include <fmt/format.h>

#include <cmath>

#include "report/plots.h"
#include "report/run.h"
#include "report/style.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/units.h"

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
    last_s = std::fmax(last_s, tried.at_s);
  }
  const double total = sum.total_ms();
  std::string text =
      is_drawable(last_s) ? fmt::format(" · search took {}", duration_text(last_s)) : "";
  if (!is_drawable(total)) return text;
  return text + fmt::format(" · {:.0f} % compiling, {:.0f} % verifying, {:.0f} % measuring",
                            100 * sum.compile_ms / total, 100 * sum.verification_ms / total,
                            100 * sum.benchmark_ms / total);
}

std::string section(const Run& run, std::size_t kernel) {
  const auto& results = run.results();
  std::string about = results.sizes.empty() ? "" : results.sizes + " · ";
  if (!results.strategy.empty()) about += "strategy " + results.strategy + " · ";
  about += counted(results.tried.size(), "attempt") + effort(results);
  const std::string plots = best_so_far(run) + distribution(run);
  return fmt::format(
      "<section id=\"{}\"><h2>{}</h2>\n<p class=\"note\">{}</p>\n{}{}{}{}{}{}</section>\n",
      anchor(kernel), escaped(shortened(results.kernel, 200)), escaped(about), key_figures(run),
      configuration(run), plots.empty() ? "" : fmt::format("<div class=\"pair\">{}</div>\n", plots),
      effects(run), failures(run), fastest(run));
}

std::string body(const Page& page) {
  const std::vector<Run> runs(page.kernels.begin(), page.kernels.end());
  std::string out = header(page) + "<main>\n" + summary(runs) + remembered(page.remembered);
  if (runs.empty() && page.remembered.empty()) out += "<p>No kernel was tuned.</p>\n";
  for (std::size_t k = 0; k < runs.size(); ++k) out += section(runs[k], k);
  return out + "</main>\n";
}

}  // namespace

std::string anchor(std::size_t kernel) { return fmt::format("kernel-{}", kernel + 1); }

std::string table(std::string_view head, std::string_view rows) {
  return fmt::format(
      "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>"
      "</table></div>\n",
      head, rows);
}

std::string html(const Page& page) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n{}<title>{}</title>\n"
      "<style>\n{}</style></head>\n<body>\n{}</body></html>\n",
      policy, escaped(page.title), style(), body(page));
}

}  // namespace vyre::report
