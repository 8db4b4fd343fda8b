#include "search/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <string>
#include <vector>

namespace vyre::search {
namespace {

struct Setting {
  std::string_view name;
  std::string_view values;  // for messages
  std::function<bool(std::string_view, Settings&)> set;
};

Setting count(std::string_view name, std::uint32_t Settings::* member, std::uint32_t least) {
  return {name, "a whole number", [=](std::string_view text, Settings& settings) {
            std::uint32_t value = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            settings.*member = value;
            return error == std::errc() && end == text.data() + text.size() && value >= least;
          }};
}

Setting number(std::string_view name, double Settings::* member) {
  return {name, "a number from 0 to 100", [=](std::string_view text, Settings& settings) {
            double value = -1;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            settings.*member = value;
            return error == std::errc() && end == text.data() + text.size() && value >= 0 &&
                   value <= 100;
          }};
}

Setting flag(std::string_view name, bool Settings::* member) {
  return {name, "on or off", [=](std::string_view text, Settings& settings) {
            settings.*member = text == "on";
            return text == "on" || text == "off";
          }};
}

bool set_covariance(std::string_view text, Settings& settings) {
  settings.covariance = text == "pairs"     ? CovarianceKind::pairs
                        : text == "singles" ? CovarianceKind::singles
                                            : CovarianceKind::smooth;
  return text == "pairs" || text == "singles" || text == "smooth";
}

bool set_acquisition(std::string_view text, Settings& settings) {
  settings.acquisition = text == "sample" ? Acquisition::sample : Acquisition::improvement;
  return text == "sample" || text == "improvement";
}

const std::vector<Setting>& setting_rows() {
  static const std::vector<Setting> settings = {
      count("start", &Settings::start, 1),
      count("local", &Settings::local, 0),
      flag("fisher", &Settings::fisher),
      flag("alignment", &Settings::alignment),
      {"features", "smooth, pairs or singles", set_covariance},
      {"choose", "improvement or sample", set_acquisition},
      number("cost", &Settings::cost_power),
      number("sharpness", &Settings::sharpness),
      count("pool", &Settings::pool, 32),
  };
  return settings;
}

Result<void> set_one(std::string_view text, Settings& settings) {
  const std::size_t equals = text.find('=');
  std::string names;
  for (const Setting& setting : setting_rows()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", setting.name);
    if (equals == std::string_view::npos || setting.name != text.substr(0, equals)) continue;
    if (setting.set(text.substr(equals + 1), settings)) return {};
    return fail(ErrorKind::input,
                fmt::format("setting '{}': {} is {}", text, setting.name, setting.values));
  }
  return fail(ErrorKind::input,
              fmt::format("setting '{}': it must be NAME=VALUE with a name of {}", text, names));
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, Settings base) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (const auto set = set_one(text.substr(0, comma), base); !set) {
      return Unexpected(set.error());
    }
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return base;
}

}  // namespace vyre::search
