// What a Value knows besides its expression: that it is a C++ number whose type is still open, and
// mistakes that were made on the way to it. Operators see no builder, so mistakes travel with the
// value to the first statement that takes it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/value.h"

namespace vyre::ir {

using Mistake = std::shared_ptr<const Error>;  // one object each, to be reported once

struct Origin {
  std::optional<Number> number;
  SourceLocation at;  // of the number
  std::vector<Mistake> mistakes;

  [[nodiscard]] static const Origin* of(const Value& value) { return value.origin_.get(); }
  [[nodiscard]] static Value value(Expr expr, std::vector<Mistake> mistakes);
};

[[nodiscard]] bool is_cpp_number(const Value& value);

// The message with the file's name, and the place, where they are known.
[[nodiscard]] Error written_at(std::string message, SourceLocation at);

// The type that numbers take beside these values: that of the first which is no number; among
// numbers alone, what C++ would take.
[[nodiscard]] Type common_type(std::span<const Value* const> values);

// Gathers the operands of one expression or statement, and their mistakes.
class Operands {
 public:
  // A number gets this type; any other value keeps its own.
  [[nodiscard]] Expr take(const Value& value, Type type, bool has_neighbour);
  // A number gets the type it has alone.
  [[nodiscard]] Expr take(const Value& value);
  void mistake(std::string message, SourceLocation at = {});

  [[nodiscard]] std::vector<Mistake> mistakes() && { return std::move(mistakes_); }
  [[nodiscard]] Value made(Expr expr) && {
    return Origin::value(std::move(expr), std::move(mistakes_));
  }

 private:
  std::vector<Mistake> mistakes_;
};

}  // namespace vyre::ir
