// Expressions over parameters, as T1 and Kernel Tuner files have them: the part of Python that
// constraints and lists of values are written in, parsed and evaluated here.
//
//   32 <= block_size_x * block_size_y <= 1024
//   use_padding == 0 or block_size_x % 32 != 0
//   [1, 2, 4] + list(range(8, 65, 8))        [2**i for i in range(6)]
//
// docs/spaces.md has the grammar. Results are Python's, but for integers beyond 64 bits, which are
// an error. Text, depth and the lists made on the way are bounded.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::space {

inline constexpr std::size_t max_expression_bytes = 65'536;
inline constexpr std::uint32_t max_expression_depth = 200;
inline constexpr std::size_t max_list_items = 1'000'000;

struct Syntax;

class Expression {
 public:
  // The error has the place where reading stopped.
  static Result<Expression> parse(std::string_view text);

  // The names that stand for parameters, each once, in the order of the text.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  // What the names are worth; nothing for a name that is unknown.
  using Bindings = std::function<std::optional<Value>(std::string_view name)>;

  // A single value; a list is an error.
  [[nodiscard]] Result<Value> evaluate(const Bindings& bindings) const;
  // The items of a list; a single value is a list of one.
  [[nodiscard]] Result<std::vector<Value>> evaluate_list(const Bindings& bindings) const;
  // Whether the result counts as true.
  [[nodiscard]] Result<bool> holds(const Bindings& bindings) const;

  [[nodiscard]] const Syntax& syntax() const { return *syntax_; }

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Syntax> syntax_;
};

}  // namespace vyre::space
