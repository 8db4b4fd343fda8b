// CUDA C++ as NVRTC takes it, without headers.
//
// Vectors are a small template of our own: CUDA's have no operators and at most four lanes. Sums of
// products must not be contracted, which is a compile option there and not a pragma.
#include <fmt/format.h>

#include <array>

#include "emit/cuda_prelude.h"
#include "emit/dialect.h"
#include "emit/operators.h"
#include "emit/reserved_words.h"

namespace vyre::emit {
namespace {

using ir::Type;

std::string_view scalar_name(Scalar scalar) {
  constexpr std::array<std::string_view, 7> names = {
      "bool", "unsigned", "int", "float", "double", "unsigned long long", "long long"};
  return names[static_cast<std::size_t>(scalar)];
}

std::string type(Type t, Helpers& helpers) {
  if (t.lanes == 1) return std::string(scalar_name(t.scalar));
  need_cuda_vectors(helpers);
  return fmt::format("vy_vec<{}, {}>", scalar_name(t.scalar), t.lanes);
}

std::string_view stored(Scalar scalar) {
  constexpr std::array<std::string_view, 12> names = {
      "unsigned char", "unsigned",           "int",       "float",
      "double",        "unsigned long long", "long long", "unsigned char",
      "signed char",   "unsigned short",     "short",     "unsigned short"};
  return names[static_cast<std::size_t>(scalar)];
}

std::string head(bool /*uses_f64*/) { return {}; }

std::string kernel(std::string_view name, const std::optional<Extent>& workgroup) {
  if (!workgroup) return fmt::format("extern \"C\" __global__ void {}", name);
  const auto [x, y, z] = *workgroup;
  return fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}",
                     std::uint64_t{x} * y * z, name);
}

std::string parameter(const ir::Buffer& buffer, std::string_view name) {
  return fmt::format("{}{}* __restrict__ {}", buffer.access == Access::read ? "const " : "",
                     stored(buffer.element), name);
}

std::string id(ir::IdKind kind, int dim) {
  constexpr std::array<std::string_view, 6> forms = {"blockIdx.{0} * blockDim.{0} + threadIdx.{0}",
                                                     "threadIdx.{0}",
                                                     "blockIdx.{0}",
                                                     "blockDim.{0}",
                                                     "gridDim.{0}",
                                                     "gridDim.{0} * blockDim.{0}"};
  return fmt::format(fmt::runtime(forms[static_cast<std::size_t>(kind)]), "xyz"[dim]);
}

std::string wide_invocation(int dim) {
  return fmt::format("(unsigned long long){}", id(ir::IdKind::invocation, dim));
}

Code float_from_bits(Literal value) {
  return {value.scalar == Scalar::f32 ? fmt::format("__uint_as_float({:#x}u)", value.bits)
                                      : fmt::format("__longlong_as_double({:#x}ll)", value.bits)};
}

std::string_view helper_of_integers(Function f) {
  switch (f) {
    case Function::abs:
      return "vy_abs";
    case Function::popcount:
      return "vy_popcount";
    case Function::clz:
      return "vy_clz";
    case Function::div:
      return "vy_div";
    default:
      return "vy_rem";
  }
}

// CUDA's own function, or a helper.
std::string scalar_function(Function f, Scalar scalar, Helpers& helpers) {
  constexpr std::array<std::string_view, 22> of_floats = {
      "fabs",  "sqrt", "exp",   "log", "sin", "cos",  "tan",  "tanh", "rsqrt", "exp2", "log2",
      "floor", "ceil", "round", "",    "",    "fmin", "fmax", "pow",  "fma",   "",     ""};
  if (is_float(scalar)) {
    return fmt::format("{}{}", of_floats[static_cast<std::size_t>(f)],
                       scalar == Scalar::f32 ? "f" : "");
  }
  if (f == Function::min) return "min";
  if (f == Function::max) return "max";
  const std::string_view name = helper_of_integers(f);
  need_cuda_scalar(name, helpers);
  return std::string(name);
}

Code call_all(std::string_view name, std::span<const Code> arguments) {
  std::string list;
  for (const Code& argument : arguments) list += (list.empty() ? "" : ", ") + argument.text;
  return {fmt::format("{}({})", name, list)};
}

Code function(Function f, Type t, std::span<const Code> arguments, Helpers& helpers) {
  std::string name = scalar_function(f, t.scalar, helpers);
  if (t.lanes > 1) name = need_cuda_lifted(name, static_cast<int>(arguments.size()), helpers);
  return call_all(name, arguments);
}

Code comparison(Type /*type*/, Code mask) { return mask; }

Code select(Type /*type*/, const Code& cond, const Code& yes, const Code& no, Helpers& helpers) {
  need_cuda_vectors(helpers);
  return call("vy_select", cond, yes, no);
}

// A change of type that C++ itself defines as we do.
Code cast(Type from, Scalar to, const Code& value) {
  if (from.lanes > 1) return call(fmt::format("vy_convert<{}>", scalar_name(to)), value);
  return {fmt::format("({}){}", scalar_name(to), value.at(Precedence::unary)), Precedence::unary};
}

Code apply(std::string name, Type from, const Code& value, Helpers& helpers) {
  if (from.lanes > 1) name = need_cuda_lifted(name, 1, helpers);
  return call(name, value);
}

