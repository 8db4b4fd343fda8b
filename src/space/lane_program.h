// A constraint compiled for many configurations at once: each instruction is a loop over a block of
// lanes, one lane per configuration.
//
// Compiling needs types that are known beforehand: parameters whose values are all integers (or
// bools), all floats or all strings. The ranges of the integers are followed through the
// expression, so that only what can overflow or divide by zero is checked, and each lane that does
// is marked as faulty. What cannot be typed (comprehensions, mixed values) is left to the
// Evaluator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/syntax.h"
#include "vyre/space/value.h"

namespace vyre::space {

inline constexpr std::size_t max_lanes = 512;

enum class LaneType : std::uint8_t { integer, real, text };

enum class LaneOp : std::uint8_t {
  given,    // a parameter or a constant: filled by the caller or once
  convert,  // integer to real
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  negate,
  absolute,
  least,
  greatest,
  lt,
  le,
  eq,
  ne,
  falsehood,  // 1 where the operand is zero
  both,
  either,  // truth of two, the second one not looked at where the first decides
  select,  // third ? first : second
};

struct Register {
  LaneType type = LaneType::integer;
  bool is_bool = false;  // only 0 and 1
  bool may_fault = false;
  std::int64_t lowest = 0;  // of an integer
  std::int64_t highest = 0;
  std::vector<std::int64_t> integers;  // of a text: its number
  std::vector<double> reals;
  std::vector<std::uint8_t> faults;  // only if it may
};

using RegisterId = std::uint32_t;

struct Instruction {
  LaneOp op = LaneOp::given;
  RegisterId to = 0;
  RegisterId a = 0;
  RegisterId b = 0;
  RegisterId c = 0;
  bool checked = true;  // can overflow or divide by zero
  bool narrow = false;  // operands fit into 32 bits
};

class LaneProgram {
 public:
  // `parameters`: for each name of the expression the values that it takes. Nothing if some part
  // cannot be typed.
  static std::optional<LaneProgram> compile(const Syntax& syntax,
                                            std::span<const std::vector<Value>* const> parameters);

  // For each lane the digits of the parameters, one list for each name. `holds` becomes 1 where the
  // constraint holds and 0 where it does not or is faulty; gives the number of faulty lanes.
  std::size_t run(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds);

 private:
  friend class LaneBuilder;

  struct Input {
    std::uint32_t name = 0;
    RegisterId to = 0;
    std::vector<std::int64_t> integers;  // by digit
    std::vector<double> reals;
  };

  void execute(const Instruction& instruction, std::size_t lanes);

  std::vector<Register> registers_;
  std::vector<Input> inputs_;
  std::vector<Instruction> instructions_;
  RegisterId result_ = 0;
};

}  // namespace vyre::space
