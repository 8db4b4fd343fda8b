#include "schedule/space_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "schedule/parameters.h"
#include "schedule/step.h"
#include "schedule/workgroup.h"

namespace vyre::schedule {

std::string list_text(std::span<const space::Value> values) {
  std::string text;
  for (const space::Value& value : values) {
    const std::string one = space::to_string(value);
    const bool word = std::holds_alternative<std::string>(value);
    text += fmt::format("{}{}", text.empty() ? "" : ", ", word ? fmt::format("'{}'", one) : one);
  }
  return fmt::format("[{}]", text);
}

SpaceMaker::SpaceMaker(const ir::Program& program, const Limits& limits, const Shape& shape,
                       const ir::Uniforms& uniforms)
    : program_(program),
      limits_(limits),
      shape_(shape),
      uniforms_(uniforms),
      independent_(check_independent(program, "schedule").has_value()),
      longest_body_(statement_count(program.body)) {}

std::optional<std::uint32_t> SpaceMaker::size_of(const ir::Expr& size) const {
  const auto value = ir::evaluate_size(program_, size, uniforms_);
  return value ? std::optional(*value) : std::nullopt;
}

std::uint64_t SpaceMaker::private_elements() const {
  return ir::private_elements(program_, uniforms_).value_or(0);
}

std::uint32_t SpaceMaker::covering(std::size_t dim) const {
  return std::bit_ceil(std::min(shape_.grid[dim], 1U << 30U));
}

void SpaceMaker::parameter(std::string_view name, std::span<const std::uint32_t> values) {
  space::Parameter made{std::string(name), {}};
  for (const std::uint32_t value : values) made.values.push_back(value_of(name, value));
  parameter(std::move(made));
}

const space::Parameter* SpaceMaker::find(std::string_view name) const {
  const auto found = std::ranges::find(parameters_, name, &space::Parameter::name);
  return found == parameters_.end() ? nullptr : &*found;
}

void SpaceMaker::note_body(std::size_t statements) {
  longest_body_ = std::max(longest_body_, statements);
}

Result<space::Definition> SpaceMaker::make() {
  if (parameters_.empty()) {
    parameter(workgroup_names[0], std::array{program_.workgroup[0]});
  }
  return space::define(std::move(parameters_), constraints_);
}

}  // namespace vyre::schedule
