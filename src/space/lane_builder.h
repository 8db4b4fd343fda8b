// Puts a LaneProgram together, instruction by instruction: gives each value a register, with its
// type and the range of its integers, and knows which instructions need checks. Where values cannot
// be typed, there is nothing.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/datum.h"
#include "space/lane_program.h"

namespace vyre::space {

class LaneBuilder {
 public:
  using Made = std::optional<RegisterId>;

  explicit LaneBuilder(std::span<const std::vector<Value>* const> parameters)
      : parameters_(parameters) {}

  [[nodiscard]] const Register& operator[](RegisterId id) const { return out_.registers_[id]; }
  // The program whose result is in a register of 0 and 1.
  [[nodiscard]] LaneProgram finish(RegisterId result) {
    out_.result_ = result;
    return std::move(out_);
  }

  Made constant(const Datum& datum);
  Made parameter(std::uint32_t name);
  Made binary(LaneOp op, RegisterId left, RegisterId right);
  Made unary(LaneOp op, RegisterId from);
  Made compared(LaneOp op, RegisterId left, RegisterId right);
  Made to_truth(RegisterId from);
  // The instruction with its own register for the result.
  RegisterId emit(Register made, Instruction step);

 private:
  Made integer_binary(LaneOp op, RegisterId left, RegisterId right);
  Made to_real(RegisterId from);
  RegisterId add(Register made);
  Register& at(RegisterId id) { return out_.registers_[id]; }
  std::int64_t number_of(const std::string& text);

  std::span<const std::vector<Value>* const> parameters_;
  std::map<std::string, std::int64_t> texts_;
  std::map<std::uint32_t, RegisterId> inputs_;
  LaneProgram out_;
};

[[nodiscard]] inline Register bool_register() {
  return {.is_bool = true, .lowest = 0, .highest = 1};
}

}  // namespace vyre::space
