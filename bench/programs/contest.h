// A program of the set against its peers: tuned as a user would, then timed in rounds in which all
// take turns.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "set.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"

namespace vyre::bench {

struct ContestOptions {
  double seconds = 15;  // of tuning
  int rounds = 9;
};

struct Rival {
  std::string name;
  std::string how;   // of peers.h
  double ms = 0;     // the median
  double ratio = 0;  // its time / vyre's, the median over the rounds
};

struct Contest {
  const Entry* entry = nullptr;
  double ms = 0;  // vyre's, the median
  std::vector<Rival> rivals;
  std::size_t tries = 0;
  std::string schedule;
  double bandwidth = 0;  // bytes that must be moved / time, over that of a copy; 0: not the bound
  std::string problem;   // why it was not tuned; it ran as it is then
  std::string left_out;  // why there is no Halide

  // Requires: there are rivals.
  [[nodiscard]] const Rival& best() const;
  // None if there is no such rival.
  [[nodiscard]] const Rival* find(std::string_view rival) const;
};

// Errors are those of a run: no device, results that differ.
[[nodiscard]] Result<Contest> hold(const Entry& entry, device::Device& device,
                                   const ContestOptions& options);

// Compares the interpreter and the native peers at tiny sizes, and all peers at those of the text.
[[nodiscard]] Result<void> check_peers(const Entry& entry, std::string& left_out);

}  // namespace vyre::bench
