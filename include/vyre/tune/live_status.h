// How far live tuning of a kernel is, for people to look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vyre::tune {

struct LiveArm {
  std::string configuration;  // "wg_x=8 vector=16", or "as it is"
  double weight = 0;          // part of the next dispatches
  double ns = 0;              // of a launch; 0 if it never ran
  double low = 0, high = 0;   // 95 %
  std::size_t samples = 0;
};

struct LiveStatus {
  bool settled = false;       // every dispatch runs the best of what is known
  bool searched = false;      // no more members are looked for
  std::vector<LiveArm> arms;  // the first is the kernel as it is
  std::size_t best = 0;       // of the arms
  double speedup = 1;         // of the best over the kernel as it is, by their launches
  std::uint64_t dispatches = 0;
  std::size_t tried = 0;     // members, in the background
  std::size_t failed = 0;    // of those: did not compile, crashed, hung or computed something else
  std::size_t restarts = 0;  // because times changed for good
  double gained_s = 0;       // so far, in seconds of the device's time
  std::string problem;       // why nothing is looked for any more, if not because all is done
};

}  // namespace vyre::tune
