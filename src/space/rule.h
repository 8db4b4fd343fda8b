// One constraint, ready to be tested on many combinations at once: compiled for lanes where its
// types allow that, evaluated one by one where they do not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/datum.h"
#include "space/expression.h"
#include "space/lane_program.h"
#include "space/positions.h"
#include "space/work.h"

namespace vyre::space {

class Rule {
 public:
  Rule(const Expression& constraint, std::span<const Parameter> parameters,
       const Positions& positions);

  // The parameters it names, as positions in the definition.
  [[nodiscard]] std::span<const std::uint32_t> names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return constraint_->text(); }
  [[nodiscard]] bool is_compiled() const { return program_.has_value(); }
  // About what testing one lane costs, in nanoseconds.
  [[nodiscard]] double cost() const;

  // digits[parameter][lane]. Clears `holds` where the constraint does not hold or has no value;
  // gives how many have none. At most max_lanes lanes. When the work is exhausted, lanes are left
  // untested and do not hold.
  std::size_t test(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
                   Work& work);

  // Why the constraint has no value for these digits of all parameters.
  [[nodiscard]] std::optional<Error> reason(std::span<const Digit> digits) const;

 private:
  std::size_t test_each(std::span<const Digit* const> digits, std::size_t lanes,
                        std::uint8_t* holds, Work& work);
  [[nodiscard]] Expression::Bindings bindings(std::span<const Digit> digits) const;

  const Expression* constraint_;
  std::span<const Parameter> parameters_;
  std::vector<std::uint32_t> names_;
  std::optional<LaneProgram> program_;
  std::vector<std::vector<Datum>> data_;  // of each name, where it is not compiled
};

}  // namespace vyre::space
