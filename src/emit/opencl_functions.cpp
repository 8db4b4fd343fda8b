#include "emit/opencl_functions.h"

#include <fmt/format.h>

#include <array>

#include "emit/opencl_helpers.h"
#include "emit/operators.h"

namespace vyre::emit {
namespace {

using ir::Type;

// Indexed by Function, as far as OpenCL has it; where it has one for floats, that.
constexpr std::array<std::string_view, 20> built_in = {
    "fabs", "sqrt",  "exp",  "log",   "sin",      "cos", "tan",  "tanh", "rsqrt", "exp2",
    "log2", "floor", "ceil", "round", "popcount", "clz", "fmin", "fmax", "pow",   "fma"};

std::string_view built_in_name(Function f) { return built_in[static_cast<std::size_t>(f)]; }

std::string helper_name(Function f, Type type) {
  return fmt::format("vy_{}_{}", built_in_name(f), ir::to_string(type));
}

std::string division_name(Function f, Type type) {
  return fmt::format("vy_{}_{}", f == Function::div ? "div" : "rem", ir::to_string(type));
}

// Every divisor is allowed: by 0 the quotient is 0, by -1 it wraps, and the remainder follows. No
// division by these is ever written, because Mesa's compiler folds both sides of a choice, and of
// the least i32 by -1 it dies.
std::string scalar_division(Function f, Scalar scalar) {
  const bool is_div = f == Function::div;
  std::string unsafe = "b == 0";
  std::string value = is_div ? "a / safe" : "a % safe";
  if (is_signed(scalar)) {
    const std::string type = opencl_type({scalar});
    const std::string negated = fmt::format("as_{0}(-as_u{0}(a))", type);
    unsafe += " || b == -1";
    value = fmt::format("b == -1 ? {} : {}", is_div ? negated : "0", value);
  }
  return fmt::format(
      "{0} {1}({0} a, {0} b) {{\n  const {0} safe = {2} ? 1 : b;\n"
      "  return b == 0 ? {3} : {4};\n}}\n",
      opencl_type({scalar}), division_name(f, {scalar}), unsafe, is_div ? "0" : "a", value);
}

// "f(a.s0, b.s0), f(a.s1, b.s1), ..."
std::string lane_by_lane(std::string_view scalar_function, int operands, Type type) {
  std::string lanes;
  for (int lane = 0; lane < type.lanes; ++lane) {
    lanes += fmt::format("{}{}(a.s{:x}", lane == 0 ? "" : ", ", scalar_function, lane);
    lanes += operands == 2 ? fmt::format(", b.s{:x})", lane) : ")";
  }
  return lanes;
}

// Lane by lane, as hardware divides integers anyway: dividing vectors by a divisor made safe with
// select, PoCL's compiler takes every lane for an unsafe one where it knows both operands.
std::string vector_division(Function f, Type type) {
  return fmt::format("{0} {1}({0} a, {0} b) {{\n  return ({0})({2});\n}}\n", opencl_type(type),
                     division_name(f, type),
                     lane_by_lane(division_name(f, {type.scalar}), 2, type));
}

// The built-in abs gives an unsigned type, but PoCL computes it as if the least i32 never came.
std::string absolute(Type type) {
  return fmt::format(
      "{0} vy_abs_{1}({0} a) {{\n  return select(a, as_{0}(-as_u{0}(a)), {2}(a < 0));\n}}\n",
      opencl_type(type), ir::to_string(type),
      is_long(type.scalar) && type.lanes == 1 ? "(long)" : "");
}

// PoCL converts a nan to an integer on its way; of a constant nan its compiler then makes nothing.
std::string apart_from_nan(Function f, Type type) {
  return fmt::format(
      "{0} {1}({0} a) {{\n  const {0} safe = isnan(a) ? ({0})(0) : a;\n"
      "  return isnan(a) ? a : {2}(safe);\n}}\n",
      opencl_type(type), helper_name(f, type), built_in_name(f));
}

// Near 0 by a polynomial fitted to Chebyshev nodes, else 1 - 2 / (exp(2 |a|) + 1): within 4 ulps
// where exp is within 3, and faster than PoCL's own.
std::string hyperbolic_tangent(Type type) {
  return fmt::format(
      "{0} {1}({0} a) {{\n"
      "  const {0} x = isnan(a) ? ({0})(0) : fmin(fabs(a), ({0})(10)), z = x * x;\n"
      "  const {0} sum = fma(fma(fma(fma(({0})(-5.71896276e-3f), z, ({0})(2.06531249e-2f)), z,\n"
      "      ({0})(-5.37446588e-2f)), z, ({0})(0.133315131f)), z, ({0})(-0.333332866f));\n"
      "  const {0} large = 1 - 2 / (exp(2 * x) + 1);\n"
      "  return isnan(a) ? a : copysign(x < ({0})(0.625f) ? fma(x * z, sum, x) : large, a);\n}}\n",
      opencl_type(type), helper_name(Function::tanh, type));
}

// Of a vector with a large angle in one lane PoCL computes all lanes wrongly.
std::string angles(Function f, Type type) {
  return fmt::format(
      "{0} {1}({0} a) {{\n  if (all(isless(fabs(a), ({0})(100)))) return {2}(a);\n"
      "  return ({0})({3});\n}}\n",
      opencl_type(type), helper_name(f, type), built_in_name(f),
      lane_by_lane(built_in_name(f), 1, type));
}

// Of a constant nan PoCL's compiler makes a crash.
std::string power(Type type) {
  return fmt::format(
      "{0} {1}({0} a, {0} b) {{\n"
      "  const {0} one = ({0})(1), zero = ({0})(0);\n"
      "  const {0} of_nan = (a == one) | (b == zero) ? one : a + b;\n"
      "  const {0} x = isunordered(a, b) ? one : a, y = isunordered(a, b) ? zero : b;\n"
      "  return isunordered(a, b) ? of_nan : pow(x, y);\n}}\n",
      opencl_type(type), helper_name(Function::pow, type));
}

// PoCL's power of eight doubles takes some for infinite that are not.
std::string powers_of_doubles(Type type, Helpers& helpers) {
  const Type one = {type.scalar};
  helpers.need(power(one));
  return fmt::format("{0} {1}({0} a, {0} b) {{\n  return ({0})({2});\n}}\n", opencl_type(type),
                     helper_name(Function::pow, type),
                     lane_by_lane(helper_name(Function::pow, one), 2, type));
}

// Where OpenCL C is compiled for x86 itself, as PoCL does, the built-in function counts lane by
// lane, which costs three times as much. Lanes that are written out its compiler would put together
// again, but of some programs it never comes to an end then.
std::string set_bits(Type type) {
  const Type bits = {bits_of(type.scalar), type.lanes};
  const bool wide = is_long(type.scalar);
  const auto everywhere = [&](std::uint64_t byte) {
    const std::uint64_t word = byte * 0x01010101U;
    return wide ? fmt::format("{:#x}ul", word << 32U | word) : fmt::format("{:#x}u", word);
  };
  return fmt::format(
      "{0} {1}({0} a) {{\n"
      "#ifdef __x86_64__\n"
      "  const {2} twos = as_{2}(a) - ((as_{2}(a) >> 1) & {3});\n"
      "  const {2} fours = (twos & {4}) + ((twos >> 2) & {4});\n"
      "  return as_{0}(((fours + (fours >> 4)) & {5}) * {6} >> {7});\n"
      "#else\n  return popcount(a);\n#endif\n}}\n",
      opencl_type(type), helper_name(Function::popcount, type), opencl_type(bits), everywhere(0x55),
      everywhere(0x33), everywhere(0x0f), everywhere(0x01), wide ? 56 : 24);
}

// A nan becomes 0. Of the conversion itself OpenCL says only that it should.
std::string truncation_to_long(Type from, Type to) {
  return fmt::format(
      "{0} vy_{1}_of_{2}({3} a) {{\n  return convert_{0}_sat_rtz(isnan(a) ? ({3})(0) : a);\n}}\n",
      opencl_type(to), ir::to_string(to), ir::to_string(from), opencl_type(from));
}

// A nan becomes 0. Drivers compute convert_uint_sat lane by lane, which costs six times as much as
// clamping before a plain conversion, whose result the standard promises only within bounds. The
// greatest integers are no f32: what is beyond the greatest f32 below them is looked at again.
std::string truncation(Type from, Type to) {
  struct Bounds {
    std::string_view least, most, limit, greatest;
  };
  constexpr Bounds of_i32 = {"-2147483648.0f", "2147483520.0f", "2147483648.0f", "0x7fffffff"};
  constexpr Bounds of_u32 = {"0.0f", "4294967040.0f", "4294967296.0f", "0xffffffffu"};
  constexpr Bounds doubles_of_i32 = {"-2147483648.0", "2147483647.0", "", ""};
  constexpr Bounds doubles_of_u32 = {"0.0", "4294967295.0", "", ""};
  const bool is_signed = to.scalar == Scalar::i32;
  const Bounds bounds = from.scalar == Scalar::f64 ? (is_signed ? doubles_of_i32 : doubles_of_u32)
                                                   : (is_signed ? of_i32 : of_u32);
  const std::string made = opencl_type(to), given = opencl_type(from);
  const std::string beyond =
      bounds.limit.empty()
          ? ""
          : fmt::format("a >= ({})({}) ? ({})({}) : ", given, bounds.limit, made, bounds.greatest);
  return fmt::format(
      "{0} vy_{1}_of_{2}({3} a) {{\n"
      "  const {3} inside = clamp(isnan(a) ? ({3})(0) : a, ({3})({4}), ({3})({5}));\n"
      "  return {6}convert_{0}(inside);\n}}\n",
      made, ir::to_string(to), ir::to_string(from), given, bounds.least, bounds.most, beyond);
}

std::string of_integers(Function f, Type type, Helpers& helpers) {
  if (f == Function::min || f == Function::max) return f == Function::min ? "min" : "max";
  if (f == Function::clz) return "clz";
  if (f == Function::popcount) {
    if (type.lanes == 1) return "popcount";
    helpers.need(set_bits(type));
    return helper_name(f, type);
  }
  if (f == Function::abs) {
    helpers.need(absolute(type));
    return fmt::format("vy_abs_{}", ir::to_string(type));
  }
  helpers.need(scalar_division(f, type.scalar));
  if (type.lanes > 1) helpers.need(vector_division(f, type));
  return division_name(f, type);
}

// What must be defined for the function, or nothing where the built-in one will do.
std::string definition(Function f, Type type, Helpers& helpers) {
  using enum Function;
  switch (f) {
    case exp:
    case exp2:
    case floor:
    case ceil:
    case round:
      return apart_from_nan(f, type);
    case tanh:
      return type.scalar == Scalar::f32 ? hyperbolic_tangent(type) : apart_from_nan(f, type);
    case sin:
    case cos:
    case tan:
      return type.lanes == 1 || type.scalar == Scalar::f64 ? "" : angles(f, type);
    case pow:
      return type.lanes == 1 || type.scalar == Scalar::f32 ? power(type)
                                                           : powers_of_doubles(type, helpers);
    default:
      return "";
  }
}

std::string min_or_max(ir::BinaryOp op, Scalar scalar) {
  return fmt::format("{}{}", is_float(scalar) ? "f" : "", op == ir::BinaryOp::min ? "min" : "max");
}

// Halves that are combined by a function, or added where it has no name; integers as unsigned ones,
// which wrap.
std::string reduction(const std::string& function, Type from, const std::string& name) {
  const bool as_bits = function.empty() && is_signed(from.scalar);
  const auto type = [&](int lanes) {
    return opencl_type(
        {as_bits ? bits_of(from.scalar) : from.scalar, static_cast<std::uint8_t>(lanes)});
  };
  std::string steps = fmt::format("  const {} v{} = {};\n", type(from.lanes), from.lanes,
                                  as_bits ? fmt::format("as_{}(a)", type(from.lanes)) : "a");
  for (int lanes = from.lanes / 2; lanes > 0; lanes /= 2) {
    const std::string halves =
        fmt::format(fmt::runtime(function.empty() ? "v{0}.lo + v{0}.hi" : "{1}(v{0}.lo, v{0}.hi)"),
                    2 * lanes, function);
    steps += fmt::format("  const {} v{} = {};\n", type(lanes), lanes, halves);
  }
  return fmt::format("{} {}({} a) {{\n{}  return {};\n}}\n", opencl_type({from.scalar}), name,
                     opencl_type(from), steps,
                     as_bits ? fmt::format("as_{}(v1)", opencl_type({from.scalar})) : "v1");
}

// Halves until one lane is left, each 0 or -1. The built-in `any` and `all` look at one lane after
// the other where a driver has nothing better for them.
std::string mask_reduction(char op, std::uint8_t lanes, const std::string& name) {
  std::string steps = fmt::format("  const int{0} v{0} = a;\n", lanes);
  for (int half = lanes / 2; half > 1; half /= 2) {
    steps += fmt::format("  const int{0} v{0} = v{1}.lo {2} v{1}.hi;\n", half, 2 * half, op);
  }
  return fmt::format("int {}(int{} a) {{\n{}  return v2.lo {} v2.hi;\n}}\n", name, lanes, steps,
                     op);
}

}  // namespace

std::string opencl_function(Function f, Type type, Helpers& helpers) {
  if (!is_float(type.scalar)) return of_integers(f, type, helpers);
  const std::string defined = definition(f, type, helpers);
  if (defined.empty()) return std::string(built_in_name(f));
  helpers.need(defined);
  return helper_name(f, type);
}

std::string opencl_truncation(Type from, Scalar to, Helpers& helpers) {
  const Type made = {to, from.lanes};
  helpers.need(is_long(to) ? truncation_to_long(from, made) : truncation(from, made));
  return fmt::format("vy_{}_of_{}", ir::to_string(made), ir::to_string(from));
}

std::string opencl_reduction(ir::BinaryOp op, Type from, Helpers& helpers) {
  if (from.scalar == Scalar::boolean) {
    const bool any = op == ir::BinaryOp::bit_or;
    std::string name = fmt::format("vy_{}_of_{}", any ? "any" : "all", from.lanes);
    helpers.need(mask_reduction(any ? '|' : '&', from.lanes, name));
    return name;
  }
  const bool adds = op == ir::BinaryOp::add;
  const std::string_view word = adds ? "sum" : op == ir::BinaryOp::min ? "min" : "max";
  std::string name = fmt::format("vy_{}_{}", word, ir::to_string(from));
  helpers.need(reduction(adds ? "" : min_or_max(op, from.scalar), from, name));
  return name;
}

}  // namespace vyre::emit
