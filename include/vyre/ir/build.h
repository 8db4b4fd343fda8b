// Builds programs in C++ so that the code reads like the kernel it builds.
//
//   Builder k("saxpy");
//   const Value n = k.uniform("n", 1024U);
//   const Value a = k.uniform("a", 2.0F);
//   const BufferRef x = k.read("x", Scalar::f32, n);
//   const BufferRef y = k.read_write("y", Scalar::f32, n);
//   k.grid(n);
//   const Value i = k.let("i", invocation(0));
//   y[i] = fma(a, x[i], y[i]);
//   auto program = k.finish();        // the program, or all the problems found
//
// A number in C++ takes the type of the operand beside it: x[i] * 2 + 1 is f32 where x is. Mistakes
// in types are not caught here but by finish(), which validates. A variable may be given a name
// that is taken: it gets a number, so that code which makes many need not invent names.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class Builder;

// An expression with the operators of the language. == compares at run time of the program; to
// compare expressions in C++ compare expr().
class Value {
 public:
  Value(Expr expr) : expr_(std::move(expr)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] const Expr& expr() const { return expr_; }
  [[nodiscard]] Value lane(std::uint8_t index) const { return Expr(Lane{expr_, index}); }

 private:
  Expr expr_;
};

template <class T>
concept Number = std::is_arithmetic_v<T>;

// A literal of this type, splatted to its lanes.
[[nodiscard]] Value constant(double value, Type type);
[[nodiscard]] Value constant(bool value);
[[nodiscard]] Value constant(std::uint32_t value);
[[nodiscard]] Value constant(std::int32_t value);
[[nodiscard]] Value constant(float value);
[[nodiscard]] Value constant(double value);

[[nodiscard]] Value binary(BinaryOp op, const Value& a, const Value& b);
[[nodiscard]] Value unary(UnaryOp op, const Value& a);

// Either side may be a C++ number; operators are found for Value, BufferRef elements and variables
// alike because these convert to Value.
template <class T>
concept Operand = std::convertible_to<T, Value>;

#define VYRE_BINARY(function, op)                                                              \
  template <Operand A, Operand B>                                                              \
  [[nodiscard]] Value function(const A& a, const B& b) {                                       \
    return binary(BinaryOp::op, a, b);                                                         \
  }                                                                                            \
  template <Operand A, Number B>                                                               \
  [[nodiscard]] Value function(const A& a, B b) {                                              \
    const Value& left = a;                                                                     \
    return binary(BinaryOp::op, left, constant(static_cast<double>(b), left.expr().type()));   \
  }                                                                                            \
  template <Number A, Operand B>                                                               \
  [[nodiscard]] Value function(A a, const B& b) {                                              \
    const Value& right = b;                                                                    \
    return binary(BinaryOp::op, constant(static_cast<double>(a), right.expr().type()), right); \
  }
VYRE_BINARY(operator+, add)
VYRE_BINARY(operator-, sub)
VYRE_BINARY(operator*, mul)
VYRE_BINARY(operator/, div)
VYRE_BINARY(operator%, rem)
VYRE_BINARY(operator&, bit_and)
VYRE_BINARY(operator|, bit_or)
VYRE_BINARY(operator^, bit_xor)
VYRE_BINARY(operator<<, shl)
VYRE_BINARY(operator>>, shr)
VYRE_BINARY(operator==, eq)
VYRE_BINARY(operator!=, ne)
VYRE_BINARY(operator<, lt)
VYRE_BINARY(operator<=, le)
VYRE_BINARY(operator>, gt)
VYRE_BINARY(operator>=, ge)
VYRE_BINARY(min, min)
VYRE_BINARY(max, max)
#undef VYRE_BINARY

[[nodiscard]] Value operator-(const Value& a);
[[nodiscard]] Value operator~(const Value& a);
[[nodiscard]] Value operator!(const Value& a);
[[nodiscard]] Value abs(const Value& a);
[[nodiscard]] Value sqrt(const Value& a);
[[nodiscard]] Value exp(const Value& a);
[[nodiscard]] Value log(const Value& a);
[[nodiscard]] Value fma(const Value& a, const Value& b, const Value& c);
[[nodiscard]] Value select(const Value& cond, const Value& yes, const Value& no);
[[nodiscard]] Value convert(Scalar to, const Value& a);
[[nodiscard]] Value bitcast(Scalar to, const Value& a);
[[nodiscard]] Value splat(std::uint8_t lanes, const Value& a);
[[nodiscard]] Value vector(const std::vector<Value>& lanes);

