// What looking for faster members may cost a program that is doing real work meanwhile.
//
// Nobody knows how long a program will run. So what is lost to the search stays within a small part
// of the time it has run, or would run if it called its kernel some thousand times. Of what was
// gained a quarter may be invested, while the search keeps to its share of the machine, and to less
// of it the more members were tried in vain. Before anything was gained, what programs like this
// one gained is worth a venture: little while it is so new that it may be over before that pays.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace vyre::tune {

struct LiveSpending {
  std::chrono::nanoseconds elapsed{};  // since a kernel was first called
  std::chrono::nanoseconds launch{};   // of the best that there is
  std::uint64_t calls = 0;             // so far
  std::chrono::nanoseconds gained{};   // by launches of others in its place; may be negative
  std::chrono::nanoseconds spent{};    // CPU time of the search
  std::chrono::nanoseconds lost{};     // what the program did less meanwhile, as a LiveLoss has it
  double cores = 1;                    // that it is taken from
  std::size_t in_vain = 0;             // members tried since the best one
  double expected_gain = 1;            // that programs like this one had by what is tried next
};

// `share` is that of the machine which the search has while it runs; of 1, it costs what it costs.
[[nodiscard]] bool may_spend(const LiveSpending& so_far, double share);

// The niceness at which one busy thread beside others gets this share of a machine of so many
// cores.
[[nodiscard]] int niceness_for(double share, double cores);

}  // namespace vyre::tune
