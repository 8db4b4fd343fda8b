// The constraints over one set of parameters, tested together. Over few combinations the answers
// are found once and looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/rule.h"

namespace vyre::space {

// Combinations for which a constraint has no value.
struct Undefined {
  std::uint64_t count = 0;
  std::optional<Error> reason;  // of the first
};

class Check {
 public:
  static constexpr std::size_t max_table = 4'096;

  // `columns`: the parameters with more than one value that the rules name, ascending.
  Check(std::vector<std::uint32_t> columns, std::vector<Rule> rules,
        std::span<const Parameter> parameters);

  // Finds how many combinations hold, exactly where that is cheap.
  void prepare(std::span<const std::vector<Digit>> domains, Undefined& undefined);

  [[nodiscard]] std::span<const std::uint32_t> columns() const { return columns_; }
  [[nodiscard]] double share() const { return share_; }  // of the combinations that hold, about
  [[nodiscard]] double cost() const { return cost_; }    // of a lane, about, in nanoseconds

  // digits[parameter][lane]; see Rule::test. Sets `holds`.
  void test(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
            Undefined& undefined);

 private:
  void look_up(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds) const;
  void fill_table(std::span<const std::vector<Digit>> domains, Undefined& undefined);
  void estimate(std::span<const std::vector<Digit>> domains);
  void run(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
           Undefined& undefined);

  std::vector<std::uint32_t> columns_;
  std::vector<Rule> rules_;
  std::span<const Parameter> parameters_;
  std::vector<std::uint32_t> strides_;
  std::vector<std::uint8_t> table_;
  double share_ = 1;
  double cost_ = 0;
};

}  // namespace vyre::space
