// Builds programs in C++ so that the code reads like the kernel it builds.
//
//   Builder k("saxpy");
//   const Value n = k.uniform("n", 1024U);
//   const Value a = k.uniform("a", 2.0F);
//   const BufferRef x = k.read("x", Scalar::f32, n);
//   const BufferRef y = k.read_write("y", Scalar::f32, n);
//   k.grid(n);
//   const Value i = k.let("i", invocation(0));
//   const Value old = y[i];           // what y[i] holds here, whatever is stored later
//   y[i] = a * x[i] + 1;              // y[i] += a * x[i] and the like work too
//   k.when(old < 0 || old > 1, [&] { y[i] = old; });
//   auto program = k.finish();        // the program, or all the problems found
//
// A Value is what was there when it was made. Where its buffer or variable changes before the Value
// is used (a store, an atomic, an assignment, a barrier if the buffer can be written, another pass
// of a loop), the program gets a `let` where the Value was made; else the read stays where it is
// used. A name for an element is no value: `const auto old = y[i]` can be assigned, not read.
//
// Problems have the line and column in C++ and name the file. A variable may be given a name that
// is taken: it gets a number, so that code which makes many need not invent names.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/value.h"

namespace vyre::ir {

class Builder;
class Element;
class Variable;

// A value on its way into a statement, with the place of the statement.
class Input {
 public:
  Input(Value value, SourceLocation at = SourceLocation::here())  // NOLINT: as the next three
      : value_(std::move(value)), at_(at) {}
  Input(Element&& element, SourceLocation at = SourceLocation::here());         // NOLINT
  Input(const Variable& variable, SourceLocation at = SourceLocation::here());  // NOLINT
  template <CppNumber T>
  Input(T number, SourceLocation at = SourceLocation::here())  // NOLINT
      : value_(number, at), at_(at) {}

  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] SourceLocation at() const { return at_; }

 private:
  Value value_;
  SourceLocation at_;
};

// The compound assignments of a Target, each an update.
template <class Target>
class Updated {
 public:
  void operator+=(const Input& value) const { self().update(BinaryOp::add, value); }
  void operator-=(const Input& value) const { self().update(BinaryOp::sub, value); }
  void operator*=(const Input& value) const { self().update(BinaryOp::mul, value); }
  void operator/=(const Input& value) const { self().update(BinaryOp::div, value); }
  void operator%=(const Input& value) const { self().update(BinaryOp::rem, value); }
  void operator&=(const Input& value) const { self().update(BinaryOp::bit_and, value); }
  void operator|=(const Input& value) const { self().update(BinaryOp::bit_or, value); }
  void operator^=(const Input& value) const { self().update(BinaryOp::bit_xor, value); }
  void operator<<=(const Input& value) const { self().update(BinaryOp::shl, value); }
  void operator>>=(const Input& value) const { self().update(BinaryOp::shr, value); }

 private:
  friend Target;
  Updated() = default;
  [[nodiscard]] const Target& self() const { return static_cast<const Target&>(*this); }
};

// One or several consecutive elements: a Value when read, a store when assigned to.
class Element : public Updated<Element> {
 public:
  operator Value() const&& { return load(); }  // NOLINT(google-explicit-constructor)
  // An element with a name would be read where it is used: name its value, `const Value old =
  // y[i]`, or say load().
  operator Value() const& = delete;  // NOLINT(google-explicit-constructor)
  // The value here and now.
  [[nodiscard]] Value load() const;

  void operator=(const Input& value) const;
  void operator=(const Element& other) const = delete;
  void operator=(Element&& other) const { *this = Input(other.load(), at_); }  // NOLINT
  // Adds indivisibly, as `atomic buffer[i] += value`.
  void atomic_add(const Value& value, SourceLocation at = SourceLocation::here()) const;

 private:
  friend class BufferRef;
  friend class Updated<Element>;
  Element(Builder& builder, std::string buffer, Type type, Value index, SourceLocation at)
      : builder_(builder),
        buffer_(std::move(buffer)),
        type_(type),
        index_(std::move(index)),
        at_(at) {}
  void update(BinaryOp op, const Input& value) const;

  Builder& builder_;
  std::string buffer_;
  Type type_;  // of what is in memory
  Value index_;
  SourceLocation at_;
};

class BufferRef {
 public:
  [[nodiscard]] Element operator[](const Input& index) const {
    return at(index.value(), 1, index.at());
  }
  // `lanes` elements from `index` on, as a vector.
  [[nodiscard]] Element at(const Value& index, std::uint8_t lanes,
                           SourceLocation at = SourceLocation::here()) const {
    return {builder_, name_, {element_, lanes}, index, at};
  }

