// How much a search may cost, and which one it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vyre::tune {

struct TuneOptions {
  std::string strategy = "natural";  // see search::make_strategy
  std::uint64_t seed = 0;
  std::size_t evaluations = 200;                             // configurations tried at most
  std::chrono::nanoseconds time = std::chrono::seconds(30);  // for trying, not for the last race
  // Processes that build and verify side by side; 0: one for each core, up to four. Only one
  // measures at a time, while the others rest.
  std::size_t workers = 0;
};

}  // namespace vyre::tune
