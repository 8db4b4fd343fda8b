#include "emit/opencl_helpers.h"

#include <fmt/format.h>

#include <array>

#include "emit/operators.h"

namespace vyre::emit {
namespace {

using ir::Type;

std::string_view space_of(const Element& e) {
  constexpr std::array<std::string_view, 3> spaces = {"__global", "__local", "__private"};
  return spaces[static_cast<std::size_t>(e.buffer->memory)];
}

// "vy_load_f32x4", with "_local" or "_private" for what is not global: pointers have other types.
std::string access_name(std::string_view verb, const Element& e) {
  const bool global = e.buffer->memory == ir::Memory::global;
  return fmt::format("vy_{}_{}{}", verb, ir::to_string(e.stored()),
                     global ? "" : space_of(e).substr(1));
}

// "x + i", the address that vload and vstore count from.
std::string address(std::string_view buffer, const Code& index) {
  if (index.text == "0u") return std::string(buffer);
  return fmt::format("{} + {}", buffer, index.at(Precedence::multiplicative));
}

std::string inside(std::uint8_t lanes) {
  if (lanes == 1) return "i < count";
  return fmt::format("count >= {0}u && i <= count - {0}u", lanes);
}

}  // namespace

std::string opencl_type(Type type) {
  constexpr std::array<std::string_view, 7> names = {"bool",   "uint",  "int", "float",
                                                     "double", "ulong", "long"};
  if (type.lanes == 1) return std::string(names[static_cast<std::size_t>(type.scalar)]);
  const Scalar scalar = type.scalar == Scalar::boolean ? Scalar::i32 : type.scalar;
  return fmt::format("{}{}", names[static_cast<std::size_t>(scalar)], type.lanes);
}

std::string_view opencl_stored(Scalar scalar) {
  constexpr std::array<std::string_view, 12> names = {"uchar",  "uint",   "int",   "float",
                                                      "double", "ulong",  "long",  "uchar",
                                                      "char",   "ushort", "short", "ushort"};
  return names[static_cast<std::size_t>(scalar)];
}

namespace {

// Macros that load and store a vector at an element's address. Libraries of some drivers make two
// or four accesses of a vload or vstore, which costs dearly when what was just stored is loaded
// whole; clang, which most drivers are made of, can be told that a vector need not be aligned.
std::string vector_access(const Element& element, Helpers& helpers) {
  const std::string vector =
      fmt::format("{}{}", opencl_stored(element.buffer->element), element.lanes);
  helpers.need(
      fmt::format("#ifdef __clang__\n"
                  "typedef {0} vy_{0} __attribute__((aligned({1})));\n"
                  "#endif\n",
                  vector, storage_bytes(element.buffer->element)));
  const std::string_view space = space_of(element);
  const std::string name = fmt::format("{}_{}", vector, space.substr(2));
  helpers.need(
      fmt::format("#ifdef __clang__\n"
                  "#define vy_load_{0}(p) (*({1} const vy_{2}*)(p))\n"
                  "#define vy_store_{0}(v, p) (*({1} vy_{2}*)(p) = (v))\n"
                  "#else\n"
                  "#define vy_load_{0}(p) vload{3}(0, p)\n"
                  "#define vy_store_{0}(v, p) vstore{3}(v, 0, p)\n"
                  "#endif\n",
                  name, space, vector, element.lanes));
  return name;
}

// A function that stores a vector past the caches, where clang knows how to and the vector is
// aligned; else it is stored as ever.
std::string vector_stream(const Element& to, Helpers& helpers) {
  const std::string access = vector_access(to, helpers);
  const std::string_view scalar = opencl_stored(to.buffer->element);
  const std::string vector = fmt::format("{}{}", scalar, to.lanes);
  helpers.need(
      fmt::format("#ifndef __has_builtin\n"
                  "#define __has_builtin(name) 0\n"
                  "#endif\n"
                  "void vy_stream_{0}({0} v, __global {1}* p) {{\n"
                  "#if __has_builtin(__builtin_nontemporal_store)\n"
                  "  if (((size_t)p & {2}u) == 0) {{\n"
                  "    __builtin_nontemporal_store(v, (__global {0}*)p);\n"
                  "    return;\n"
                  "  }}\n"
                  "#endif\n"
                  "  vy_store_{3}(v, p);\n}}\n",
                  vector, scalar, to.lanes * storage_bytes(to.buffer->element) - 1, access));
  return "vy_stream_" + vector;
}

// "vy_float4_of_half" and "vy_half4_of_float": core OpenCL converts halves where they are in
// memory, without half arithmetic. That is a variable here and not the buffer: PoCL 3.1 stores
// vectors of halves as if they were aligned.
std::string need_half(std::uint8_t lanes, bool loads, Helpers& helpers) {
  const std::string n = lanes == 1 ? "" : std::to_string(lanes);
  if (loads) {
    helpers.need(
        fmt::format("float{0} vy_float{0}_of_half(ushort{0} a) {{\n"
                    "  return vload_half{0}(0, (__private const half*)&a);\n}}\n",
                    n));
    return fmt::format("vy_float{}_of_half", n);
  }
  helpers.need(
      fmt::format("ushort{0} vy_half{0}_of_float(float{0} a) {{\n  ushort{0} r;\n"
                  "  vstore_half{0}_rte(a, 0, (__private half*)&r);\n  return r;\n}}\n",
                  n));
  return fmt::format("vy_half{}_of_float", n);
}

// What was loaded, as a value. A scalar is cast: narrow ones would all become int.
Code value_of(const Element& from, const Code& raw, Helpers& helpers) {
  const Scalar stored = from.buffer->element;
  const std::string type = opencl_type(from.type());
  if (stored == Scalar::f16) return call(need_half(from.lanes, true, helpers), raw);
  if (stored == Scalar::boolean && from.lanes == 1) return infix(ir::BinaryOp::ne, raw, {"0"});
  if (stored == Scalar::boolean) {
    return {fmt::format("convert_int{0}({1} != (uchar{0})(0))", from.lanes, raw.text)};
  }
  if (!is_narrow(stored)) return raw;
  if (from.lanes > 1) return call("convert_" + type, raw);
  return {fmt::format("({}){}", type, raw.at(Precedence::unary)), Precedence::unary};
}

// A value as it is stored.
Code stored_of(const Element& to, const Code& value, Helpers& helpers) {
  const Scalar stored = to.buffer->element;
  if (stored == Scalar::f16) return call(need_half(to.lanes, false, helpers), value);
  if (stored == Scalar::boolean && to.lanes > 1) {
    return {fmt::format("convert_uchar{}({} & 1)", to.lanes, value.at(Precedence::unary))};
  }
  if (!is_narrow(stored)) return value;
  if (to.lanes > 1)
    return call(fmt::format("convert_{}{}", opencl_stored(stored), to.lanes), value);
  return {fmt::format("({}){}", opencl_stored(stored), value.at(Precedence::unary)),
          Precedence::unary};
}

Code load_at(const Element& from, std::string_view buffer, const Code& index, Helpers& helpers) {
  const Code raw = {from.lanes == 1 ? fmt::format("{}[{}]", buffer, index.text)
                                    : fmt::format("vy_load_{}({})", vector_access(from, helpers),
                                                  address(buffer, index))};
  return value_of(from, raw, helpers);
}

std::string store_at(const Element& to, std::string_view buffer, const Code& index,
                     const Code& value, Helpers& helpers) {
  const Code raw = stored_of(to, value, helpers);
  if (to.lanes == 1) return fmt::format("{}[{}] = {};", buffer, index.text, raw.text);
  const std::string function = to.buffer->nontemporal ? vector_stream(to, helpers)
                                                      : "vy_store_" + vector_access(to, helpers);
  return fmt::format("{}(({}), {});", function, raw.text, address(buffer, index));
}

}  // namespace

Code opencl_load(const Element& from, Helpers& helpers) {
  return load_at(from, from.name, from.index, helpers);
}

std::string opencl_store(const Element& to, const Code& value, Helpers& helpers) {
  return store_at(to, to.name, to.index, value, helpers);
}

// One element is loaded in any case, the first where the index is outside (memory of an empty
// buffer has room for it): a branch would keep compilers from making vectors of neighbouring loads.
std::string opencl_guarded_load(const Element& from, Helpers& helpers) {
  const std::string name = access_name("load", from);
  const Code value = load_at(from, "x", {from.lanes == 1 ? "(i < count ? i : 0)" : "i"}, helpers);
  const std::string type = opencl_type(from.type());
  const std::string made =
      from.lanes == 1
          ? fmt::format("const {0} value = {1};\n  return i < count ? value : ({0})(0);", type,
                        value.text)
          : fmt::format("return {1} ? {2} : ({0})(0);", type, inside(from.lanes), value.text);
  helpers.need(fmt::format("{} {}({} const {}* x, uint count, uint i) {{\n  {}\n}}\n", type, name,
                           space_of(from), opencl_stored(from.buffer->element), made));
  return name;
}

std::string opencl_guarded_store(const Element& to, Helpers& helpers) {
  const std::string name = access_name(to.buffer->nontemporal ? "stream" : "store", to);
  const std::string write = store_at(to, "x", {"i"}, {"value"}, helpers);
  helpers.need(
      fmt::format("void {}({} {}* x, uint count, uint i, {} value) {{\n"
                  "  if ({}) {}\n}}\n",
                  name, space_of(to), opencl_stored(to.buffer->element), opencl_type(to.type()),
                  inside(to.lanes), write));
  return name;
}

// Floats have no atomic_add in OpenCL 1.2: the bits are exchanged if nobody else did so since they
// were read.
std::string opencl_atomic(const Element& to, Helpers& helpers) {
  if (to.buffer->element != Scalar::f32) return "atomic_add";
  const std::string name = access_name("atomic_add", to);
  helpers.need(
      fmt::format("void {0}(volatile {1} float* x, float value) {{\n"
                  "  volatile {1} uint* bits = (volatile {1} uint*)x;\n"
                  "  uint seen = atomic_add(bits, 0u);\n"
                  "  for (uint before = ~seen; seen != before;) {{\n"
                  "    before = seen;\n"
                  "    seen = atomic_cmpxchg(bits, before, as_uint(as_float(before) + value));\n"
                  "  }}\n}}\n",
                  name, space_of(to)));
  return name;
}

std::string opencl_guarded_atomic(const Element& to, Helpers& helpers) {
  const std::string name = access_name("guarded_add", to);
  helpers.need(fmt::format(
      "void {0}({1} {2}* x, uint count, uint i, {2} value) {{\n"
      "  if (i < count) {3}(&x[i], value);\n}}\n",
      name, space_of(to), opencl_stored(to.buffer->element), opencl_atomic(to, helpers)));
  return name;
}

}  // namespace vyre::emit
