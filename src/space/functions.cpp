#include "space/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vyre::space {
namespace {

constexpr std::array<std::pair<std::string_view, Function>, 13> functions = {
    {{"min", Function::min},
     {"max", Function::max},
     {"len", Function::len},
     {"abs", Function::abs},
     {"sum", Function::sum},
     {"range", Function::range},
     {"list", Function::list},
     {"tuple", Function::tuple},
     {"int", Function::to_int},
     {"float", Function::to_float},
     {"bool", Function::to_bool},
     {"any", Function::any},
     {"all", Function::all}}};

Unexpected<Fault> of_wrong_type() { return Unexpected(Fault::wrong_types); }

// The items of a sequence, or the letters of a string.
Faulty<std::vector<Datum>> items_of(const Datum& datum) {
  if (const auto* items = std::get_if<Sequence>(&datum.of)) return *items->items;
  const auto* text = std::get_if<std::string>(&datum.of);
  if (text == nullptr) return of_wrong_type();
  std::vector<Datum> letters;
  for (const char c : *text) letters.push_back({std::string(1, c)});
  return letters;
}

// The first of the least; with `greatest`, the first of the greatest.
Faulty<Datum> extreme(std::span<const Datum> items, bool greatest) {
  if (items.empty()) return Unexpected(Fault::no_value);
  std::size_t best = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto better = greatest ? less(items[best], items[i]) : less(items[i], items[best]);
    if (!better) return Unexpected(better.error());
    if (*better) best = i;
  }
  return items[best];
}

Faulty<Datum> extreme_of(std::span<const Datum> arguments, bool greatest) {
  if (arguments.size() != 1) return extreme(arguments, greatest);
  const auto items = items_of(arguments[0]);
  if (!items) return Unexpected(items.error());
  return extreme(*items, greatest);
}

Faulty<Datum> total(std::span<const Datum> items) {
  Datum result{std::int64_t{0}};
  for (const Datum& item : items) {
    auto next = operate(Op::add, result, item);
    if (!next) return next;
    result = std::move(*next);
  }
  return result;
}

Faulty<Datum> range(std::span<const Datum> arguments) {
  std::int64_t bounds[] = {0, 0, 1};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto number = to_number(arguments[i]);
    if (!number || number->is_float) return of_wrong_type();
    bounds[arguments.size() == 1 ? 1 : i] = number->integer;
  }
  const auto [first, end, step] = bounds;
  if (step == 0) return Unexpected(Fault::zero_division);
  std::vector<Datum> items;
  for (std::int64_t at = first; step > 0 ? at < end : at > end;) {
    if (items.size() >= max_list_items) return Unexpected(Fault::too_long);
    items.push_back({at});
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return sequence(SequenceKind::range, std::move(items));
}

Faulty<Datum> to_integer(const Datum& datum) {
  const auto number = to_number(datum);
  if (!number) return of_wrong_type();
  if (!number->is_float) return Datum{number->integer};
  const auto whole = whole_number(std::trunc(number->real));
  if (!whole) return Unexpected(Fault::too_large);
  return Datum{*whole};
}

Faulty<Datum> absolute(const Datum& datum) {
  const auto number = to_number(datum);
  if (!number) return of_wrong_type();
  if (number->is_float) return Datum{std::fabs(number->real)};
  const auto result = number->integer < 0 ? negate(*number) : *number;
  if (!result) return Unexpected(result.error());
  return to_datum(*result);
}

Faulty<Datum> of_items(Function function, std::vector<Datum> items) {
  switch (function) {
    case Function::len:
      return Datum{static_cast<std::int64_t>(items.size())};
    case Function::sum:
      return total(items);
    case Function::list:
      return sequence(SequenceKind::list, std::move(items));
    case Function::tuple:
      return sequence(SequenceKind::tuple, std::move(items));
    case Function::any:
      return Datum{std::ranges::any_of(items, truth)};
    default:
      return Datum{std::ranges::all_of(items, truth)};
  }
}

}  // namespace

std::optional<Function> function_named(std::string_view name) {
  const auto known = std::ranges::find(functions, name, &decltype(functions)::value_type::first);
  return known == functions.end() ? std::nullopt : std::optional(known->second);
}

bool takes(Function function, std::size_t arguments) {
  switch (function) {
    case Function::min:
    case Function::max:
      return arguments >= 1;
    case Function::range:
      return arguments >= 1 && arguments <= 3;
    case Function::list:
    case Function::tuple:
      return arguments <= 1;
    default:
      return arguments == 1;
  }
}

Faulty<Datum> call(Function function, std::span<const Datum> arguments) {
  switch (function) {
    case Function::min:
      return extreme_of(arguments, false);
    case Function::max:
      return extreme_of(arguments, true);
    case Function::range:
      return range(arguments);
    case Function::abs:
      return absolute(arguments[0]);
    case Function::to_int:
      return to_integer(arguments[0]);
    case Function::to_bool:
      return Datum{truth(arguments[0])};
    case Function::to_float: {
      const auto number = to_number(arguments[0]);
      if (!number) return of_wrong_type();
      return Datum{number->as_float()};
    }
    default:
      break;
  }
  if (arguments.empty()) return of_items(function, {});
  auto items = items_of(arguments[0]);
  if (!items) return Unexpected(items.error());
  return of_items(function, std::move(*items));
}

}  // namespace vyre::space
