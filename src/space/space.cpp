#include "vyre/space/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "space/part.h"

namespace vyre::space {
namespace {

std::string key_of(std::span<const Parameter> parameters, std::span<const Digit> digits) {
  std::string key;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) key += ',';
    key += to_string(parameters[i].values[digits[i]]);
  }
  return key;
}

std::optional<Error> problem_with(std::span<const Parameter> parameters,
                                  std::span<const Digit> rows) {
  const std::size_t count = parameters.size();
  if (rows.size() % count != 0) {
    return Error{.message = fmt::format("{} digits are not rows of {}", rows.size(), count)};
  }
  if (rows.size() / count >= std::numeric_limits<Index>::max()) {
    return Error{.message = "a space has fewer than 2^32 configurations"};
  }
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Parameter& parameter = parameters[at % count];
    if (rows[at] < parameter.values.size()) continue;
    return Error{.message = fmt::format("configuration {}: '{}' has no value number {}", at / count,
                                        parameter.name, rows[at])};
  }
  return std::nullopt;
}

// The parameters with a choice. Those with one value need no storage; at least one column is kept,
// so that a space of one configuration has a row.
std::vector<std::uint32_t> stored_columns(std::span<const Parameter> parameters) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].values.size() > 1) columns.push_back(i);
  }
  if (columns.empty()) columns.push_back(0);
  return columns;
}

}  // namespace

Result<Space> Space::of(std::vector<Parameter> parameters, std::span<const Digit> rows) {
  auto good = checked(std::move(parameters));
  if (!good) return Unexpected(good.error());
  if (const auto problem = problem_with(*good, rows)) return Unexpected(*problem);
  Part part(stored_columns(*good), *good);
  const std::size_t count = good->size();
  part.reserve(rows.size() / count);
  std::vector<Digit> row(part.columns().size());
  for (std::size_t first = 0; first < rows.size(); first += count) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = rows[first + part.columns()[c]];
    part.add(row);
  }
  if (!part.close()) return fail(ErrorKind::input, "a configuration is given twice");
  std::vector<Part> parts;
  parts.push_back(std::move(part));
  return Space(std::move(*good), std::move(parts));
}

Space product(std::vector<Parameter> parameters, std::vector<Part> parts) {
  return {std::move(parameters), std::move(parts)};
}

Space::Space(std::vector<Parameter> parameters, std::vector<Part> parts)
    : homes_(parameters.size()) {
  std::uint64_t size = 1;
  strides_.resize(parts.size());
  for (std::size_t p = parts.size(); p-- > 0;) {
    strides_[p] = static_cast<Index>(size);
    size *= parts[p].size();
    check(size <= std::numeric_limits<Index>::max(), "a space has fewer than 2^32 configurations");
    for (std::uint32_t c = 0; c < parts[p].columns().size(); ++c) {
      homes_[parts[p].columns()[c]] = {static_cast<std::uint32_t>(p), c};
    }
  }
  size_ = static_cast<Index>(size);
  parameters_ = std::make_shared<const std::vector<Parameter>>(std::move(parameters));
  parts_ = std::make_shared<const std::vector<Part>>(std::move(parts));
}

Digit Space::digit(Index index, std::size_t parameter) const {
  const Home home = homes_[parameter];
  if (home.part >= parts_->size()) return 0;
  const Part& part = (*parts_)[home.part];
  return part.digit(index / strides_[home.part] % part.size(), home.column);
}

void Space::digits(Index index, std::span<Digit> out) const {
  std::ranges::fill(out, Digit{0});
  for (std::size_t p = 0; p < parts_->size(); ++p) {
    const Part& part = (*parts_)[p];
    const std::size_t row = index / strides_[p] % part.size();
    for (std::size_t c = 0; c < part.columns().size(); ++c) {
      out[part.columns()[c]] = part.digit(row, c);
    }
  }
}

std::vector<Digit> Space::digits(Index index) const {
  std::vector<Digit> made(parameters_->size());
  digits(index, made);
  return made;
}

std::vector<Value> Space::values(Index index) const {
  std::vector<Value> made;
  made.reserve(parameters_->size());
  for (std::size_t p = 0; p < parameters_->size(); ++p) {
    made.push_back((*parameters_)[p].values[digit(index, p)]);
  }
  return made;
}

std::string Space::key(Index index) const { return key_of(*parameters_, digits(index)); }

std::optional<Index> Space::find(std::span<const Digit> digits) const {
  for (std::size_t p = 0; p < digits.size(); ++p) {
    if (digits[p] >= (*parameters_)[p].values.size()) return std::nullopt;
  }
  Index index = 0;
  std::vector<Digit> row;
  for (std::size_t p = 0; p < parts_->size(); ++p) {
    row.clear();
    for (const std::uint32_t column : (*parts_)[p].columns()) row.push_back(digits[column]);
    const auto at = (*parts_)[p].find(row);
    if (!at) return std::nullopt;
    index += *at * strides_[p];
  }
  return index;
}

std::optional<Index> Space::find(std::span<const Value> values) const {
  std::vector<Digit> digits;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const auto& known = (*parameters_)[p].values;
    const auto at =
        std::ranges::find_if(known, [&](const Value& value) { return same(value, values[p]); });
    if (at == known.end()) return std::nullopt;
    digits.push_back(static_cast<Digit>(at - known.begin()));
  }
  return find(digits);
}

std::vector<Index> Space::neighbours(Index index) const {
  std::vector<Index> found;
  std::vector<Digit> digits = this->digits(index);
  for (std::size_t p = 0; p < digits.size(); ++p) {
    const Digit own = digits[p];
    for (std::size_t other = 0; other < (*parameters_)[p].values.size(); ++other) {
      digits[p] = static_cast<Digit>(other);
      if (other == own) continue;
      if (const auto neighbour = find(digits)) found.push_back(*neighbour);
    }
    digits[p] = own;
  }
  std::ranges::sort(found);
  return found;
}

std::size_t Space::bytes() const {
  std::size_t total = 0;
  for (const Part& part : *parts_) total += part.bytes();
  return total;
}

}  // namespace vyre::space