 private:
  friend class Builder;
  BufferRef(Builder& builder, std::string name, Scalar element)
      : builder_(builder), name_(std::move(name)), element_(element) {}

  Builder& builder_;
  std::string name_;
  Scalar element_;
};

// A variable that can be assigned. A copy would be another name for it, not its value, so there is
// none: `const Value old = v`.
class Variable : public Updated<Variable> {
 public:
  Variable(const Variable&) = delete;
  Variable(Variable&&) = default;
  operator Value() const;  // NOLINT(google-explicit-constructor): a variable reads as its value

  void operator=(const Input& value) const;
  void operator=(const Variable& other) const { *this = Input(Value(other), at_); }
  void operator++() const { update(BinaryOp::add, {1, at_}); }
  void operator--() const { update(BinaryOp::sub, {1, at_}); }

 private:
  friend class Builder;
  friend class Updated<Variable>;
  Variable(Builder& builder, std::string name, Type type, std::uint32_t block, SourceLocation at)
      : builder_(builder), name_(std::move(name)), type_(type), block_(block), at_(at) {}
  void update(BinaryOp op, const Input& value) const;

  Builder& builder_;
  std::string name_;
  Type type_;
  std::uint32_t block_;  // that it was declared in
  SourceLocation at_;    // of the declaration
};

// A C++ function that adds the statements of a block. It is called before the function that it is
// given to returns, and only seen, not kept.
template <class... Arguments>
class Body {
 public:
  Body() = default;
  template <std::invocable<Arguments...> Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, Body>)
  Body(Function&& function)  // NOLINT: a lambda is a body
      : function_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* f, const Arguments&... arguments) {
          (*static_cast<std::remove_reference_t<Function>*>(f))(arguments...);
        }) {}

  void operator()(const Arguments&... arguments) const {
    if (call_ != nullptr) call_(function_, arguments...);
  }

 private:
  void* function_ = nullptr;
  void (*call_)(void*, const Arguments&...) = nullptr;
};

class Builder {
 public:
  explicit Builder(std::string name);
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // Declarations. A uniform's default is a C++ number or a constant().
  Value uniform(std::string name, const Value& value, SourceLocation at = SourceLocation::here());
  Value uniform(std::string name, Literal value, SourceLocation at = SourceLocation::here());
  BufferRef read(std::string name, Scalar element, const Value& count,
                 SourceLocation at = SourceLocation::here());
  BufferRef write(std::string name, Scalar element, const Value& count,
                  SourceLocation at = SourceLocation::here());
  BufferRef read_write(std::string name, Scalar element, const Value& count,
                       SourceLocation at = SourceLocation::here());
  BufferRef shared(std::string name, Scalar element, const Value& count,
                   SourceLocation at = SourceLocation::here());
  BufferRef private_buffer(std::string name, Scalar element, const Value& count,
                           SourceLocation at = SourceLocation::here());
  void grid(const Value& x, const Value& y = constant(1U), const Value& z = constant(1U),
            SourceLocation at = SourceLocation::here());
  void workgroup(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
  // The results are the same in this one (see ir::Program).
  void or_workgroup(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
  // The order of float arithmetic does not matter (see ir::Program).
  void reassociate();

  // Statements.
  Value let(std::string name, const Value& value, SourceLocation at = SourceLocation::here());
  Variable var(std::string name, const Value& value, SourceLocation at = SourceLocation::here());
  void when(const Value& cond, const Body<>& then, const Body<>& otherwise = {},
            SourceLocation at = SourceLocation::here());
  void loop(std::string name, const Value& begin, const Value& end, const Body<Value>& body,
            SourceLocation at = SourceLocation::here());
  void loop(std::string name, const Value& begin, const Value& end, const Value& step,
            const Body<Value>& body, SourceLocation at = SourceLocation::here());
  // While the value holds that the function gives, which is computed before each iteration.
  using Condition = std::function<Value()>;
  void loop_while(const Condition& cond, const Body<>& body,
                  SourceLocation at = SourceLocation::here());
  // Leaves the nearest loop_while around it, as `break`.
  void leave_loop(SourceLocation at = SourceLocation::here());
  void barrier(SourceLocation at = SourceLocation::here());
  void region(std::string name, const Body<>& body, SourceLocation at = SourceLocation::here());
  void add(Stmt stmt, SourceLocation at = SourceLocation::here());

  [[nodiscard]] Result<Program> finish() const;

 private:
  friend class Element;
  friend class Variable;
  struct State;

  BufferRef buffer(Buffer made, const Value& count, SourceLocation at);

  std::unique_ptr<State> state_;
};

}  // namespace vyre::ir
