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

// The name of a helper that says whether any lane is true, or all are, of 0 and -1.
std::string mask_test(bool any, std::uint8_t lanes, Helpers& helpers) {
  std::string name = fmt::format("vy_{}_of_{}", any ? "any" : "all", lanes);
  helpers.need(mask_reduction(any ? '|' : '&', lanes, name));
  return name;
}

// t / (t + 2), where t = exp(2 |a|) - 1, of which a power of 2 is taken out: within 2.7 ulps where
// the division rounds correctly, so within 5 where it is within 2.5; and faster than PoCL's own.
std::string hyperbolic_tangent(Type type) {
  return fmt::format(
      "{0} {1}({0} a) {{\n"
      "  const {2} sign = as_{2}(a) & (int)0x80000000u;\n"
      "  const {0} size = as_{0}(as_{2}(a) ^ sign), x = size < 10.0f ? size : ({0})(10);\n"
      "  const {0} n = (x * 2.88539004f + 12582912.0f) - 12582912.0f;\n"
      "  const {0} r = fma(n, ({0})(1.90465421e-9f), fma(n, ({0})(-0.693147182f), 2 * x));\n"
      "  const {0} terms = fma(fma(fma(fma(({0})(1.39517151e-3f), r, ({0})(8.36959854e-3f)), r,\n"
      "      ({0})(4.16661873e-2f)), r, ({0})(0.166665122f)), r, ({0})(0.5f));\n"
      "  const {0} power = as_{0}((convert_{2}(n) + 127) << 23);\n"
      "  const {0} t = fma(power, fma(r * r, terms, r), power - 1);\n"
      "  return a != a ? a : as_{0}(as_{2}(t / (t + 2)) | sign);\n}}\n",
      opencl_type(type), helper_name(Function::tanh, type), opencl_type({Scalar::i32, type.lanes}));
}

// Of a vector with a large angle in one lane PoCL computes all lanes wrongly.
std::string tangents(Type type) {
  return fmt::format(
      "{0} {1}({0} a) {{\n  if (all(isless(fabs(a), ({0})(100)))) return tan(a);\n"
      "  return ({0})({2});\n}}\n",
      opencl_type(type), helper_name(Function::tan, type), lane_by_lane("tan", 1, type));
}

// The nearest multiple of pi / 2 is taken out, in three parts, and the rest goes into polynomials
// fitted to Chebyshev nodes: within 1.6 ulps for all angles below the bound. Faster than PoCL's
// own, which computes all lanes wrongly where one is large.
std::string sines(Function f, Type type, Helpers& helpers) {
  const bool is_sine = f == Function::sin;
  return fmt::format(
      "{0} {1}({0} a) {{\n"
      "  if (!{3}((a < 50000.0f) & (a > -50000.0f))) return ({0})({4});\n"
      "  const {0} n = (a * 0.636619747f + 12582912.0f) - 12582912.0f;\n"
      "  const {0} r = fma(n, ({0})(1.71512451e-15f), fma(n, ({0})(4.37113883e-8f),\n"
      "      fma(n, ({0})(-1.57079637f), a))), z = r * r;\n"
      "  const {0} s = fma(r * z, fma(fma(({0})(-1.95108689e-4f), z, ({0})(8.33213143e-3f)), z,\n"
      "      ({0})(-0.166666538f)), r);\n"
      "  const {0} c = fma(z * z, fma(fma(({0})(2.44312378e-5f), z, ({0})(-1.3887306e-3f)), z,\n"
      "      ({0})(4.16666456e-2f)), fma(z, ({0})(-0.5f), ({0})(1)));\n"
      "  const {2} quarters = convert_{2}(n){5};\n"
      "  const {0} value = (quarters & 1) != 0 ? c : s;\n"
      "  const {0} made = as_{0}(as_{2}(value) ^ ((quarters & 2) << 30));\n"
      "  return {6};\n}}\n",
      opencl_type(type), helper_name(f, type), opencl_type({Scalar::i32, type.lanes}),
      mask_test(false, type.lanes, helpers), lane_by_lane(built_in_name(f), 1, type),
      is_sine ? "" : " + 1", is_sine ? "a == 0.0f ? a : made" : "made");
}

// The logarithm to base 2 of what is positive, finite and not denormal, in two parts that together
// are within 2^-28 of it: that of a power of 2, and of what is left, from 2/3 to 4/3, by a
// polynomial fitted to Chebyshev nodes, whose first terms are summed up without rounding.
std::string logarithm_in_parts(Type type, Helpers& helpers) {
  const std::string name = fmt::format("vy_log2_parts_{}", ir::to_string(type));
  helpers.need(fmt::format(
      "{0} {1}({0} a, {0}* rest) {{\n"
      "  const {2} bits = as_{2}(a), k = (bits - 0x3f2aaaab) >> 23;\n"
      "  const {0} f = as_{0}(bits - (k << 23)) - 1, square = f * f, whole = convert_{0}(k);\n"
      "  const {0} terms = fma(fma(fma(fma(fma(fma(fma(fma(({0})(0.125358805f), f,\n"
      "      ({0})(-0.130059153f)), f, ({0})(0.106070243f)), f, ({0})(-0.121572681f)), f,\n"
      "      ({0})(0.143186972f)), f, ({0})(-0.166824996f)), f, ({0})(0.199990481f)), f,\n"
      "      ({0})(-0.249997512f)), f, ({0})(0.333333433f));\n"
      "  const {0} less = fma(square * f, terms, -0.5f * fma(f, f, -square));\n"
      "  const {0} first = fma(square, ({0})(-0.5f), f), high = first + less;\n"
      "  const {0} low = (first - high) + less + fma(square, ({0})(-0.5f), f - first);\n"
      "  const {0} part = high * 1.44269502f, sum = whole + part;\n"
      "  *rest = fma(high, ({0})(1.44269502f), -part) +\n"
      "      fma(high, ({0})(1.92596303e-8f), low * 1.44269502f) + ((whole - sum) + part);\n"
      "  return sum;\n}}\n",
      opencl_type(type), name, opencl_type({Scalar::i32, type.lanes})));
  return name;
}

