// What others measured: configurations, and for each the time it took or how it failed, with what
// it cost to find out. A search can be replayed on it without a device.
//
// read_recorded takes T4 results and Kernel Tuner caches, old and new, also those left open by a
// run that was cut off, plain or compressed (.gz). The space is the set of configurations in the
// file, in its order; of a configuration that is there twice the last counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/verdict.h"
#include "vyre/space/space.h"

namespace vyre::formats {

// What it cost to try a configuration, in ms. Where a T4 file does not say how long benchmarking
// took, it is the sum of the runs.
struct Cost {
  double compile_ms = 0;
  double verification_ms = 0;
  double benchmark_ms = 0;
  double framework_ms = 0;

  [[nodiscard]] double total_ms() const {
    return compile_ms + verification_ms + benchmark_ms + framework_ms;
  }
  bool operator==(const Cost&) const = default;
};

struct Measurement {
  Verdict verdict = Verdict::correct;
  double time_ms = 0;  // only if correct
  Cost cost;

  bool operator==(const Measurement&) const = default;
};

struct Recorded {
  std::string name;  // the file's name without folder, .gz and .json
  std::string device;
  std::string kernel;
  space::Space space;
  std::vector<Measurement> measurements;  // one for each index of the space
  // The file has no proper end: its run was cut off, or goes on.
  bool is_cut = false;
  // Of the values that the file lists for its parameters, where it does. A space that is smaller
  // has constraints, or was not measured to its end; the file does not say which.
  std::optional<double> combinations;
};

// From a file, or from its content when that is at hand (uncompressed).
[[nodiscard]] Result<Recorded> read_recorded(const std::string& path);
[[nodiscard]] Result<Recorded> parse_recorded(std::string_view json, std::string name = "");

}  // namespace vyre::formats
