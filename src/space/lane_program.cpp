#include "space/lane_program.h"

#include <algorithm>
#include <cmath>

#include "space/number.h"

namespace vyre::space {
namespace {

// result[lane] = operation(a[lane], b[lane])
template <class To, class From, class Operation>
void each(To* to, const From* a, const From* b, std::size_t lanes, Operation operation) {
  for (std::size_t i = 0; i < lanes; ++i) to[i] = static_cast<To>(operation(a[i], b[i]));
}

template <class Operation>
void narrow(std::int64_t* to, const std::int64_t* a, const std::int64_t* b, std::size_t lanes,
            Operation operation) {
  for (std::size_t i = 0; i < lanes; ++i) {
    to[i] = operation(static_cast<std::int32_t>(a[i]), static_cast<std::int32_t>(b[i]));
  }
}

std::int32_t narrow_quotient(std::int32_t a, std::int32_t b) {
  const std::int32_t quotient = a / b;
  return quotient - static_cast<std::int32_t>(a % b != 0 && (a < 0) != (b < 0));
}
std::int32_t narrow_remainder(std::int32_t a, std::int32_t b) {
  const std::int32_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// An operation that may overflow or divide by zero, lane by lane.
Faulty<Number> checked(LaneOp op, const Number& a, const Number& b) {
  switch (op) {
    case LaneOp::add:
      return add(a, b);
    case LaneOp::subtract:
      return subtract(a, b);
    case LaneOp::multiply:
      return multiply(a, b);
    case LaneOp::divide:
      return divide(a, b);
    case LaneOp::floor_divide:
      return floor_divide(a, b);
    case LaneOp::modulo:
      return modulo(a, b);
    case LaneOp::power:
      return power(a, b);
    case LaneOp::negate:
      return negate(a);
    default:
      return a.integer < 0 ? negate(a) : a;
  }
}

void run_checked(LaneOp op, Register& to, const Register& a, const Register& b, std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const auto number = [i](const Register& from) {
      return from.type == LaneType::real ? Number::of(from.reals[i]) : Number::of(from.integers[i]);
    };
    const auto result = checked(op, number(a), number(b));
    if (!result) {
      // The value must stay in the register's range: what follows relies on that.
      to.faults[i] = 1;
      if (to.type == LaneType::real) {
        to.reals[i] = 0;
      } else {
        to.integers[i] = to.lowest;
      }
    } else if (to.type == LaneType::real) {
      to.reals[i] = result->as_float();
    } else {
      to.integers[i] = result->integer;
    }
  }
}

// What integers and reals do alike; false if `op` is not among it.
template <class T>
bool run_common(LaneOp op, T* to, const T* a, const T* b, std::size_t lanes) {
  switch (op) {
    case LaneOp::add:
      each(to, a, b, lanes, [](auto x, auto y) { return x + y; });
      return true;
    case LaneOp::subtract:
      each(to, a, b, lanes, [](auto x, auto y) { return x - y; });
      return true;
    case LaneOp::multiply:
      each(to, a, b, lanes, [](auto x, auto y) { return x * y; });
      return true;
    case LaneOp::negate:
      each(to, a, a, lanes, [](auto x, auto) { return -x; });
      return true;
    case LaneOp::least:
      each(to, a, b, lanes, [](auto x, auto y) { return y < x ? y : x; });
      return true;
    case LaneOp::greatest:
      each(to, a, b, lanes, [](auto x, auto y) { return x < y ? y : x; });
      return true;
    default:
      return false;
  }
}

void run_integers(const Instruction& step, std::int64_t* to, const std::int64_t* a,
                  const std::int64_t* b, std::size_t lanes) {
  if (run_common(step.op, to, a, b, lanes)) return;
  switch (step.op) {
    case LaneOp::absolute:
      return each(to, a, a, lanes, [](auto x, auto) { return x < 0 ? -x : x; });
    case LaneOp::floor_divide:
      if (step.narrow) return narrow(to, a, b, lanes, narrow_quotient);
      return each(to, a, b, lanes, [](auto x, auto y) { return floor_quotient(x, y); });
    default:
      if (step.narrow) return narrow(to, a, b, lanes, narrow_remainder);
      return each(to, a, b, lanes, [](auto x, auto y) { return floor_remainder(x, y); });
  }
}

void run_reals(LaneOp op, double* to, const double* a, const double* b, std::size_t lanes) {
  if (run_common(op, to, a, b, lanes)) return;
  switch (op) {
    case LaneOp::absolute:
      return each(to, a, a, lanes, [](auto x, auto) { return std::fabs(x); });
    case LaneOp::divide:
      return each(to, a, b, lanes, [](auto x, auto y) { return x / y; });
    case LaneOp::floor_divide:
      return each(to, a, b, lanes, [](auto x, auto y) { return floor_quotient(x, y); });
    default:
      return each(to, a, b, lanes, [](auto x, auto y) { return floor_remainder(x, y); });
  }
}

template <class T>
void run_relation(LaneOp op, std::int64_t* to, const T* a, const T* b, std::size_t lanes) {
  switch (op) {
    case LaneOp::lt:
      return each(to, a, b, lanes, [](auto x, auto y) { return x < y; });
    case LaneOp::le:
      return each(to, a, b, lanes, [](auto x, auto y) { return x <= y; });
    case LaneOp::eq:
      return each(to, a, b, lanes, [](auto x, auto y) { return x == y; });
    default:
      return each(to, a, b, lanes, [](auto x, auto y) { return x != y; });
  }
}

void add_faults(Register& to, const Register& from, std::size_t lanes) {
  if (!from.may_fault) return;
  for (std::size_t i = 0; i < lanes; ++i) to.faults[i] |= from.faults[i];
}

// Truth of two; a fault of the second one counts only where the first has not decided.
void run_logic(LaneOp op, Register& to, const Register& a, const Register& b, std::size_t lanes) {
  const bool is_both = op == LaneOp::both;
  if (b.may_fault) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const bool undecided = (a.integers[i] != 0) == is_both;
      if (undecided && b.faults[i] != 0) to.faults[i] = 1;
    }
  }
  const std::int64_t* const x = a.integers.data();
  const std::int64_t* const y = b.integers.data();
  if (is_both) return each(to.integers.data(), x, y, lanes, [](auto p, auto q) { return p & q; });
  each(to.integers.data(), x, y, lanes, [](auto p, auto q) { return p | q; });
}