// Within 0.7 ulps, and faster than PoCL's own.
std::string binary_logarithm(Type type, Helpers& helpers) {
  return fmt::format(
      "{0} {1}({0} a) {{\n"
      "  if (!{2}((a >= FLT_MIN) & (a <= FLT_MAX))) return log2(a);\n"
      "  {0} rest;\n  const {0} sum = {3}(a, &rest);\n  return sum + rest;\n}}\n",
      opencl_type(type), helper_name(Function::log2, type), mask_test(false, type.lanes, helpers),
      logarithm_in_parts(type, helpers));
}

// Of a constant nan PoCL's compiler makes a crash.
std::string power(Type type, const std::string& name) {
  return fmt::format(
      "{0} {1}({0} a, {0} b) {{\n"
      "  const {0} one = ({0})(1), zero = ({0})(0);\n"
      "  const {0} of_nan = (a == one) | (b == zero) ? one : a + b;\n"
      "  const {0} x = isunordered(a, b) ? one : a, y = isunordered(a, b) ? zero : b;\n"
      "  return isunordered(a, b) ? of_nan : pow(x, y);\n}}\n",
      opencl_type(type), name);
}

// Powers of what is positive, or of 0 with positive exponents, as powers of 2: within 12 of the 16
// ulps that are allowed, and faster than PoCL's own, to which all others are left.
std::string powers_of_floats(Type type, Helpers& helpers) {
  const std::string others = fmt::format("vy_pow_others_{}", ir::to_string(type));
  helpers.need(power(type, others));
  return fmt::format(
      "{0} {1}({0} a, {0} b) {{\n"
      "  const {2} fine = (((a >= FLT_MIN) & (a <= FLT_MAX)) | ((as_{2}(a) == 0) & (b > 0.0f)))\n"
      "      & (b > -1e30f) & (b < 1e30f);\n"
      "  if (!{3}(fine)) return {4}(a, b);\n"
      "  {0} rest;\n"
      "  const {0} logarithm = {5}(a == 0.0f ? ({0})(1) : a, &rest);\n"
      "  const {0} exact = b * logarithm;\n"
      "  const {0} exponent = clamp(exact, ({0})(-200), ({0})(200));\n"
      "  const {0} whole = (exponent + 12582912.0f) - 12582912.0f;\n"
      "  const {0} more = fma(b, logarithm, -exact) + b * rest;\n"
      "  const {0} g = (exponent - whole) + (exact == exponent ? more : ({0})(0));\n"
      "  const {0} power = fma(g, fma(fma(fma(fma(fma(({0})(1.54751455e-4f), g,\n"
      "      ({0})(1.34003372e-3f)), g, ({0})(9.61800851e-3f)), g, ({0})(5.55032752e-2f)), g,\n"
      "      ({0})(0.240226507f)), g, ({0})(0.693147182f)), ({0})(1));\n"
      "  const {2} n = convert_{2}(whole), half_of_n = n >> 1;\n"
      "  const {0} made = power * as_{0}((half_of_n + 127) << 23)\n"
      "      * as_{0}((n - half_of_n + 127) << 23);\n"
      "  return a == 0.0f ? ({0})(0) : made;\n}}\n",
      opencl_type(type), helper_name(Function::pow, type), opencl_type({Scalar::i32, type.lanes}),
      mask_test(false, type.lanes, helpers), others, logarithm_in_parts(type, helpers));
}

// PoCL's power of eight doubles takes some for infinite that are not.
std::string powers_of_doubles(Type type, Helpers& helpers) {
  const Type one = {type.scalar};
  helpers.need(power(one, helper_name(Function::pow, one)));
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
      return type.lanes == 1 || type.scalar == Scalar::f64 ? "" : sines(f, type, helpers);
    case tan:
      return type.lanes == 1 || type.scalar == Scalar::f64 ? "" : tangents(type);
    case pow:
      if (type.lanes == 1) return power(type, helper_name(f, type));
      return type.scalar == Scalar::f32 ? powers_of_floats(type, helpers)
                                        : powers_of_doubles(type, helpers);
    case log2:
      return type.lanes == 1 || type.scalar == Scalar::f64 ? "" : binary_logarithm(type, helpers);
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
    return mask_test(op == ir::BinaryOp::bit_or, from.lanes, helpers);
  }
  const bool adds = op == ir::BinaryOp::add;
  const std::string_view word = adds ? "sum" : op == ir::BinaryOp::min ? "min" : "max";
  std::string name = fmt::format("vy_{}_{}", word, ir::to_string(from));
  helpers.need(reduction(adds ? "" : min_or_max(op, from.scalar), from, name));
  return name;
}

}  // namespace vyre::emit
