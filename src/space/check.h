// The constraints over one set of parameters, tested together. Over few combinations the answers
// are found once and looked up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/rule.h"

namespace vyre::space {

// What testing came to.
struct Tally {
  Work work;
  std::uint64_t undefined = 0;  // combinations for which a constraint has no value
  std::optional<Error> reason;  // of the first
};

class Check {
 public:
  static constexpr std::size_t max_table = 4'096;

  // `columns`: the parameters with more than one value that the rules name, ascending.
  Check(std::vector<std::uint32_t> columns, std::vector<Rule> rules,
        std::span<const Parameter> parameters);

  // Finds how many combinations hold, exactly where that is cheap.
  void prepare(std::span<const std::vector<Digit>> domains, Tally& tally);

  [[nodiscard]] std::span<const std::uint32_t> columns() const { return columns_; }
  // The constraints in it, for a message.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] double share() const { return share_; }  // of the combinations that hold, about
  [[nodiscard]] double cost() const { return cost_; }    // of a lane, about, in nanoseconds

  // digits[parameter][lane]; see Rule::test. Sets `holds`.
  void test(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
            Tally& tally);

 private:
  void look_up(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds) const;
  void fill_table(std::span<const std::vector<Digit>> domains, Tally& tally);
  void estimate(std::span<const std::vector<Digit>> domains, Tally& tally);
  void run(std::span<const Digit* const> digits, std::size_t lanes, std::uint8_t* holds,
           Tally& tally);

  std::vector<std::uint32_t> columns_;
  std::vector<Rule> rules_;
  std::span<const Parameter> parameters_;
  std::vector<std::uint32_t> strides_;
  std::vector<std::uint8_t> table_;
  double share_ = 1;
  double cost_ = 0;
};

}  // namespace vyre::space