void run_select(Register& to, const Register& yes, const Register& no, const Register& condition,
                std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) {
    const Register& from = condition.integers[i] != 0 ? yes : no;
    if (to.type == LaneType::real) {
      to.reals[i] = from.reals[i];
    } else {
      to.integers[i] = from.integers[i];
    }
    if (from.may_fault) to.faults[i] |= from.faults[i];
  }
}

bool is_relation(LaneOp op) { return op >= LaneOp::lt && op <= LaneOp::ne; }

}  // namespace

void LaneProgram::execute(const Instruction& step, std::size_t lanes) {
  Register& to = registers_[step.to];
  const Register& a = registers_[step.a];
  const Register& b = registers_[step.b];
  if (to.may_fault) {
    std::fill_n(to.faults.begin(), lanes, std::uint8_t{0});
    if (step.op == LaneOp::select) {
      add_faults(to, registers_[step.c], lanes);
    } else {
      add_faults(to, a, lanes);
      if (step.op != LaneOp::both && step.op != LaneOp::either) add_faults(to, b, lanes);
    }
  }
  if (step.op == LaneOp::select) return run_select(to, a, b, registers_[step.c], lanes);
  if (step.op == LaneOp::both || step.op == LaneOp::either) {
    return run_logic(step.op, to, a, b, lanes);
  }
  if (step.op == LaneOp::convert) {
    for (std::size_t i = 0; i < lanes; ++i) to.reals[i] = static_cast<double>(a.integers[i]);
  } else if (step.op == LaneOp::falsehood) {
    for (std::size_t i = 0; i < lanes; ++i) {
      to.integers[i] = a.type == LaneType::real ? a.reals[i] == 0 : a.integers[i] == 0;
    }
  } else if (is_relation(step.op)) {
    if (a.type != LaneType::real) {
      return run_relation(step.op, to.integers.data(), a.integers.data(), b.integers.data(), lanes);
    }
    run_relation(step.op, to.integers.data(), a.reals.data(), b.reals.data(), lanes);
  } else if (step.checked) {
    run_checked(step.op, to, a, b, lanes);
  } else if (to.type == LaneType::real) {
    run_reals(step.op, to.reals.data(), a.reals.data(), b.reals.data(), lanes);
  } else {
    run_integers(step, to.integers.data(), a.integers.data(), b.integers.data(), lanes);
  }
}

std::size_t LaneProgram::run(std::span<const Digit* const> digits, std::size_t lanes,
                             std::uint8_t* holds) {
  for (const Input& input : inputs_) {
    Register& to = registers_[input.to];
    const Digit* const from = digits[input.name];
    if (to.type == LaneType::real) {
      for (std::size_t i = 0; i < lanes; ++i) to.reals[i] = input.reals[from[i]];
    } else {
      for (std::size_t i = 0; i < lanes; ++i) to.integers[i] = input.integers[from[i]];
    }
  }
  for (const Instruction& step : instructions_) execute(step, lanes);
  const Register& result = registers_[result_];
  for (std::size_t i = 0; i < lanes; ++i) {
    holds[i] = static_cast<std::uint8_t>(result.integers[i] != 0);
  }
  if (!result.may_fault) return 0;
  std::size_t faulty = 0;
  for (std::size_t i = 0; i < lanes; ++i) {
    faulty += result.faults[i];
    holds[i] &= static_cast<std::uint8_t>(1 - result.faults[i]);
  }
  return faulty;
}

}  // namespace vyre::space
