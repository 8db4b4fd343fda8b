// OpenCL C 1.2.
//
// A vector of bools is an intN whose lanes are 0 or -1, which is what comparisons give there; for
// types of 8 bytes they give longN, which is converted. A scalar bool is a bool.
#include <fmt/format.h>

#include <array>

#include "emit/dialect.h"
#include "emit/opencl_functions.h"
#include "emit/opencl_helpers.h"
#include "emit/operators.h"
#include "emit/reserved_words.h"

namespace vyre::emit {
namespace {

using ir::Type;

std::string type(Type t, Helpers& /*helpers*/) { return opencl_type(t); }

std::string head(bool uses_f64) {
  return fmt::format("{}#pragma OPENCL FP_CONTRACT OFF\n",
                     uses_f64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "");
}

std::string kernel(std::string_view name, const std::optional<Extent>& workgroup) {
  if (!workgroup) return fmt::format("__kernel void {}", name);
  return fmt::format("__kernel __attribute__((reqd_work_group_size({})))\nvoid {}",
                     fmt::join(*workgroup, ", "), name);
}

std::string parameter(const ir::Buffer& buffer, std::string_view name) {
  return fmt::format("__global {}{}* restrict {}", buffer.access == Access::read ? "const " : "",
                     opencl_stored(buffer.element), name);
}

std::string id(ir::IdKind kind, int dim) {
  constexpr std::array<std::string_view, 6> functions = {"get_global_id",  "get_local_id",
                                                         "get_group_id",   "get_local_size",
                                                         "get_num_groups", "get_global_size"};
  return fmt::format("{}({})", functions[static_cast<std::size_t>(kind)], dim);
}

std::string wide_invocation(int dim) { return id(ir::IdKind::invocation, dim); }

Code float_from_bits(Literal value) {
  return {value.scalar == Scalar::f32 ? fmt::format("as_float({:#x}u)", value.bits)
                                      : fmt::format("as_double({:#x}ul)", value.bits)};
}

Code function(Function f, Type t, std::span<const Code> arguments, Helpers& helpers) {
  std::string list;
  for (const Code& argument : arguments) list += (list.empty() ? "" : ", ") + argument.text;
  return {fmt::format("{}({})", opencl_function(f, t, helpers), list)};
}

bool has_long_masks(Scalar scalar) { return scalar == Scalar::f64 || is_long(scalar); }

Code comparison(Type t, Code mask) {
  if (t.lanes == 1 || !has_long_masks(t.scalar)) return mask;
  return call("convert_" + opencl_type({Scalar::boolean, t.lanes}), mask);
}

Code select(Type t, const Code& cond, const Code& yes, const Code& no, Helpers& /*helpers*/) {
  // The mask's lanes must be as wide as the values'.
  if (!has_long_masks(t.scalar)) return call("select", no, yes, cond);
  return call("select", no, yes, call(fmt::format("convert_long{}", t.lanes), cond));
}

Code from_bool(Type from, Scalar to, const Code& value) {
  const std::string name = opencl_type({to, from.lanes});
  if (from.lanes == 1)
    return {fmt::format("({}){}", name, value.at(Precedence::unary)), Precedence::unary};
  const Code ones = infix(ir::BinaryOp::bit_and, value, {"1"});
  return to == Scalar::i32 ? ones : call("convert_" + name, ones);
}

Code convert(Type from, Scalar to, const Code& value, Helpers& helpers) {
  const std::string name = opencl_type({to, from.lanes});
  if (from.scalar == Scalar::boolean) return from_bool(from, to, value);
  if (to == Scalar::boolean) {
    return comparison(from, infix(ir::BinaryOp::ne, value, number({from.scalar, 0})));
  }
  if (is_integer(from.scalar) && is_integer(to) && is_long(from.scalar) == is_long(to)) {
    return call("as_" + name, value);
  }
  if (is_float(from.scalar) && is_integer(to)) {
    return call(opencl_truncation(from, to, helpers), value);
  }
  return call("convert_" + name, value);
}

Code bitcast(Type from, Scalar to, const Code& value, Helpers& /*helpers*/) {
  return call("as_" + opencl_type({to, from.lanes}), value);
}

Code as_lane(Scalar scalar, const Code& value) {
  if (scalar != Scalar::boolean) return value;
  if (value.text == "true") return {"-1", Precedence::unary};
  if (value.text == "false") return {"0"};
  return {value.at(Precedence::bit_or) + " ? -1 : 0", Precedence::ternary};
}

Code splat(Type to, const Code& value, Helpers& /*helpers*/) {
  return {fmt::format("({})({})", opencl_type(to), as_lane(to.scalar, value).text),
          Precedence::unary};
}

Code vector(Type to, std::span<const Code> lanes, Helpers& /*helpers*/) {
  std::string list;
  for (const Code& lane : lanes) list += (list.empty() ? "" : ", ") + as_lane(to.scalar, lane).text;
  return {fmt::format("({})({})", opencl_type(to), list), Precedence::unary};
}

Code lane(Type from, const Code& value, std::uint8_t lane) {
  const Code picked = {fmt::format("{}.s{:x}", value.at(Precedence::primary), lane)};
  return from.scalar == Scalar::boolean ? infix(ir::BinaryOp::ne, picked, {"0"}) : picked;
}

Code reduce(ir::BinaryOp op, Type from, const Code& value, Helpers& helpers) {
  const Code made = call(opencl_reduction(op, from, helpers), value);
  return from.scalar == Scalar::boolean ? infix(ir::BinaryOp::ne, made, {"0"}) : made;
}

Code swizzle(const Code& vector, std::span<const std::uint8_t> lanes) {
  std::string picked;
  for (const std::uint8_t lane : lanes) picked += fmt::format("{:x}", lane);
  return {fmt::format("{}.s{}", vector.at(Precedence::primary), picked)};
}

Code shuffle(Type to, const Code& a, const Code& b, std::span<const std::uint8_t> lanes) {
  const Type both = {to.scalar, static_cast<std::uint8_t>(2 * to.lanes)};
  return swizzle(
      {fmt::format("({})({}, {})", opencl_type(both), a.text, b.text), Precedence::unary}, lanes);
}

Code load(const Element& from, Helpers& helpers) {
  if (from.count) {
    return call(opencl_guarded_load(from, helpers), Code{from.name}, *from.count, from.index);
  }
  return opencl_load(from, helpers);
}

std::string store(const Element& to, const Code& value, Helpers& helpers) {
  if (to.count) {
    return call(opencl_guarded_store(to, helpers), Code{to.name}, *to.count, to.index, value).text +
           ";";
  }
  return opencl_store(to, value, helpers);
}

std::string atomic_add(const Element& to, const Code& value, Helpers& helpers) {
  if (!to.count) {
    return fmt::format("{}(&{}[{}], {});", opencl_atomic(to, helpers), to.name, to.index.text,
                       value.text);
  }
  return call(opencl_guarded_atomic(to, helpers), Code{to.name}, *to.count, to.index, value).text +
         ";";
}

constexpr std::array<std::string_view, 1> options = {"-cl-std=CL1.2"};

constexpr Dialect dialect = {
    .is_reserved = is_opencl_word,
    .is_reserved_entry = is_opencl_global,
    .head = head,
    .kernel = kernel,
    .parameter = parameter,
    .shared = "__local",
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    .branch_ends_with_barrier = true,
    .id = id,
    .wide_invocation = wide_invocation,
    .type = type,
    .stored = opencl_stored,
    .long_suffix = "l",
    .shifts_modulo_bits = true,
    .float_from_bits = float_from_bits,
    .function = function,
    .comparison = comparison,
    .select = select,
    .convert = convert,
    .bitcast = bitcast,
    .splat = splat,
    .vector = vector,
    .lane = lane,
    .reduce = reduce,
    .shuffle = shuffle,
    .swizzle = swizzle,
    .load = load,
    .store = store,
    .atomic_add = atomic_add,
    .compile_options = options,
};

}  // namespace

const Dialect& opencl_dialect() { return dialect; }

}  // namespace vyre::emit