[[nodiscard]] Value invocation(std::uint8_t dim);
[[nodiscard]] Value local(std::uint8_t dim);
[[nodiscard]] Value group(std::uint8_t dim);
[[nodiscard]] Value workgroup(std::uint8_t dim);
[[nodiscard]] Value groups(std::uint8_t dim);
[[nodiscard]] Value grid(std::uint8_t dim);

// One or several consecutive elements: a Value when read, a store when assigned to.
class Element {
 public:
  operator Value() const;  // NOLINT(google-explicit-constructor): an element reads as its value
  void operator=(const Value& value) const;
  void operator=(const Element& other) const { *this = Value(other); }
  template <Number T>
  void operator=(T value) const {
    *this = constant(static_cast<double>(value), {element_, lanes_});
  }
  // Adds indivisibly, as `atomic buffer[i] += value`.
  void atomic_add(const Value& value) const;

 private:
  friend class BufferRef;
  Element(Builder& builder, std::string buffer, Scalar element, Value index, std::uint8_t lanes)
      : builder_(builder),
        buffer_(std::move(buffer)),
        element_(element),
        index_(std::move(index)),
        lanes_(lanes) {}

  Builder& builder_;
  std::string buffer_;
  Scalar element_;
  Value index_;
  std::uint8_t lanes_;
};

class BufferRef {
 public:
  template <Operand T>
  [[nodiscard]] Element operator[](const T& index) const {
    return at(index, 1);
  }
  [[nodiscard]] Element operator[](std::uint32_t index) const { return at(constant(index), 1); }
  // `lanes` elements from `index` on, as a vector.
  [[nodiscard]] Element at(const Value& index, std::uint8_t lanes) const {
    return {builder_, name_, element_, index, lanes};
  }

 private:
  friend class Builder;
  BufferRef(Builder& builder, std::string name, Scalar element)
      : builder_(builder), name_(std::move(name)), element_(element) {}

  Builder& builder_;
  std::string name_;
  Scalar element_;
};

// A variable that can be assigned.
class Variable {
 public:
  Variable(const Variable&) = default;
  operator Value() const;  // NOLINT(google-explicit-constructor): a variable reads as its value
  void operator=(const Value& value) const;
  void operator=(const Variable& other) const { *this = Value(other); }
  void operator+=(const Value& value) const { *this = Value(*this) + value; }

 private:
  friend class Builder;
  Variable(Builder& builder, std::string name, Type type)
      : builder_(builder), name_(std::move(name)), type_(type) {}

  Builder& builder_;
  std::string name_;
  Type type_;
};

class Builder {
 public:
  explicit Builder(std::string name) { program_.name = std::move(name); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // Declarations.
  template <Number T>
  Value uniform(std::string name, T value) {
    return uniform(std::move(name), *as<Literal>(literal(value)));
  }
  Value uniform(std::string name, Literal value);
  BufferRef read(std::string name, Scalar element, const Value& count);
  BufferRef write(std::string name, Scalar element, const Value& count);
  BufferRef read_write(std::string name, Scalar element, const Value& count);
  BufferRef shared(std::string name, Scalar element, const Value& count);
  void grid(const Value& x, const Value& y = constant(1U), const Value& z = constant(1U));
  void workgroup(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);

  // Statements.
  Value let(std::string name, const Value& value);
  Variable var(std::string name, const Value& value);
  void when(const Value& cond, const std::function<void()>& then,
            const std::function<void()>& otherwise = {});
  void loop(std::string name, const Value& begin, const Value& end,
            const std::function<void(Value)>& body);
  void loop(std::string name, const Value& begin, const Value& end, const Value& step,
            const std::function<void(Value)>& body);
  void barrier();
  void region(std::string name, const std::function<void()>& body);
  void add(Stmt stmt) { open_.back()->push_back(std::move(stmt)); }

  [[nodiscard]] Result<Program> finish() const;

 private:
  BufferRef buffer(std::string name, Scalar element, const Value& count, Access access,
                   Memory memory);
  Block inside(const std::function<void()>& body);
  std::string declared(const std::string& name);

  Program program_;
  std::unordered_set<std::string> visible_;
  std::vector<std::string> scope_;  // the variables among them, in the order of declaration
  std::unordered_map<std::string, unsigned> repeats_;
  std::vector<Block*> open_ = {&program_.body};
};

}  // namespace vyre::ir
