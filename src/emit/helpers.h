// The small functions that emitted code calls, each defined once per text and only where used.
#pragma once

#include <string>
#include <unordered_set>

namespace vyre::emit {

class Helpers {
 public:
  // Adds a definition, unless it is there already. What it calls must have been added before.
  void need(const std::string& definition) {
    if (seen_.insert(definition).second) text_ += definition;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::unordered_set<std::string> seen_;
};

}  // namespace vyre::emit
