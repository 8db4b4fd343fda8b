#include "vyre/ir/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/grouping.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

constexpr std::uint64_t most_elements = std::numeric_limits<std::uint32_t>::max();

bool is_size_op(BinaryOp op) {
  using enum BinaryOp;
  return op == add || op == sub || op == mul || op == div || op == rem || op == min || op == max;
}

// The exact value where it is defined; sizes do not wrap.
Result<std::uint64_t> apply(BinaryOp op, std::uint64_t a, std::uint64_t b, const Expr& whole) {
  using enum BinaryOp;
  if ((op == div || op == rem) && b == 0) {
    return fail(ErrorKind::input, fmt::format("the size {} divides by zero", print(whole)),
                whole.place());
  }
  if (op == sub && b > a) {
    return fail(ErrorKind::input,
                fmt::format("the size {} is negative: {} - {}", print(whole), a, b), whole.place());
  }
  switch (op) {
    case add:
      return a + b;
    case sub:
      return a - b;
    case mul:
      return a * b;
    case div:
      return a / b;
    case rem:
      return a % b;
    case min:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

// What has no value as a size; in it, a name can only be a uniform and an id only the workgroup's.
template <class Node>
concept NoSize =
    OneOf<Node, Load, Unary, Fma, Select, Convert, Bitcast, Splat, Vector, Lane, Reduce>;

using Size = Result<std::uint64_t>;

Size evaluate(const Program& program, const Expr& size, const Uniforms& given);

Size evaluate(const Program& program, const Binary& node, const Expr& size, const Uniforms& given) {
  auto left = evaluate(program, node.left, given);
  if (!left) return left;
  auto right = evaluate(program, node.right, given);
  if (!right) return right;
  auto value = apply(node.op, *left, *right, size);
  if (value && *value > most_elements) {
    return fail(ErrorKind::input,
                fmt::format("the size {} = {} does not fit in u32", print(size), *value),
                size.place());
  }
  return value;
}

Size evaluate(const Program& program, const Expr& size, const Uniforms& given) {
  return match(
      size, [](const Literal& n) -> Size { return n.bits; },
      [&](const Id& n) -> Size { return program.workgroup[n.dim]; },
      [&](const Var& n) -> Size { return uniform_value(program, n.name, given).bits; },
      [&](const Binary& n) { return evaluate(program, n, size, given); },
      [&](const NoSize auto&) -> Size {
        return fail(ErrorKind::input, why_not_size(size), size.place());
      });
}

std::string why_not_in_size(const Expr& expr) {
  return fmt::format(
      "{} cannot stand in a size: use u32 literals, u32 uniforms, workgroup.x/y/z and "
      "+ - * / % min max",
      print(expr));
}

}  // namespace

std::string why_not_size(const Expr& expr) {
  if (expr.type() != Type{Scalar::u32} && expr.type().scalar != Scalar::unknown) {
    return fmt::format("a size is a u32, but {} is {}", print(expr), to_string(expr.type()));
  }
  return match(
      expr, [](const OneOf<Literal, Var> auto&) { return std::string(); },
      [&](const Id& n) {
        return n.kind == IdKind::workgroup ? std::string() : why_not_in_size(expr);
      },
      [&](const Binary& n) {
        if (!is_size_op(n.op)) return why_not_in_size(expr);
        std::string left = why_not_size(n.left);
        return left.empty() ? why_not_size(n.right) : left;
      },
      [&](const NoSize auto&) { return why_not_in_size(expr); });
}

Result<std::uint32_t> evaluate_size(const Program& program, const Expr& size,
                                    const Uniforms& uniforms) {
  const auto value = evaluate(program, size, uniforms);
  if (!value) return Unexpected(value.error());
  return static_cast<std::uint32_t>(*value);
}

Literal uniform_value(const Program& program, std::string_view name, const Uniforms& uniforms) {
  if (const auto found = uniforms.find(name); found != uniforms.end()) return found->second;
  const Uniform* declared = find_uniform(program, name);
  return declared == nullptr ? Literal{} : declared->value;
}

Result<void> check_uniforms(const Program& program, const Uniforms& uniforms) {
  for (const auto& [name, value] : uniforms) {
    const Uniform* declared = find_uniform(program, name);
    if (declared == nullptr) {
      return fail(ErrorKind::input,
                  fmt::format("program {} has no uniform '{}'", program.name, name));
    }
    if (declared->value.scalar != value.scalar) {
      return fail(ErrorKind::input,
                  fmt::format("uniform '{}' is {}, not {}", name, name_of(declared->value.scalar),
                              name_of(value.scalar)));
    }
  }
  return {};
}

Result<std::uint64_t> private_elements(const Program& program, const Uniforms& uniforms) {
  std::uint64_t elements = 0;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.memory != Memory::own) continue;
    const auto count = evaluate_size(program, buffer.count, uniforms);
    if (!count) return Unexpected(count.error());
    elements += *count;
  }
  return elements;
}

Result<void> check_private(const Program& program, const Uniforms& uniforms) {
  const auto elements = private_elements(program, uniforms);
  if (!elements) return Unexpected(elements.error());
  if (*elements <= max_private_elements) return {};
  return fail(ErrorKind::input,
              fmt::format("the private buffers of program {} have {} elements; an invocation has "
                          "{} at most: make them smaller, or use a buffer",
                          program.name, *elements, max_private_elements));
}

Result<Shape> launch_shape(const Program& program, const Uniforms& uniforms) {
  constexpr std::array<const char*, 3> dims = {"x", "y", "z"};
  Shape shape{.workgroup = program.workgroup};
  const bool whole_groups = has_barrier(program.body);
  for (std::size_t d = 0; d < 3; ++d) {
    const auto extent = evaluate_size(program, program.grid[d], uniforms);
    if (!extent) return Unexpected(extent.error());
    const std::uint32_t group = program.workgroup[d];
    if (*extent == 0) {
      return fail(ErrorKind::input,
                  fmt::format("the grid is empty: {} = 0 in {}", print(program.grid[d]), dims[d]),
                  program.grid[d].place());
    }
    if (whole_groups && *extent % group != 0) {
      return fail(ErrorKind::input,
                  fmt::format("the grid's {} extent {} is not a multiple of the workgroup's {}: a "
                              "program with barriers runs in whole workgroups; round the grid up "
                              "and test the index in the program",
                              dims[d], *extent, group),
                  program.grid[d].place());
    }
    shape.grid[d] = *extent;
    shape.groups[d] = (*extent - 1) / group + 1;
  }
  return shape;
}

}  // namespace vyre::ir
