#include "vyre/schedule/schedule_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "schedule/fields.h"
#include "schedule/gather.h"
#include "schedule/step.h"
#include "schedule/tile_plan.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

namespace vyre::schedule {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::string_view axes = "xyz";

class SpaceMaker {
 public:
  SpaceMaker(const ir::Program& program, const Limits& limits, const Shape& shape)
      : program_(program), limits_(limits), shape_(shape) {}

  Result<space::Definition> make() {
    const bool independent = check_independent(program_, "schedule").has_value();
    if (independent) workgroups();
    body_steps(independent);
    if (independent) items();
    if (independent) tiles();
    if (independent) gathering();
    if (parameters_.empty()) parameter("wg_x", {program_.workgroup[0]});
    return space::define(std::move(parameters_), constraints_);
  }

 private:
  void parameter(std::string name, const Numbers& values) {
    space::Parameter made{std::move(name), {}};
    for (const std::uint32_t value : values) made.values.emplace_back(std::int64_t{value});
    parameters_.push_back(std::move(made));
  }

  // Powers of two that are of use in this dimension, and what the program has.
  void workgroups() {
    std::string product;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const std::uint32_t own = program_.workgroup[dim];
      const std::uint32_t most =
          std::min(limits_.max_extent[dim], std::min(limits_.max_workgroup, covering(dim)));
      Numbers values;
      for (std::uint32_t extent = 1; extent <= most; extent *= 2) values.push_back(extent);
      values.push_back(own);
      std::ranges::sort(values);
      const auto twice = std::ranges::unique(values);
      values.erase(twice.begin(), twice.end());
      if (values.size() == 1 && dim > 0 && own == 1) continue;
      parameter(fmt::format("wg_{}", axes[dim]), values);
      product += fmt::format("{}wg_{}", product.empty() ? "" : " * ", axes[dim]);
    }
    constraints_.push_back(fmt::format("{} <= {}", product, limits_.max_workgroup));
  }

  // The least power of two that is not below the grid.
  [[nodiscard]] std::uint32_t covering(std::size_t dim) const {
    return std::bit_ceil(std::min(shape_.grid[dim], 1U << 30U));
  }

