// Where each parameter stands, by its name: files and constraints may name each of them often.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "vyre/space/value.h"

namespace vyre::space {

// The parameters must outlive it, where they are.
class Positions {
 public:
  explicit Positions(std::span<const Parameter> parameters) {
    for (const Parameter& parameter : parameters) {
      of_name_.emplace(parameter.name, static_cast<std::uint32_t>(of_name_.size()));
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const {
    const auto found = of_name_.find(name);
    if (found == of_name_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> of_name_;
};

}  // namespace vyre::space