Code convert(Type from, Scalar to, const Code& value, Helpers& helpers) {
  if (!is_float(from.scalar) || !is_integer(to)) return cast(from, to, value);
  const std::string name =
      fmt::format("vy_to_{}{}", is_long(to) ? "l" : "", is_signed(to) ? "int" : "uint");
  need_cuda_scalar(name, helpers);
  return apply(name, from, value, helpers);
}

Code bitcast(Type from, Scalar to, const Code& value, Helpers& helpers) {
  if (!is_float(from.scalar) && !is_float(to)) return cast(from, to, value);
  const auto word = [](Scalar scalar) {
    return scalar == Scalar::u32 ? "uint" : scalar_name(scalar);
  };
  return apply(fmt::format("__{}_as_{}", word(from.scalar), word(to)), from, value, helpers);
}

Code splat(Type to, const Code& value, Helpers& helpers) {
  need_cuda_vectors(helpers);
  return call(fmt::format("vy_splat<{}, {}>", scalar_name(to.scalar), to.lanes), value);
}

Code vector(Type to, std::span<const Code> lanes, Helpers& helpers) {
  need_cuda_vectors(helpers);
  return call_all(fmt::format("vy_make<{}>", scalar_name(to.scalar)), lanes);
}

Code lane(Type /*from*/, const Code& value, std::uint8_t lane) {
  return {fmt::format("{}.s[{}]", value.at(Precedence::primary), lane)};
}

// The function that combines two lanes.
std::string combination(ir::BinaryOp op, Scalar scalar, Helpers& helpers) {
  using enum ir::BinaryOp;
  if (op == min) return scalar_function(Function::min, scalar, helpers);
  if (op == max) return scalar_function(Function::max, scalar, helpers);
  const std::string name = op == add ? "vy_add" : op == bit_or ? "vy_or" : "vy_and";
  need_cuda_scalar(name, helpers);
  return name;
}

Code reduce(ir::BinaryOp op, Type from, const Code& value, Helpers& helpers) {
  return call(need_cuda_reduction(combination(op, from.scalar, helpers), helpers), value);
}

Code place(const Element& e) {
  return {fmt::format("{} + {}", e.name, e.index.at(Precedence::multiplicative)),
          Precedence::additive};
}

// The element as it is stored, where a bool is a byte and an f16 its bits.
Code load_stored(const Element& from, Helpers& helpers) {
  if (from.lanes > 1) {
    need_cuda_access("vy_load_lanes", helpers);
    const std::string name = fmt::format("vy_load_lanes<{}>", from.lanes);
    return from.count ? call(name, Code{from.name}, *from.count, from.index)
                      : call(name, place(from));
  }
  if (!from.count) return {fmt::format("{}[{}]", from.name, from.index.text)};
  need_cuda_access("vy_load", helpers);
  return call("vy_load", Code{from.name}, *from.count, from.index);
}

Code load(const Element& from, Helpers& helpers) {
  Code value = load_stored(from, helpers);
  const Scalar stored = from.buffer->element;
  if (stored == Scalar::f16) {
    need_cuda_scalar("vy_half_to_float", helpers);
    return apply("vy_half_to_float", from.type(), value, helpers);
  }
  if (is_narrow(stored)) return cast(from.type(), from.type().scalar, value);
  if (stored != Scalar::boolean) return value;
  return from.lanes > 1 ? call("vy_convert<bool>", value) : infix(ir::BinaryOp::ne, value, {"0"});
}

// What an assignment to the stored type, which keeps low bits, does not do itself.
Code as_stored(const Element& to, const Code& value, Helpers& helpers) {
  if (to.buffer->element != Scalar::f16) return value;
  need_cuda_scalar("vy_float_to_half", helpers);
  return apply("vy_float_to_half", to.type(), value, helpers);
}

std::string store(const Element& to, const Code& given, Helpers& helpers) {
  const Code value = as_stored(to, given, helpers);
  if (to.lanes == 1 && !to.count) {
    return fmt::format("{}[{}] = {};", to.name, to.index.text, value.text);
  }
  const std::string_view name = to.lanes > 1 ? "vy_store_lanes" : "vy_store";
  need_cuda_access(name, helpers);
  const Code done = to.count ? call(name, Code{to.name}, *to.count, to.index, value)
                             : call(name, place(to), value);
  return done.text + ";";
}

std::string atomic_add(const Element& to, const Code& value, Helpers& helpers) {
  if (!to.count) return fmt::format("atomicAdd(&{}[{}], {});", to.name, to.index.text, value.text);
  need_cuda_access("vy_atomic_add", helpers);
  return call("vy_atomic_add", Code{to.name}, *to.count, to.index, value).text + ";";
}

constexpr std::array<std::string_view, 2> options = {"--std=c++17", "--fmad=false"};

constexpr Dialect dialect = {
    .is_reserved = is_cuda_word,
    .is_reserved_entry = is_cuda_global,
    .head = head,
    .kernel = kernel,
    .parameter = parameter,
    .shared = "__shared__",
    .barrier = "__syncthreads();",
    .branch_ends_with_barrier = false,
    .id = id,
    .wide_invocation = wide_invocation,
    .type = type,
    .stored = stored,
    .long_suffix = "ll",
    .shifts_modulo_bits = false,
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
    .shuffle = nullptr,
    .swizzle = nullptr,
    .load = load,
    .store = store,
    .atomic_add = atomic_add,
    .compile_options = options,
};

}  // namespace

const Dialect& cuda_dialect() { return dialect; }

}  // namespace vyre::emit
