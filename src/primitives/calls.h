// How often this process launched each program of the primitives, by the program's name.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace vyre::primitives {

struct Calls {
  std::string program;
  std::uint64_t count = 0;
  bool operator==(const Calls&) const = default;
};
// Those that were launched, by name. Any thread may ask at any time.
[[nodiscard]] std::vector<Calls> calls();

// Where launches of a program are counted; it lives as long as the process.
[[nodiscard]] std::atomic<std::uint64_t>& call_counter(const std::string& program);

}  // namespace vyre::primitives
