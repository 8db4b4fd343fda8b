#include "vyre/ir/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/builder_state.h"
#include "ir/capture.h"
#include "ir/tree_size.h"
#include "ir/validate.h"
#include "ir/visit.h"

namespace vyre::ir {
namespace {

void clear_places(Block& block) {
  for (Stmt& stmt : block) {
    stmt.place = {};
    for_each_block(stmt, [](Block& inner) { clear_places(inner); });
  }
}

// Those of statements, declarations and sizes.
void clear_places(Program& program) {
  clear_places(program.body);
  for (Uniform& uniform : program.uniforms) uniform.place = {};
  for (Buffer& buffer : program.buffers) {
    buffer.place = {};
    buffer.count = buffer.count.at({});
  }
  for (Expr& extent : program.grid) extent = extent.at({});
}

// Gives values their names; all problems, with entries of the history as places.
Problems captured_and_checked(Program& program, const History& history) {
  if (Problems large = too_large(program); !large.empty()) return large;
  Problems found = capture(program, history);
  std::vector<Place> seen;  // a name out of sight is reported once
  for (const Error& error : found) seen.push_back(error.place);
  for (Error& error : validate(program)) {
    if (std::ranges::find(seen, error.place) == seen.end()) found.push_back(std::move(error));
  }
  return found;
}

}  // namespace

Input::Input(Element&& element, SourceLocation at) : value_(element.load()), at_(at) {}
Input::Input(const Variable& variable, SourceLocation at) : value_(variable), at_(at) {}

Value Element::load() const {
  Builder::State& state = *builder_.state_;
  const Expr index = state.take(index_, {Scalar::u32}, at_);
  Expr made = Load{buffer_, type_.scalar, index, type_.lanes};
  const Buffer* buffer = find_buffer(state.program, buffer_);
  if (buffer == nullptr || buffer->access != Access::read) state.history.read(made);
  return made;
}
void Element::operator=(const Input& value) const {
  Builder::State& state = *builder_.state_;
  Operands operands;
  Expr taken = operands.take(value.value(), {value_type(type_.scalar), type_.lanes}, false);
  if (type_.lanes != 1 && taken.type().lanes != type_.lanes) {
    operands.mistake(
        fmt::format("{} elements of '{}' are assigned, but the value is {}: splat({}, ...)",
                    type_.lanes, buffer_, to_string(taken.type()), type_.lanes),
        at_);
  }
  state.report(std::move(operands), at_);
  state.add({Store{buffer_, state.take(index_, {Scalar::u32}, at_), std::move(taken)}}, at_);
}
void Element::atomic_add(const Value& value, SourceLocation at) const {
  Builder::State& state = *builder_.state_;
  Expr index = state.take(index_, {Scalar::u32}, at);
  const Type type = {value_type(type_.scalar), type_.lanes};
  state.add({AtomicAdd{buffer_, std::move(index), state.take(value, type, at)}}, at);
}
void Element::update(BinaryOp op, const Input& value) const {
  *this = Input(binary(op, load(), value.value()), at_);
}

Variable::operator Value() const {
  builder_.state_->need_open(block_, name_, at_);
  Expr made = Var{name_, type_};
  builder_.state_->history.read(made);
  return made;
}
void Variable::operator=(const Input& value) const {
  Builder::State& state = *builder_.state_;
  state.need_open(block_, name_, value.at());
  state.add({Assign{name_, state.take(value.value(), type_, value.at())}}, value.at());
}
void Variable::update(BinaryOp op, const Input& value) const {
  *this = Input(binary(op, *this, value.value()), value.at());
}

Builder::Builder(std::string name) : state_(std::make_unique<State>()) {
  state_->program.name = std::move(name);
}
Builder::~Builder() = default;

Value Builder::uniform(std::string name, const Value& value, SourceLocation at) {
  const Expr taken = state_->take(value, at);
  if (const auto* literal = as<Literal>(taken)) return uniform(std::move(name), *literal, at);
  state_->report(fmt::format("the default of uniform '{}' is not a number", name), at);
  return uniform(std::move(name), Literal{taken.type().scalar, 0}, at);
}
Value Builder::uniform(std::string name, Literal value, SourceLocation at) {
  state_->visible.insert(name);
  state_->program.uniforms.push_back({name, value, state_->enter(at)});
  return Expr(Var{std::move(name), {value.scalar}});
}

BufferRef Builder::buffer(Buffer made, const Value& count, SourceLocation at) {
  state_->visible.insert(made.name);
  made.place = state_->enter(at);
  made.count = state_->take_size(count, made.place, at);
  BufferRef ref(*this, made.name, made.element);
  state_->program.buffers.push_back(std::move(made));
  return ref;
}
BufferRef Builder::read(std::string name, Scalar element, const Value& count, SourceLocation at) {
  return buffer({.name = std::move(name), .element = element}, count, at);
}
BufferRef Builder::write(std::string name, Scalar element, const Value& count, SourceLocation at) {
  return buffer({.name = std::move(name), .element = element, .access = Access::write}, count, at);
}
BufferRef Builder::read_write(std::string name, Scalar element, const Value& count,
                              SourceLocation at) {
  return buffer({.name = std::move(name), .element = element, .access = Access::read_write}, count,
                at);
}
BufferRef Builder::shared(std::string name, Scalar element, const Value& count, SourceLocation at) {
  return buffer({.name = std::move(name),
                 .element = element,
                 .access = Access::read_write,
                 .memory = Memory::shared},
                count, at);
}

BufferRef Builder::private_buffer(std::string name, Scalar element, const Value& count,
                                  SourceLocation at) {
  return buffer({.name = std::move(name),
                 .element = element,
                 .access = Access::read_write,
                 .memory = Memory::own},
                count, at);
}

void Builder::grid(const Value& x, const Value& y, const Value& z, SourceLocation at) {
  const Place entry = state_->enter(at);
  state_->program.grid = {state_->take_size(x, entry, at), state_->take_size(y, entry, at),
                          state_->take_size(z, entry, at)};
}
void Builder::workgroup(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  state_->program.workgroup = {x, y, z};
}
void Builder::or_workgroup(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  state_->program.other_workgroups.push_back({x, y, z});
}
void Builder::reassociate() { state_->program.reassociate = true; }

Value Builder::let(std::string name, const Value& value, SourceLocation at) {
  Expr taken = state_->take(value, at);
  const Type type = taken.type();
  name = state_->declare(name);
  state_->add({Let{name, std::move(taken)}}, at);
  return state_->name(std::move(name), type);
}

Variable Builder::var(std::string name, const Value& value, SourceLocation at) {
  Expr taken = state_->take(value, at);
  const Type type = taken.type();
  name = state_->declare(name);
  state_->add({Let{name, std::move(taken), true}}, at);
  return {*this, std::move(name), type, state_->history.innermost(), at};
}

void Builder::when(const Value& cond, const Body<>& then, const Body<>& otherwise,
                   SourceLocation at) {
  Stmt made{If{.cond = state_->take(cond, at)}};
  made.place = state_->enter(at);
  as<If>(made)->then = state_->inside(made, 0, then);
  as<If>(made)->otherwise = state_->inside(made, 1, otherwise);
  state_->push(std::move(made));
}

void Builder::loop(std::string name, const Value& begin, const Value& end, const Body<Value>& body,
                   SourceLocation at) {
  loop(std::move(name), begin, end, Value(1, at), body, at);
}

void Builder::loop(std::string name, const Value& begin, const Value& end, const Value& step,
                   const Body<Value>& body, SourceLocation at) {
  const std::array<const Value*, 3> counts = {&begin, &end, &step};
  const Type type = common_type(counts);
  Stmt made{For{.begin = state_->take(begin, type, at),
                .end = state_->take(end, type, at),
                .step = state_->take(step, type, at)}};
  made.place = state_->enter(at);
  as<For>(made)->body = state_->inside(made, 0, [&] {
    as<For>(made)->name = state_->declare(name);
    body(state_->name(as<For>(made)->name, as<For>(made)->begin.type()));
  });
  state_->push(std::move(made));
}

void Builder::loop_while(const Condition& cond, const Body<>& body, SourceLocation at) {
  Stmt made{While{.cond = state_->take(cond(), at)}};
  made.place = state_->enter(at);
  as<While>(made)->body = state_->inside(made, 0, body);
  state_->push(std::move(made));
}

void Builder::leave_loop(SourceLocation at) { state_->add({Break{}}, at); }

void Builder::barrier(SourceLocation at) { state_->add({Barrier{}}, at); }

void Builder::region(std::string name, const Body<>& body, SourceLocation at) {
  Stmt made{Region{.name = std::move(name)}};
  made.place = state_->enter(at);
  as<Region>(made)->body = state_->inside(made, 0, body);
  state_->push(std::move(made));
}

void Builder::add(Stmt stmt, SourceLocation at) { state_->add(std::move(stmt), at); }

Result<Program> Builder::finish() const {
  Program program = state_->program;
  Problems problems = state_->problems;
  for (const Error& found : captured_and_checked(program, state_->history)) {
    problems.push_back(state_->history.located(found));
  }
  if (!problems.empty()) return Failure(one_error(std::move(problems)));
  clear_places(program);
  return program;
}

}  // namespace vyre::ir
