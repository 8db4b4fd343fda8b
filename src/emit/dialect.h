// What differs between the C-like languages. The emitter asks the table; a language fills it in a
// file of its own and knows nothing of the others.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "emit/code.h"
#include "emit/helpers.h"
#include "vyre/ir/program.h"

namespace vyre::emit {

// Operations that need a function in some language; their operands have equal types. Integer
// division and remainder come here only where the divisor is not known to be harmless.
enum class Function : std::uint8_t {
  abs,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  tanh,
  rsqrt,
  exp2,
  log2,
  floor,
  ceil,
  round,
  popcount,
  clz,
  min,
  max,
  pow,
  fma,
  div,
  rem,
};

// An access to a buffer. `count` is there if the access must be guarded.
struct Element {
  const ir::Buffer* buffer = nullptr;
  std::string name;  // the buffer's, as emitted
  std::uint8_t lanes = 1;
  Code index;
  std::optional<Code> count;

  [[nodiscard]] ir::Type type() const { return {value_type(buffer->element), lanes}; }
  // What is in memory, which narrow elements are converted from and to.
  [[nodiscard]] ir::Type stored() const { return {buffer->element, lanes}; }
};

struct Dialect {
  // Names that cannot be used inside a kernel, and those that cannot be entry points.
  bool (*is_reserved)(std::string_view name);
  bool (*is_reserved_entry)(std::string_view name);

  // The frame: the text's first lines, a kernel's head up to its name, declarations, ids.
  std::string (*head)(bool uses_f64);
  std::string (*kernel)(std::string_view name, const std::optional<Extent>& workgroup);
  std::string (*parameter)(const ir::Buffer& buffer, std::string_view name);
  std::string_view shared;   // before the declaration of a shared array
  std::string_view barrier;  // the whole statement
  // A branch with a barrier in it ends with another, which all that took it reach alike: PoCL 3.1
  // loses stores between the barrier and the end of such a branch.
  bool branch_ends_with_barrier;
  std::string (*id)(ir::IdKind kind, int dim);
  // invocation.x and so on in 64 bits: surplus invocations can lie beyond u32.
  std::string (*wide_invocation)(int dim);

  // Types of values, and of elements in memory (a bool is one byte there, an f16 two).
  std::string (*type)(ir::Type type, Helpers& helpers);
  std::string_view (*stored)(Scalar scalar);

  // Expressions. `from` and `type` are the types of the operands.
  std::string_view long_suffix;  // of a literal of 64 bits
  bool shifts_modulo_bits;
  Code (*float_from_bits)(Literal value);
  Code (*function)(Function function, ir::Type type, std::span<const Code> arguments,
                   Helpers& helpers);
  Code (*comparison)(ir::Type type, Code mask);  // what `a < b` gives, made a value of type bool
  Code (*select)(ir::Type type, const Code& cond, const Code& yes, const Code& no,
                 Helpers& helpers);  // vectors only
  Code (*convert)(ir::Type from, Scalar to, const Code& value, Helpers& helpers);
  Code (*bitcast)(ir::Type from, Scalar to, const Code& value, Helpers& helpers);
  Code (*splat)(ir::Type to, const Code& value, Helpers& helpers);
  Code (*vector)(ir::Type to, std::span<const Code> lanes, Helpers& helpers);
  Code (*lane)(ir::Type from, const Code& vector, std::uint8_t lane);
  Code (*reduce)(ir::BinaryOp op, ir::Type from, const Code& vector, Helpers& helpers);
  // Lanes of two vectors of type `to` laid end to end; null where vector() does as well.
  Code (*shuffle)(ir::Type to, const Code& a, const Code& b, std::span<const std::uint8_t> lanes);
  // 2, 4, 8 or 16 lanes of a vector. vector() takes vectors then; null where it does not.
  Code (*swizzle)(const Code& vector, std::span<const std::uint8_t> lanes);

  // Accesses; stores and atomics are whole statements.
  Code (*load)(const Element& from, Helpers& helpers);
  std::string (*store)(const Element& to, const Code& value, Helpers& helpers);
  std::string (*atomic_add)(const Element& to, const Code& value, Helpers& helpers);

  std::span<const std::string_view> compile_options;
};

[[nodiscard]] const Dialect& opencl_dialect();
[[nodiscard]] const Dialect& cuda_dialect();

}  // namespace vyre::emit
