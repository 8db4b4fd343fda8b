// What `vyre doctor` looks at: checks, printed one per line as they are made.
#pragma once

#include <cstddef>
#include <string>

namespace vyre::cli {

// One part of the machine: what was looked at, what was found, how to mend it.
struct Check {
  enum class State : unsigned char { ok, problem, skipped };
  State state = State::ok;
  std::string name;
  std::string found;
  std::string fix;  // what to do; empty unless there is a problem
};

class Checkup {
 public:
  explicit Checkup(bool colour) : colour_(colour) {}

  // Prints it, in one line. Returns whether it is no problem.
  bool add(const Check& check);
  [[nodiscard]] std::size_t checks() const { return checks_; }
  [[nodiscard]] std::size_t problems() const { return problems_; }

 private:
  bool colour_ = false;
  std::size_t checks_ = 0;
  std::size_t problems_ = 0;
};

}  // namespace vyre::cli
