// Where steps declare their parameters: a space in the making, and what it is made for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule_space.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/space/definition.h"

namespace vyre::schedule {

// "[1, 2, 'jammed']": values in a constraint.
[[nodiscard]] std::string list_text(std::span<const space::Value> values);

class SpaceMaker {
 public:
  // Keeps references.
  SpaceMaker(const ir::Program& program, const Limits& limits, const Shape& shape,
             const ir::Uniforms& uniforms);

  [[nodiscard]] const ir::Program& program() const { return program_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const ir::Uniforms& uniforms() const { return uniforms_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Extent& grid() const { return shape_.grid; }
  // The value of a size expression, where it has one.
  [[nodiscard]] std::optional<std::uint32_t> size_of(const ir::Expr& size) const;
  // Of an invocation of the program as it is.
  [[nodiscard]] std::uint64_t private_elements() const;
  // Whether the program's invocations are: see check_independent.
  [[nodiscard]] bool independent() const { return independent_; }
  // The least power of two that is not below the grid.
  [[nodiscard]] std::uint32_t covering(std::size_t dim) const;

  void parameter(std::string_view name, std::span<const std::uint32_t> values);
  void parameter(space::Parameter made) { parameters_.push_back(std::move(made)); }
  // Over parameters that the space has.
  void constraint(std::string expression) { constraints_.push_back(std::move(expression)); }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  // Null where it is not declared.
  [[nodiscard]] const space::Parameter* find(std::string_view name) const;
  // What is declared so far.
  [[nodiscard]] const std::vector<space::Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& constraints() const { return constraints_; }

  // Statements of the longest body that what is declared so far makes.
  [[nodiscard]] std::size_t longest_body() const { return longest_body_; }
  void note_body(std::size_t statements);

  // A program that no step can change has its own workgroup as the only choice.
  [[nodiscard]] Result<space::Definition> make();

 private:
  const ir::Program& program_;
  const Limits& limits_;
  const Shape& shape_;
  const ir::Uniforms& uniforms_;
  bool independent_;
  std::size_t longest_body_;
  std::vector<space::Parameter> parameters_;
  std::vector<std::string> constraints_;
};

}  // namespace vyre::schedule
