// The valid beginnings of a group: digits of its first parameters, as many of them as there are few
// enough combinations for. What is drawn at random starts with one of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/part.h"
#include "space/plan.h"

namespace vyre::space {

class Beginnings {
 public:
  // Binds one parameter after the other while there are at most `most` rows and the plan's work is
  // not below `reserve`.
  Beginnings(Plan& plan, const Group& group, std::span<const Parameter> parameters,
             std::uint64_t most, std::uint64_t reserve);

  [[nodiscard]] std::size_t bound() const { return bound_; }  // steps of the group
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] Digit digit(std::size_t row, std::size_t step) const {
    return rows_.digit(row, step);
  }

 private:
  // False, with nothing changed, if that makes too many rows or costs too much.
  [[nodiscard]] bool bind_next();
  // A block of lanes: tests them and adds what holds.
  [[nodiscard]] bool add(std::vector<std::vector<Digit>>& columns, std::size_t lanes, Part& to);

  Plan& plan_;
  const Group& group_;
  std::span<const Parameter> parameters_;
  std::uint64_t most_;
  std::uint64_t reserve_;
  std::size_t bound_ = 0;
  Part rows_;
};

}  // namespace vyre::space
