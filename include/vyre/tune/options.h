// How a program comes by its configuration: how much a search may cost, which one it is, and the
// words of VYRE_AUTOTUNER.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace vyre::tune {

// What happens at the first dispatch.
enum class Mode : std::uint8_t {
  sweep,    // "on": measures every candidate
  natural,  // "natural", "ng", or nothing: searches with the natural-gradient policy
  stored,   // "off", "default": what the store has, else the default workgroup
  live,     // "live": what the store has for these sizes, else as it is; kernels of the front door
            // are then tuned by the calls that follow
};
// Whether a first dispatch waits for a search.
[[nodiscard]] constexpr bool searches(Mode mode) {
  return mode == Mode::sweep || mode == Mode::natural;
}

struct ModeChoice {
  Mode mode = Mode::natural;
  std::string warning;  // for the user, once; empty if the word was understood
};

// Of the variable's value; `unset` if there is none, or another word. Only cli and Context::open
// read the environment.
[[nodiscard]] ModeChoice mode_of(std::optional<std::string_view> word, Mode unset = Mode::natural);

struct TuneOptions {
  std::string strategy = "natural";  // see search::make_strategy
  std::uint64_t seed = 0;
  std::size_t evaluations = 200;                             // configurations tried at most
  std::chrono::nanoseconds time = std::chrono::seconds(30);  // for trying, not for the last race
  // Processes that build and verify side by side; 0: one for each core, up to four. Only one
  // measures at a time, while the others rest.
  std::size_t workers = 0;
};

// How far a search is.
struct TuneProgress {
  std::size_t evaluated = 0;
  std::size_t evaluations = 0;  // there will be at most
  std::size_t failed = 0;       // did not compile, crashed, hung or computed something else
  double speedup = 1;           // of the best so far over the kernel as it is
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds left{};
  bool stop = false;  // set it to end the search, which keeps what it found
};

// A search ahead of time.
struct TuneRequest {
  std::chrono::nanoseconds budget = std::chrono::seconds(30);  // for trying, not for the last race
  std::size_t evaluations = 200;                               // configurations tried at most
  std::uint64_t seed = 0;
  bool again = false;                                      // also where there is a decision
  std::function<void(TuneProgress& progress)> watch = {};  // called after each configuration
};

}  // namespace vyre::tune
