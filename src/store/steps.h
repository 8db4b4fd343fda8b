// Takes a text apart from its front: each step takes what it is named after, or fails for good.
//
// It knows TOML only as render.h writes it. After a failure every step does nothing and gives an
// empty value, so that only the end needs to be looked at.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/store/decision.h"

namespace vyre::store {

class Steps {
 public:
  explicit Steps(std::string_view text) : text_(text), rest_(text) {}

  [[nodiscard]] bool failed() const { return failed_; }
  // What was taken so far. Requires that nothing has failed.
  [[nodiscard]] std::string_view taken() const {
    return text_.substr(0, text_.size() - rest_.size());
  }
  [[nodiscard]] bool sees(std::string_view word) const { return rest_.starts_with(word); }

  bool take(std::string_view word);
  // "name = ", the beginning of a line.
  bool field(std::string_view name) { return take(name) && take(" = "); }

  std::string_view characters(std::size_t count);
  std::uint64_t natural();
  double real();
  Size size();
  // In quotes and without escapes.
  std::string string();
  std::vector<Setting> settings();
  std::chrono::sys_seconds date();

 private:
  bool fail();
  std::string name();
  space::Value value();

  std::string_view text_;
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace vyre::store
