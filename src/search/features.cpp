#include "search/features.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <variant>

namespace vyre::search {
namespace {

std::optional<double> number(const space::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value); d != nullptr && std::isfinite(*d)) return *d;
  if (const auto* b = std::get_if<bool>(&value)) return *b ? 1.0 : 0.0;
  return std::nullopt;
}

// Of all values, or nothing if one of them is text.
std::vector<double> numbers(std::span<const space::Value> values) {
  std::vector<double> all;
  for (const space::Value& value : values) {
    const auto n = number(value);
    if (!n) return {};
    all.push_back(*n);
  }
  return all;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  std::vector<double> rank;
  for (const double v : values) {
    rank.push_back(static_cast<double>(std::ranges::lower_bound(sorted, v) - sorted.begin()));
  }
  return rank;
}

std::vector<float> scaled(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  std::vector<float> out;
  for (const double v : values) {
    out.push_back(most > least ? static_cast<float>((v - least) / (most - least)) : 0.0F);
  }
  return out;
}

std::vector<double> positions(const std::vector<double>& values) {
  if (std::ranges::min(values) <= 0) return ranks(values);
  std::vector<double> logs;
  for (const double v : values) logs.push_back(std::log(v));
  return logs;
}

// How often two divides each value; nothing where that follows from the order of the values, or
// has no meaning.
std::vector<double> alignments(std::vector<double> values) {
  std::vector<double> twos;
  for (const double v : values) {
    if (v < 1 || v > 0x1p52 || v != std::floor(v)) return {};
    twos.push_back(std::countr_zero(static_cast<std::uint64_t>(v)));
  }
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  const bool ordered = std::ranges::is_sorted(order, {}, [&](std::size_t i) { return twos[i]; });
  return ordered || values.size() < 4 ? std::vector<double>{} : twos;
}

}  // namespace

Features::Features(const space::Space& space, const Settings& settings) : space_(space) {
  for (std::size_t p = 0; p < space.parameters().size(); ++p) {
    const std::size_t values = space.parameters()[p].values.size();
    if (values < 2) continue;
    if (settings.covariance == CovarianceKind::smooth) {
      add_smooth(p, settings.alignment);
      continue;
    }
    columns_.push_back({p, std::vector<float>(values)});
    for (std::size_t d = 0; d < values; ++d) columns_.back().values[d] = static_cast<float>(d);
  }
}

void Features::add_smooth(std::size_t parameter, bool alignment) {
  const auto& values = space_.parameters()[parameter].values;
  const std::vector<double> all = numbers(values);
  if (all.empty()) return add_text(parameter, values.size());
  columns_.push_back({parameter, scaled(positions(all))});
  if (!alignment) return;
  if (const auto twos = alignments(all); !twos.empty()) {
    columns_.push_back({parameter, scaled(twos)});
  }
}

void Features::add_text(std::size_t parameter, std::size_t values) {
  const bool many = values > 8;
  for (std::size_t v = 0; v < (many || values == 2 ? 1 : values); ++v) {
    Column column{parameter, std::vector<float>(values)};
    for (std::size_t d = 0; d < values; ++d) {
      column.values[d] =
          many ? static_cast<float>(d) / static_cast<float>(values - 1) : (d == v ? 1.0F : 0.0F);
    }
    columns_.push_back(std::move(column));
  }
}

void Features::row(space::Index index, std::span<float> out) const {
  for (std::size_t f = 0; f < columns_.size(); ++f) out[f] = at(index, f);
}

std::vector<float> Features::row(space::Index index) const {
  std::vector<float> out(count());
  row(index, out);
  return out;
}

}  // namespace vyre::search
