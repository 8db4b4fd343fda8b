#include "vyre/ir/build.h"

#include "ir/validate.h"

namespace vyre::ir {
namespace {

Expr scalar_constant(double value, Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return literal(value != 0);
    case Scalar::i32:
      return literal(static_cast<std::int32_t>(value));
    case Scalar::f32:
      return literal(static_cast<float>(value));
    case Scalar::f64:
      return literal(value);
    default:
      return literal(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
  }
}

Value id(IdKind kind, std::uint8_t dim) { return Expr(Id{kind, dim}); }

}  // namespace

Value constant(double value, Type type) {
  Expr one = scalar_constant(value, type.scalar);
  if (type.lanes == 1) return one;
  return Expr(Splat{type.lanes, std::move(one)});
}
Value constant(bool value) { return literal(value); }
Value constant(std::uint32_t value) { return literal(value); }
Value constant(std::int32_t value) { return literal(value); }
Value constant(float value) { return literal(value); }
Value constant(double value) { return literal(value); }

Value binary(BinaryOp op, const Value& a, const Value& b) {
  return Expr(Binary{op, a.expr(), b.expr()});
}
Value unary(UnaryOp op, const Value& a) { return Expr(Unary{op, a.expr()}); }

Value operator-(const Value& a) { return unary(UnaryOp::neg, a); }
Value operator~(const Value& a) { return unary(UnaryOp::bit_not, a); }
Value operator!(const Value& a) { return unary(UnaryOp::bit_not, a); }
Value abs(const Value& a) { return unary(UnaryOp::abs, a); }
Value sqrt(const Value& a) { return unary(UnaryOp::sqrt, a); }
Value exp(const Value& a) { return unary(UnaryOp::exp, a); }
Value log(const Value& a) { return unary(UnaryOp::log, a); }
Value fma(const Value& a, const Value& b, const Value& c) {
  return Expr(Fma{a.expr(), b.expr(), c.expr()});
}
Value select(const Value& cond, const Value& yes, const Value& no) {
  return Expr(Select{cond.expr(), yes.expr(), no.expr()});
}
Value convert(Scalar to, const Value& a) { return Expr(Convert{to, a.expr()}); }
Value bitcast(Scalar to, const Value& a) { return Expr(Bitcast{to, a.expr()}); }
Value splat(std::uint8_t lanes, const Value& a) { return Expr(Splat{lanes, a.expr()}); }
Value vector(const std::vector<Value>& lanes) {
  Vector made;
  for (const Value& lane : lanes) made.lanes.push_back(lane.expr());
  return Expr(std::move(made));
}

Value invocation(std::uint8_t dim) { return id(IdKind::invocation, dim); }
Value local(std::uint8_t dim) { return id(IdKind::local, dim); }
Value group(std::uint8_t dim) { return id(IdKind::group, dim); }
Value workgroup(std::uint8_t dim) { return id(IdKind::workgroup, dim); }
Value groups(std::uint8_t dim) { return id(IdKind::groups, dim); }
Value grid(std::uint8_t dim) { return id(IdKind::grid, dim); }

Element::operator Value() const { return Expr(Load{buffer_, element_, index_.expr(), lanes_}); }
void Element::operator=(const Value& value) const {
  builder_.add({Store{buffer_, index_.expr(), value.expr()}});
}
void Element::atomic_add(const Value& value) const {
  builder_.add({AtomicAdd{buffer_, index_.expr(), value.expr()}});
}

Variable::operator Value() const { return Expr(Var{name_, type_}); }
void Variable::operator=(const Value& value) const { builder_.add({Assign{name_, value.expr()}}); }

Value Builder::uniform(std::string name, Literal value) {
  visible_.insert(name);
  program_.uniforms.push_back({name, value});
  return Expr(Var{std::move(name), {value.scalar}});
}

BufferRef Builder::buffer(std::string name, Scalar element, const Value& count, Access access,
                          Memory memory) {
  visible_.insert(name);
  program_.buffers.push_back({name, element, count.expr(), access, memory});
  return {*this, std::move(name), element};
}
BufferRef Builder::read(std::string name, Scalar element, const Value& count) {
  return buffer(std::move(name), element, count, Access::read, Memory::global);
}
BufferRef Builder::write(std::string name, Scalar element, const Value& count) {
  return buffer(std::move(name), element, count, Access::write, Memory::global);
}
BufferRef Builder::read_write(std::string name, Scalar element, const Value& count) {
  return buffer(std::move(name), element, count, Access::read_write, Memory::global);
}
BufferRef Builder::shared(std::string name, Scalar element, const Value& count) {
  return buffer(std::move(name), element, count, Access::read_write, Memory::shared);
}

void Builder::grid(const Value& x, const Value& y, const Value& z) {
  program_.grid = {x.expr(), y.expr(), z.expr()};
}
void Builder::workgroup(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  program_.workgroup = {x, y, z};
}

std::string Builder::declared(const std::string& name) {
  std::string unique = name;
  while (!visible_.insert(unique).second) {
    unique = name + std::to_string(++repeats_[name]);
  }
  scope_.push_back(unique);
  return unique;
}

Value Builder::let(std::string name, const Value& value) {
  name = declared(name);
  add({Let{name, value.expr()}});
  return Expr(Var{std::move(name), value.expr().type()});
}

Variable Builder::var(std::string name, const Value& value) {
  name = declared(name);
  add({Let{name, value.expr(), true}});
  return {*this, std::move(name), value.expr().type()};
}

Block Builder::inside(const std::function<void()>& body) {
  Block made;
  const std::size_t outside = scope_.size();
  open_.push_back(&made);
  if (body) body();
  open_.pop_back();
  for (; scope_.size() > outside; scope_.pop_back()) visible_.erase(scope_.back());
  return made;
}

void Builder::when(const Value& cond, const std::function<void()>& then,
                   const std::function<void()>& otherwise) {
  If made{.cond = cond.expr()};
  made.then = inside(then);
  made.otherwise = inside(otherwise);
  add({std::move(made)});
}

void Builder::loop(std::string name, const Value& begin, const Value& end,
                   const std::function<void(Value)>& body) {
  loop(std::move(name), begin, end, constant(1, begin.expr().type()), body);
}

void Builder::loop(std::string name, const Value& begin, const Value& end, const Value& step,
                   const std::function<void(Value)>& body) {
  For made{.begin = begin.expr(), .end = end.expr(), .step = step.expr()};
  made.body = inside([&] {
    made.name = declared(name);
    body(Expr(Var{made.name, begin.expr().type()}));
  });
  add({std::move(made)});
}

void Builder::barrier() { add({Barrier{}}); }

void Builder::region(std::string name, const std::function<void()>& body) {
  Region made{.name = std::move(name)};
  made.body = inside(body);
  add({std::move(made)});
}

Result<Program> Builder::finish() const {
  if (Problems problems = validate(program_); !problems.empty()) {
    return Failure(one_error(std::move(problems)));
  }
  return program_;
}

}  // namespace vyre::ir
