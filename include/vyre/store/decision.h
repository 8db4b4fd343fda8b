// A decision: the configuration chosen for one dispatch on one adapter, with the evidence for it.
//
// The short form in a file has a key and a workgroup and nothing else: it can be found by its key
// only. See docs/store.md for the fields.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/measure/estimate.h"
#include "vyre/space/value.h"
#include "vyre/store/key.h"

namespace vyre::store {

// Invocations in one workgroup; no device has that many.
inline constexpr std::uint64_t max_invocations = std::uint64_t{1} << 20;
inline constexpr std::size_t max_text = 1'024;    // bytes in a name or another text
inline constexpr std::size_t max_features = 512;  // bytes in what a program is like
inline constexpr std::size_t max_settings = 256;  // parameters in a configuration

// The value that a parameter has.
struct Setting {
  std::string name;
  space::Value value;

  bool operator==(const Setting&) const = default;
};

// The untuned program, measured beside what was chosen.
struct Baseline {
  measure::Estimate elapsed;                // nanoseconds of a launch
  measure::Estimate speedup = {1, {1, 1}};  // of what was chosen over it

  bool operator==(const Baseline&) const = default;
};

// What is known only of the full form.
struct Evidence {
  Dispatch dispatch;
  std::string program_name;            // for people
  std::vector<Setting> configuration;  // beside the workgroup
  measure::Estimate elapsed;           // nanoseconds of a launch
  std::optional<Baseline> baseline;
  std::uint64_t samples = 0;
  std::string features;  // what the program is like, in ASCII; empty if nobody said
  std::string strategy;
  std::string vyre;  // the version that measured
  std::chrono::sys_seconds date = {};
  std::string driver;  // of the adapter, when it was measured

  bool operator==(const Evidence&) const = default;
};

struct Decision {
  Key key;
  Size workgroup = {64, 1, 1};
  std::optional<Evidence> evidence;  // none in the short form

  bool operator==(const Decision&) const = default;
};

// A decision in the full form, under the key of its dispatch.
[[nodiscard]] Decision decide(const Size& workgroup, Evidence evidence);

// Refuses sizes of 0 or past the limits, times and ratios that are not numbers above 0
// or outside their interval, texts that are too long, no samples, and a key that is not that of the
// dispatch.
[[nodiscard]] Result<void> validate(const Decision& decision);

// Whether `challenger` should replace `present`, which has the same key: the full form beats the
// short one; then the faster, if the intervals do not overlap and both are of three samples or
// more; then more samples; then the newer.
[[nodiscard]] bool better(const Decision& challenger, const Decision& present);

// "2026-11-16T03:00:00Z"; years 0 to 9999.
[[nodiscard]] std::string to_string(std::chrono::sys_seconds date);

}  // namespace vyre::store
