#include "cli/live_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/json_text.h"
#include "cli/print.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

using tune::LiveArm;
using tune::LiveStatus;

constexpr std::size_t most_bars = 8;
constexpr std::size_t bar_width = 20;
constexpr auto line_every = std::chrono::seconds(5);

double seconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

const LiveArm& best_of(const LiveStatus& status) { return status.arms[status.best]; }

// What it is doing.
std::string doing(const LiveStatus& status) {
  if (!status.settled) return fmt::format("{} take turns", status.arms.size());
  return status.searched ? "settled" : "settled for now";
}

std::string members_text(const LiveStatus& status) {
  if (status.arms.empty()) return "as was decided before";
  return fmt::format("{} ({})", best_of(status).configuration, doing(status));
}

// The most promising first, as many as fit.
std::vector<std::size_t> shown_arms(const LiveStatus& status) {
  std::vector<std::size_t> arms;
  for (std::size_t i = 0; i < status.arms.size(); ++i) arms.push_back(i);
  std::ranges::stable_sort(arms, [&](std::size_t a, std::size_t b) {
    const LiveArm& one = status.arms[a];
    const LiveArm& other = status.arms[b];
    if (one.weight != other.weight) return one.weight > other.weight;
    const bool both = one.ns > 0 && other.ns > 0;
    return both && one.ns < other.ns;
  });
  arms.resize(std::min(arms.size(), most_bars));
  return arms;
}

std::string bar_of(const LiveArm& arm) {
  const auto full = static_cast<std::size_t>(std::lround(arm.weight * bar_width));
  return fmt::format("  {:<{}} {:>4.0f} %  {:>10}  {}", std::string(std::min(full, bar_width), '#'),
                     bar_width, 100 * arm.weight, arm.ns > 0 ? time_text(arm.ns) : "-",
                     arm.configuration);
}

}  // namespace

std::string line_of(const LiveMoment& moment) {
  const LiveStatus& status = moment.status;
  std::string line =
      fmt::format("{:5.1f} s  {:.0f} dispatches/s", seconds_of(moment.elapsed), moment.rate);
  const double original = status.arms.empty() ? 0 : status.arms.front().ns;
  if (original > 0) line += fmt::format(", {:.2f} times as it is", moment.rate * original / 1e9);
  line += "; " + members_text(status);
  line += fmt::format("; {} tried", status.tried);
  if (status.failed > 0) line += fmt::format(", {} failed", status.failed);
  line += fmt::format("; gained {:.1f} s", status.gained_s);
  return line;
}

std::string picture_of(const LiveMoment& moment, std::size_t width) {
  std::string picture = line_of(moment).substr(0, width) + "\n";
  for (const std::size_t arm : shown_arms(moment.status)) {
    picture += printable(bar_of(moment.status.arms[arm])).substr(0, width) + "\n";
  }
  return picture;
}

std::string summary_of(const LiveMoment& moment) {
  const LiveStatus& status = moment.status;
  std::string text =
      fmt::format("{} dispatches in {:.1f} s\n", status.dispatches, seconds_of(moment.elapsed));
  if (status.arms.empty()) return text;
  const auto estimate = [](const LiveArm& arm) {
    return estimate_text(arm.ns, {arm.low, arm.high});
  };
  const LiveArm& original = status.arms.front();
  if (original.samples > 0) text += fmt::format("as it is: {}\n", estimate(original));
  if (status.best != 0 && best_of(status).samples > 0) {
    text += fmt::format("best:     {}, {:.2f} times as fast: {}\n", estimate(best_of(status)),
                        status.speedup, best_of(status).configuration);
  }
  text += fmt::format("{} members tried, {} failed, {} took turns; gained {:.1f} s\n", status.tried,
                      status.failed, status.arms.size(), status.gained_s);
  if (!status.problem.empty()) text += fmt::format("not tuned further: {}\n", status.problem);
  return text;
}

std::string json_of(const LiveMoment& moment, const std::string& configuration) {
  const LiveStatus& status = moment.status;
  nlohmann::ordered_json json = {{"dispatches", status.dispatches},
                                 {"elapsed_s", seconds_of(moment.elapsed)},
                                 {"first_call_s", seconds_of(moment.first_call)},
                                 {"configuration", configuration},
                                 {"settled", status.settled},
                                 {"searched", status.searched},
                                 {"speedup", status.speedup},
                                 {"tried", status.tried},
                                 {"failed", status.failed},
                                 {"restarts", status.restarts},
                                 {"gained_s", status.gained_s}};
  json["members"] = nlohmann::ordered_json::array();
  for (const LiveArm& arm : status.arms) {
    json["members"].push_back({{"configuration", arm.configuration},
                               {"ns", arm.ns},
                               {"interval", {arm.low, arm.high}},
                               {"samples", arm.samples},
                               {"weight", arm.weight}});
  }
  return json_text(json);
}

void LiveView::show(const LiveMoment& moment) {
  if (terminal_) {
    const std::string picture = picture_of(moment, terminal_width() - 1);
    if (drawn_ > 0) write_message(fmt::format("\x1b[{}A\x1b[J", drawn_));
    write_message(picture);
    drawn_ = static_cast<std::size_t>(std::ranges::count(picture, '\n'));
    return;
  }
  std::string now = members_text(moment.status);
  const bool due = last_at_.count() < 0 || moment.elapsed - last_at_ >= line_every;
  if (now == last_ && !due) return;
  print_message("{}\n", line_of(moment));
  last_ = std::move(now);
  last_at_ = moment.elapsed;
}

}  // namespace vyre::cli
