#include "interpret/compile.h"

#include <string_view>
#include <utility>
#include <vector>

#include "interpret/expressions.h"
#include "interpret/kernels.h"
#include "ir/visit.h"

namespace vyre::interpret {
namespace {

constexpr ir::Type boolean = {Scalar::boolean};

class Statements {
 public:
  Statements(const ir::Program& program, const ir::Uniforms& uniforms, const Shape& shape,
             Tape& tape)
      : tape_(tape), values_(program, uniforms, shape, tape) {}

  void block(const ir::Block& block) {
    const std::size_t outer = visible_.size();
    for (const ir::Stmt& stmt : block) statement(stmt);
    while (visible_.size() > outer) {
      values_.unbind(visible_.back());
      visible_.pop_back();
    }
  }

  [[nodiscard]] std::uint32_t columns() const { return values_.columns(); }

 private:
  void statement(const ir::Stmt& stmt) {
    if (!ir::is<ir::Region>(stmt)) charge(stmt);
    match(
        stmt, [&](const ir::Let& s) { let(s, stmt); },
        [&](const ir::Assign& s) { assign(s, stmt); }, [&](const ir::Store& s) { store(s, stmt); },
        [&](const ir::AtomicAdd& s) { atomic_add(s, stmt); },
        [&](const ir::If& s) { branch(s, stmt); }, [&](const ir::For& s) { loop(s, stmt); },
        [&](const ir::While& s) { loop(s, stmt); },
        [&](const ir::Break&) { values_.emit(Break{ifs_}); },
        [&](const ir::Barrier&) { values_.emit(Barrier{&stmt}); },
        [&](const ir::Region& s) { block(s.body); });
  }

  void charge(const ir::Stmt& stmt) {
    std::uint32_t cost = 1;
    ir::for_each_operand(stmt, [&](const ir::Expr& e) { cost += Expressions::cost(e); });
    values_.emit(Charge{cost, &stmt});
  }

  void declare(std::string_view name, const Value& value) {
    values_.bind(name, value);
    visible_.push_back(name);
  }

  void let(const ir::Let& s, const ir::Stmt& stmt) {
    const Value value = values_.compile(s.value, stmt);
    const ir::Type type = s.value.type();
    declare(s.name, s.is_mutable ? values_.own(value, type) : values_.kept(value, type));
  }

  void assign(const ir::Assign& s, const ir::Stmt& stmt) {
    const Value value = values_.compile(s.value, stmt);
    assign(values_.named(s.name), value, s.value.type());
    values_.release(value);
  }

  void assign(const Value& to, const Value& value, ir::Type type) {
    if (to.column == value.column) return;  // x = x
    values_.emit(Compute{.kernel = kernels::assign(type.scalar),
                         .to = to.column,
                         .a = value.column,
                         .lanes = type.lanes});
  }

  // The operands of a write: compiled, and released after `emit` has used them.
  template <class Write>
  void write(std::string_view buffer, const ir::Expr& index, const ir::Expr& value,
             const ir::Stmt& stmt) {
    const Value at = values_.compile(index, stmt);
    const Value what = values_.compile(value, stmt);
    values_.emit(
        Write{{values_.buffer_named(buffer), at.column, what.column, value.type().lanes, &stmt}});
    values_.release(at);
    values_.release(what);
  }

  void store(const ir::Store& s, const ir::Stmt& stmt) {
    write<Store>(s.buffer, s.index, s.value, stmt);
    tape_.uses[values_.buffer_named(s.buffer)].stores = true;
  }

  void atomic_add(const ir::AtomicAdd& s, const ir::Stmt& stmt) {
    write<AtomicAdd>(s.buffer, s.index, s.value, stmt);
    tape_.uses[values_.buffer_named(s.buffer)].atomics = true;
  }

