#include "space/lane_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vyre::space {
namespace {

constexpr std::int64_t exact_in_float = std::int64_t{1} << 53;
constexpr std::int64_t least_integer = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest_integer = std::numeric_limits<std::int64_t>::max();

Register integer_register(std::int64_t lowest, std::int64_t highest) {
  return {.lowest = lowest, .highest = highest};
}
Register real_register() { return {.type = LaneType::real}; }

bool is_within(const Register& reg, std::int64_t lowest, std::int64_t highest) {
  return lowest <= reg.lowest && reg.highest <= highest;
}
bool fits_32(const Register& reg) { return is_within(reg, -2147483647, 2147483647); }

// The range of a result from the results at the corners of the operands' ranges, or nothing if one
// of them is beyond 64 bits. Right for what is monotonic in each operand.
template <class Operation>
std::optional<std::pair<std::int64_t, std::int64_t>> corners(const Register& a, const Register& b,
                                                             Operation operation) {
  std::int64_t lowest = greatest_integer;
  std::int64_t highest = least_integer;
  for (const std::int64_t x : {a.lowest, a.highest}) {
    for (const std::int64_t y : {b.lowest, b.highest}) {
      const Faulty<Number> result = operation(Number::of(x), Number::of(y));
      if (!result) return std::nullopt;
      lowest = std::min(lowest, result->integer);
      highest = std::max(highest, result->integer);
    }
  }
  return std::pair(lowest, highest);
}

}  // namespace

RegisterId LaneBuilder::add(Register made) {
  if (made.type == LaneType::real) {
    made.reals.resize(max_lanes);
  } else {
    made.integers.resize(max_lanes);
  }
  if (made.may_fault) made.faults.resize(max_lanes);
  out_.registers_.push_back(std::move(made));
  return static_cast<RegisterId>(out_.registers_.size() - 1);
}

RegisterId LaneBuilder::emit(Register made, Instruction step) {
  made.may_fault = made.may_fault || at(step.a).may_fault || at(step.b).may_fault ||
                   (step.op == LaneOp::select && at(step.c).may_fault);
  step.to = add(std::move(made));
  out_.instructions_.push_back(step);
  return step.to;
}

std::int64_t LaneBuilder::number_of(const std::string& text) {
  return texts_.emplace(text, static_cast<std::int64_t>(texts_.size())).first->second;
}

LaneBuilder::Made LaneBuilder::constant(const Datum& datum) {
  if (const auto* text = std::get_if<std::string>(&datum.of)) {
    const RegisterId made = add({.type = LaneType::text});
    std::ranges::fill(at(made).integers, number_of(*text));
    return made;
  }
  const auto number = to_number(datum);
  if (!number) return std::nullopt;
  if (number->is_float) {
    const RegisterId made = add(real_register());
    std::ranges::fill(at(made).reals, number->real);
    return made;
  }
  Register fixed = integer_register(number->integer, number->integer);
  fixed.is_bool = number->integer == 0 || number->integer == 1;
  const RegisterId made = add(std::move(fixed));
  std::ranges::fill(at(made).integers, number->integer);
  return made;
}

LaneBuilder::Made LaneBuilder::parameter(std::uint32_t name) {
  if (const auto known = inputs_.find(name); known != inputs_.end()) return known->second;
  const std::vector<Value>& values = *parameters_[name];
  LaneProgram::Input input{.name = name};
  Register made;
  std::size_t texts = 0;
  for (const Value& value : values) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      input.integers.push_back(number_of(*text));
      ++texts;
      continue;
    }
    const auto number = to_number(value);
    if (number->is_float) {
      input.reals.push_back(number->real);
    } else {
      input.integers.push_back(number->integer);
    }
  }
  const std::size_t count = values.size();
  if (input.reals.size() == count) {
    made.type = LaneType::real;
  } else if (texts == count) {
    made.type = LaneType::text;
  } else if (texts > 0 || !input.reals.empty()) {
    return std::nullopt;
  }
  if (made.type == LaneType::integer && count > 0) {
    std::tie(made.lowest, made.highest) =
        std::pair(std::ranges::min(input.integers), std::ranges::max(input.integers));
    made.is_bool = is_within(made, 0, 1);
  }
  input.to = add(std::move(made));
  inputs_.emplace(name, input.to);
  out_.inputs_.push_back(std::move(input));
  return out_.inputs_.back().to;
}

