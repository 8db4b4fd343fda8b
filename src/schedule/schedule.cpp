#include "vyre/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "schedule/fields.h"
#include "schedule/gather.h"
#include "schedule/tile.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {
namespace {

constexpr std::array field_table = {
    Field{"wg_x", [](Schedule& s) -> std::uint32_t& { return s.workgroup[0]; }},
    Field{"wg_y", [](Schedule& s) -> std::uint32_t& { return s.workgroup[1]; }},
    Field{"wg_z", [](Schedule& s) -> std::uint32_t& { return s.workgroup[2]; }},
    Field{"items_x", [](Schedule& s) -> std::uint32_t& { return s.items[0]; }},
    Field{"items_y", [](Schedule& s) -> std::uint32_t& { return s.items[1]; }},
    Field{"items_z", [](Schedule& s) -> std::uint32_t& { return s.items[2]; }},
    Field{"unroll", [](Schedule& s) -> std::uint32_t& { return s.unroll; }},
    Field{"vector", [](Schedule& s) -> std::uint32_t& { return s.vector; }},
    Field{"tile", [](Schedule& s) -> std::uint32_t& { return s.tile; }},
    Field{"gather", [](Schedule& s) -> std::uint32_t& { return s.gather; }},
};

constexpr std::array<std::string_view, 3> order_names = {"contiguous", "strided", "jammed"};

Result<void> set_order(Schedule& schedule, std::string_view value) {
  const auto found = std::ranges::find(order_names, value);
  if (found == order_names.end()) {
    return fail(ErrorKind::input, fmt::format("'{}' is no order of items; there are: {}", value,
                                              fmt::join(order_names, ", ")));
  }
  schedule.order = static_cast<Order>(found - order_names.begin());
  return {};
}

// The text up to the next space, which is taken away from it.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::span<const Field> fields() { return field_table; }

Result<void> set_field(Schedule& schedule, std::string_view name, std::string_view value) {
  if (name == order_name) return set_order(schedule, value);
  const auto* field = std::ranges::find(field_table, name, &Field::name);
  if (field == field_table.end()) {
    return fail(ErrorKind::input, fmt::format("a schedule has no parameter '{}'", name));
  }
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (problem != std::errc() || end != value.data() + value.size()) {
    return fail(ErrorKind::input, fmt::format("{} is '{}', not a number", name, value));
  }
  field->of(schedule) = number;
  return {};
}

std::string_view name_of(Order order) { return order_names[static_cast<std::size_t>(order)]; }

Schedule default_schedule(const ir::Program& program) { return {.workgroup = program.workgroup}; }

std::string to_string(const Schedule& schedule) {
  Schedule copy = schedule;
  std::string text;
  for (const Field& field : field_table) text += fmt::format("{}={} ", field.name, field.of(copy));
  return text + fmt::format("{}={}", order_name, name_of(schedule.order));
}

Result<Schedule> parse_schedule(std::string_view text, Schedule from) {
  Schedule schedule = from;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const std::size_t sign = word.find('=');
    if (sign == std::string_view::npos) {
      return fail(ErrorKind::input, fmt::format("'{}' is not of the form name=value", word));
    }
    auto set = set_field(schedule, word.substr(0, sign), word.substr(sign + 1));
    if (!set) return std::unexpected(set.error());
  }
  return schedule;
}

Result<ir::Program> apply(const ir::Program& program, const Schedule& schedule) {
  Result<ir::Program> made = program;
  if (schedule.tile > 0) {
    made = tiled(program, {.workgroup = schedule.workgroup, .depth = schedule.tile});
  }
  if (made) made = unrolled(*made, schedule.unroll);
  if (made) made = vectorized(*made, schedule.vector);
  for (std::uint8_t dim = 0; dim < 3 && made; ++dim) {
    made = coarsened(*made, {.dim = dim, .items = schedule.items[dim], .order = schedule.order});
  }
  if (made && schedule.gather != 0) made = gathered(*made);
  return made ? with_workgroup(*made, schedule.workgroup) : made;
}

}  // namespace vyre::schedule