  // Unrolling and vectors: those values that are legal on their own and together.
  void body_steps(bool independent) {
    Numbers unrolls = {1};
    Numbers vectors = {1};
    for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
      if (independent && width <= shape_.grid[0] && vectorized(program_, width)) {
        vectors.push_back(width);
      }
    }
    longest_ = length({.vector = vectors.back()}).value_or(statement_count(program_.body));
    for (const std::uint32_t factor : {2U, 4U, 8U}) {
      const auto count = length({.unroll = factor, .vector = vectors.back()});
      if (!count) break;
      unrolls.push_back(factor);
      longest_ = std::max(longest_, *count);
    }
    if (unrolls.size() > 1) parameter("unroll", unrolls);
    if (vectors.size() > 1) parameter("vector", vectors);
    has_vectors_ = vectors.size() > 1;
  }

  // Statements of the body after these steps, or nothing if one of them is not legal.
  [[nodiscard]] std::optional<std::size_t> length(const Schedule& steps) const {
    auto made = unrolled(program_, steps.unroll);
    if (made) made = vectorized(*made, steps.vector);
    return made ? std::optional(statement_count(made->body)) : std::nullopt;
  }

  void items() {
    std::string all;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const std::string name = fmt::format("items_{}", axes[dim]);
      Numbers values;
      for (const std::uint32_t count : {1U, 2U, 4U, 6U, 8U, 16U}) {
        if (count <= shape_.grid[dim]) values.push_back(count);
      }
      // Long walks, where enough invocations remain.
      for (const std::uint32_t count : {64U, 512U, 4096U}) {
        if (shape_.grid[dim] / 64 >= count) values.push_back(count);
      }
      if (values.size() == 1) continue;
      parameter(name, values);
      all += (all.empty() ? "" : " * ") + name;
      fill_the_grid(dim, name);
    }
    if (!all.empty()) order(all);
  }

  // Groups that reach beyond the grid by more than half of them leave work undone for nothing.
  void fill_the_grid(std::size_t dim, const std::string& items) {
    const std::uint32_t own = program_.workgroup[dim];
    const bool with_vectors = dim == 0 && has_vectors_;
    constraints_.push_back(fmt::format("wg_{} * {}{} <= {}", axes[dim], items,
                                       with_vectors ? " * vector" : "",
                                       std::max(covering(dim), own)));
  }

  // Side by side, items are written out up to three times: together, apart, and at the grid's end;
  // and what they load is held in registers, of which no device has more than this.
  void order(const std::string& items) {
    space::Parameter made{std::string(order_name), {}};
    for (const Order order : {Order::contiguous, Order::strided, Order::jammed}) {
      made.values.emplace_back(std::string(name_of(order)));
    }
    parameters_.push_back(std::move(made));
    constraints_.push_back(fmt::format("order == 'contiguous' or {} > 1", items));
    constexpr std::size_t most_items = 16;
    constexpr std::size_t most_loads = 48;
    const std::size_t statements = max_statements / (3 * std::max<std::size_t>(longest_, 1));
    const std::size_t loads = most_loads / std::max<std::size_t>(load_count(), 1);
    const std::size_t room = std::max<std::size_t>(std::min(statements, loads), 2);
    constraints_.push_back(
        fmt::format("order != 'jammed' or {} <= {}", items, std::min(room, most_items)));
  }

  [[nodiscard]] std::size_t load_count() const {
    std::size_t count = 0;
    for_each_expr(program_.body, [&](const ir::Expr& e) {
      if (ir::is<ir::Load>(e)) ++count;
    });
    return count;
  }

  // A tile needs a load that invocations of a group share, and room for what it holds; with
  // barriers in the program, no step that gives an invocation more to do is legal.
  void tiles() {
    Extent group = {1, 1, 1};
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (has("wg_" + std::string(1, axes[dim])) && shape_.grid[dim] > 1) group[dim] = 2;
    }
    const auto plan = plan_tiles(with_unique_names(program_), group, "tile");
    if (!plan) return;
    std::string shared;
    std::string bytes;
    for (const TiledLoad& load : plan->loads) {
      const std::size_t size = storage_bytes(load.load.type().scalar);
      bytes += fmt::format("{}{} * tile", bytes.empty() ? "" : " + ", size);
      for (std::size_t dim = 0; dim < 3; ++dim) {
        if (group[dim] == 1) continue;
        const std::string extent = fmt::format("wg_{}", axes[dim]);
        if (load.depends[dim]) bytes += " * " + extent;
        if (!load.depends[dim]) shared += (shared.empty() ? "" : " or ") + extent + " > 1";
      }
    }
    parameter("tile", {0, 8, 16, 32});
    constraints_.push_back(fmt::format("tile == 0 or {}", shared));
    constraints_.push_back(fmt::format("tile == 0 or {} <= {}", bytes, limits_.shared_bytes));
    for (const std::string_view more : {"items_x", "items_y", "items_z", "vector"}) {
      if (has(more)) constraints_.push_back(fmt::format("tile == 0 or {} == 1", more));
    }
  }

  // Only loops gather: those of the program, and those of items one after the other.
  void gathering() {
    if (gathered(program_)) return parameter("gather", {0, 1});
    if (!has("items_x") || !gathered_items(0)) return;
    parameter("gather", {0, 1});
    constraints_.emplace_back("gather == 0 or (items_x > 1 and order != 'jammed')");
  }

  [[nodiscard]] bool gathered_items(std::uint8_t dim) const {
    const auto made = coarsened(program_, {.dim = dim, .items = 2});
    return made && gathered(*made);
  }

  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::find(parameters_, name, &space::Parameter::name) != parameters_.end();
  }

  const ir::Program& program_;
  const Limits& limits_;
  const Shape& shape_;
  std::vector<space::Parameter> parameters_;
  std::vector<std::string> constraints_;
  std::size_t longest_ = 1;
  bool has_vectors_ = false;
};

}  // namespace

Result<space::Definition> schedule_space(const ir::Program& program, const Limits& limits,
                                         const ir::Uniforms& uniforms) {
  const auto shape = launch_shape(program, uniforms);
  if (!shape) return std::unexpected(shape.error());
  return SpaceMaker(program, limits, *shape).make();
}

Result<Schedule> schedule_of(const ir::Program& program,
                             std::span<const space::Parameter> parameters,
                             std::span<const space::Value> values) {
  Schedule schedule = default_schedule(program);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto set = set_field(schedule, parameters[i].name, space::to_string(values[i]));
    if (!set) return std::unexpected(set.error());
  }
  return schedule;
}

Schedule schedule_of(const ir::Program& program, const space::Space& space, space::Index index) {
  const auto made = schedule_of(program, space.parameters(), space.values(index));
  check(made.has_value(), "the space is one of schedules");
  return *made;
}

std::optional<space::Index> index_of(const space::Space& space, const Schedule& schedule) {
  Schedule copy = schedule;
  std::vector<space::Value> values;
  for (const space::Parameter& parameter : space.parameters()) {
    if (parameter.name == order_name) {
      values.emplace_back(std::string(name_of(schedule.order)));
      continue;
    }
    const auto field = std::ranges::find(fields(), parameter.name, &Field::name);
    check(field != fields().end(), "the space is one of schedules");
    values.emplace_back(std::int64_t{field->of(copy)});
  }
  return space.find(values);
}

}  // namespace vyre::schedule