LaneBuilder::Made LaneBuilder::to_real(RegisterId from) {
  if (at(from).type == LaneType::real) return from;
  if (at(from).type == LaneType::text || !is_within(at(from), -exact_in_float, exact_in_float)) {
    return std::nullopt;
  }
  return emit(real_register(), {.op = LaneOp::convert, .a = from, .b = from});
}

LaneBuilder::Made LaneBuilder::to_truth(RegisterId from) {
  if (at(from).is_bool) return from;
  if (at(from).type == LaneType::text) return std::nullopt;
  const RegisterId is_false =
      emit(bool_register(), {.op = LaneOp::falsehood, .a = from, .b = from});
  return emit(bool_register(), {.op = LaneOp::falsehood, .a = is_false, .b = is_false});
}

LaneBuilder::Made LaneBuilder::unary(LaneOp op, RegisterId from) {
  if (at(from).type == LaneType::text) return std::nullopt;
  if (at(from).type == LaneType::real) {
    return emit(real_register(), {.op = op, .a = from, .b = from, .checked = false});
  }
  const bool safe = at(from).lowest > least_integer;
  const std::int64_t low = safe ? at(from).lowest : least_integer + 1;
  const std::int64_t high = at(from).highest;
  Register made = integer_register(-high, -low);
  if (op == LaneOp::absolute) {
    made.lowest = low <= 0 && high >= 0 ? 0 : std::min(std::abs(low), std::abs(high));
    made.highest = std::max(std::abs(low), std::abs(high));
  }
  made.may_fault = !safe;
  return emit(std::move(made), {.op = op, .a = from, .b = from, .checked = !safe});
}

LaneBuilder::Made LaneBuilder::binary(LaneOp op, RegisterId left, RegisterId right) {
  if (at(left).type == LaneType::text || at(right).type == LaneType::text) return std::nullopt;
  const bool integers = at(left).type == LaneType::integer && at(right).type == LaneType::integer;
  if (integers && op != LaneOp::divide) return integer_binary(op, left, right);
  const bool has_zero =
      at(right).type == LaneType::real || (at(right).lowest <= 0 && at(right).highest >= 0);
  const bool divides = op == LaneOp::divide || op == LaneOp::floor_divide || op == LaneOp::modulo;
  const Made a = to_real(left);
  const Made b = to_real(right);
  if (!a || !b) return std::nullopt;
  Register made = real_register();
  const bool is_checked = (divides && has_zero) || op == LaneOp::power;
  made.may_fault = is_checked;
  return emit(std::move(made), {.op = op, .a = *a, .b = *b, .checked = is_checked});
}

LaneBuilder::Made LaneBuilder::integer_binary(LaneOp op, RegisterId left, RegisterId right) {
  const Register& a = at(left);
  const Register& b = at(right);
  Instruction step{
      .op = op, .a = left, .b = right, .checked = false, .narrow = fits_32(a) && fits_32(b)};
  std::optional<std::pair<std::int64_t, std::int64_t>> range;
  if (op == LaneOp::add) {
    range = corners(a, b, vyre::space::add);
  } else if (op == LaneOp::subtract) {
    range = corners(a, b, subtract);
  } else if (op == LaneOp::multiply) {
    range = corners(a, b, multiply);
  } else if (op == LaneOp::power) {
    if (b.lowest < 0) return std::nullopt;  // an integer or a float, depending on the lane
    step.checked = true;
    if (a.lowest >= 0) range = corners(a, b, power);
  } else if (op == LaneOp::floor_divide && b.lowest > 0) {
    range = corners(a, b, floor_divide);
  } else if (op == LaneOp::modulo && b.lowest > 0) {
    range = {0, b.highest - 1};
  }
  if (!range) step.checked = true;
  Register made = integer_register(least_integer, greatest_integer);
  if (range) made = integer_register(range->first, range->second);
  made.may_fault = step.checked;
  return emit(std::move(made), step);
}

LaneBuilder::Made LaneBuilder::compared(LaneOp op, RegisterId left, RegisterId right) {
  const bool equality = op == LaneOp::eq || op == LaneOp::ne;
  const bool one_text = (at(left).type == LaneType::text) != (at(right).type == LaneType::text);
  if (one_text || (at(left).type == LaneType::text && !equality)) return std::nullopt;
  if (at(left).type != at(right).type) {
    const Made a = to_real(left);
    const Made b = to_real(right);
    if (!a || !b) return std::nullopt;
    return emit(bool_register(), {.op = op, .a = *a, .b = *b});
  }
  return emit(bool_register(), {.op = op, .a = left, .b = right});
}

}  // namespace vyre::space
