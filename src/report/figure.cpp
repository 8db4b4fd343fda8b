#include <fmt/format.h>

#include "report/plots.h"
#include "report/text.h"
#include "report/units.h"

namespace vyre::report {

std::string figure(std::string_view heading, std::string_view drawing, std::string_view caption) {
  return fmt::format("<figure class=\"plot\"><h3>{}</h3>\n{}<figcaption>{}</figcaption></figure>\n",
                     escaped(heading), drawing, caption);
}

void time_grid(Svg& svg, const LogAxis& axis, double left, double right, std::size_t most) {
  for (const double tick : axis.ticks(most)) {
    const double y = axis.at(tick);
    svg.line(left, y, right, y, "grid");
    svg.text(left - 6, y + 4, Anchor::end, "tick", tick_text(tick));
  }
}

std::string legend(std::string_view steps, std::string_view style, std::string_view words) {
  return fmt::format(
      "<span class=\"key\"><svg viewBox=\"-9 -6 18 12\" aria-hidden=\"true\"><path class=\"{}\" "
      "d=\"M0 0{}\"/></svg>{}</span> ",
      style, steps, escaped(words));
}

void Dots::add(double x, double y) {
  steps_ += fmt::format("M{} {}h0", coordinate(x), coordinate(y));
}

}  // namespace vyre::report
