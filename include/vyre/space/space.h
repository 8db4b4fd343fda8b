// The valid configurations of a kernel: a set that is fixed once made, with positions from 0 to
// size.
//
// A configuration is one value for each parameter. It is known by its Index, by its digits (which
// of each parameter's values it has) or by its values; each is found from the others in constant
// time. Stored are digits, one or two bytes each, and only for groups of parameters that constrain
// each other: the space is the product of its groups. Copies of a Space share what they hold.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::space {

using Index = std::uint32_t;

class Part;

class Space {
 public:
  // Exactly these configurations, in this order: `rows` holds one digit for each parameter, row
  // after row. Refused: bad parameters (see checked), a digit out of range, a configuration given
  // twice.
  static Result<Space> of(std::vector<Parameter> parameters, std::span<const Digit> rows);

  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::span<const Parameter> parameters() const { return *parameters_; }

  // Index to configuration. Requires index < size().
  [[nodiscard]] Digit digit(Index index, std::size_t parameter) const;
  void digits(Index index, std::span<Digit> out) const;
  [[nodiscard]] std::vector<Digit> digits(Index index) const;
  [[nodiscard]] std::vector<Value> values(Index index) const;
  // "16,1,True": the values in the order of the parameters.
  [[nodiscard]] std::string key(Index index) const;

  // Configuration to index; nothing if it is not in the space. Requires one per parameter.
  [[nodiscard]] std::optional<Index> find(std::span<const Digit> digits) const;
  [[nodiscard]] std::optional<Index> find(std::span<const Value> values) const;

  // The configurations that differ from it in exactly one parameter, ascending.
  [[nodiscard]] std::vector<Index> neighbours(Index index) const;

  // Bytes held for the configurations.
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend Space product(std::vector<Parameter> parameters, std::vector<Part> parts);
  Space(std::vector<Parameter> parameters, std::vector<Part> parts);

  struct Home {  // where a parameter's digit is; no part: it has one value
    std::uint32_t part = ~std::uint32_t{0};
    std::uint32_t column = 0;
  };

  std::shared_ptr<const std::vector<Parameter>> parameters_;
  std::shared_ptr<const std::vector<Part>> parts_;
  std::vector<Home> homes_;
  std::vector<Index> strides_;  // of each part in the index
  Index size_ = 0;
};

}  // namespace vyre::space