  void branch(const ir::If& s, const ir::Stmt& stmt) {
    ++ifs_;
    const Value cond = values_.compile(s.cond, stmt);
    const Value mask = values_.temporary(boolean);
    const StepIndex enter_if = here();
    values_.emit(EnterIf{cond.column, mask.column});
    values_.release(cond);
    block(s.then);
    std::get<EnterIf>(tape_.steps[enter_if]).if_none = here();
    if (!s.otherwise.empty()) {
      const StepIndex enter_else = here();
      values_.emit(EnterElse{mask.column});
      block(s.otherwise);
      std::get<EnterElse>(tape_.steps[enter_else]).if_none = here();
    }
    --ifs_;
    values_.emit(Leave{.some_left = ir::has_break(stmt)});
    values_.release(mask);
  }

  void loop(const ir::While& s, const ir::Stmt& stmt) {
    const Value mask = values_.temporary(boolean);
    values_.emit(EnterLoop{mask.column});
    const StepIndex test = here();
    const Value cond = values_.compile(s.cond, stmt);
    const StepIndex exit = here();
    values_.emit(
        TestLoop{.cond = cond.column, .cost = 1 + Expressions::cost(s.cond), .stmt = &stmt});
    values_.release(cond);
    const std::uint32_t outer = std::exchange(ifs_, 0);
    block(s.body);
    ifs_ = outer;
    values_.emit(Jump{test});
    std::get<TestLoop>(tape_.steps[exit]).if_none = here();
    values_.emit(Leave{});
    values_.release(mask);
  }

  void loop(const ir::For& s, const ir::Stmt& stmt) {
    const ir::Type type = s.begin.type();
    const Value k = values_.own(values_.compile(s.begin, stmt), type);
    const Value end = values_.kept(values_.compile(s.end, stmt), type);
    const Value step = values_.kept(values_.compile(s.step, stmt), type);
    const Value mask = values_.temporary(boolean);
    values_.emit(EnterLoop{mask.column});
    const StepIndex test = here();
    const StepIndex exit = continue_while_less(k, end, type, stmt);
    Value in_body = k;
    in_body.origin = Value::Origin::lasting;  // it changes only between iterations
    in_body.owned = {};
    values_.bind(s.name, in_body);
    block(s.body);
    values_.unbind(s.name);
    advance(k, step, type);
    values_.emit(Jump{test});
    std::get<TestLoop>(tape_.steps[exit]).if_none = here();
    values_.emit(Leave{});
    for (const Value& value : {k, end, step, mask}) values_.release(value);
  }

  StepIndex continue_while_less(const Value& k, const Value& end, ir::Type type,
                                const ir::Stmt& stmt) {
    const Value cond = values_.temporary(boolean);
    values_.emit(
        Compute{kernels::binary(ir::BinaryOp::lt, type.scalar), cond.column, k.column, end.column});
    const StepIndex test = here();
    values_.emit(TestLoop{.cond = cond.column, .cost = 2, .stmt = &stmt});
    values_.release(cond);
    return test;
  }

  void advance(const Value& k, const Value& step, ir::Type type) {
    const Value next = values_.temporary(type);
    values_.emit(Compute{kernels::binary(ir::BinaryOp::add, type.scalar), next.column, k.column,
                         step.column});
    values_.emit(Compute{kernels::copy(type.scalar), k.column, next.column});
    values_.release(next);
  }

  [[nodiscard]] StepIndex here() const { return static_cast<StepIndex>(tape_.steps.size()); }

  Tape& tape_;
  Expressions values_;
  std::uint32_t ifs_ = 0;                  // between a statement and the nearest while
  std::vector<std::string_view> visible_;  // names, in the order of their declaration
};

}  // namespace

Tape compile(const ir::Program& program, const ir::Uniforms& uniforms, const Shape& shape) {
  Tape tape;
  tape.uses.resize(program.buffers.size());
  Statements statements(program, uniforms, shape, tape);
  statements.block(program.body);
  tape.columns = statements.columns();
  return tape;
}

}  // namespace vyre::interpret
