// What a program looks like from outside, as a short vector of numbers: programs that are near each
// other gain by like schedules.
//
// The numbers come from static facts and from the strides of accesses; nothing is run. As text they
// are "invocations=17 width=9 ...": the form in which they are kept beside what was found good.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::schedule {

struct Feature {
  std::string_view name;
  double weight;  // of a difference of 1
};

// Logarithms are to the base 2; shares are from 0 to 1.
inline constexpr std::array feature_table = {
    Feature{"invocations", 0.15},      // log of their number
    Feature{"width", 0.1},             // log of the grid in x
    Feature{"height", 0.25},           // log of the grid in y
    Feature{"depth", 0.25},            // log of the grid in z
    Feature{"loops", 0.5},             // in the text
    Feature{"loads", 0.3},             // log of 1 + loads of an invocation
    Feature{"reuse", 0.3},             // log of bytes accessed per byte of the buffers
    Feature{"arithmetic", 0.3},        // log of 1 + operations per access
    Feature{"special", 0.2},           // log of 1 + divisions, roots, exponentials per invocation
    Feature{"atomics", 2.0},           // log of 1 + atomics of an invocation
    Feature{"atomic_to_one", 2.0},     // share of them that neighbours in x add to one element
    Feature{"loads_contiguous", 1.5},  // share of loads that are neighbours for neighbours in x
    Feature{"loads_uniform", 1.5},     // share of loads that are the same for neighbours in x
    Feature{"loads_shared", 1.0},      // share of loads that are the same for neighbours in y
    Feature{"stores_contiguous", 2.0},
    Feature{"divergent", 0.3},      // ifs and loops that invocations take differently, in the text
    Feature{"loads_along", 1.0},    // share of loads that are neighbours along an innermost loop
    Feature{"loads_clamped", 1.0},  // share of loads whose index is clamped, wrapped or chosen
    Feature{"reassociate", 1.5},    // 1: the order of float arithmetic does not matter
};

struct Features {
  std::array<double, feature_table.size()> values = {};  // to three decimals

  // Requires: a feature of that name.
  [[nodiscard]] double operator[](std::string_view name) const;
  bool operator==(const Features&) const = default;
};

// Of a program at these sizes. Requires: a valid program. Fails where a size cannot be evaluated.
[[nodiscard]] Result<Features> features(const ir::Program& program,
                                        const ir::Uniforms& uniforms = {});

// The weighted distance of two programs.
[[nodiscard]] double distance(const Features& left, const Features& right);

[[nodiscard]] std::string to_string(const Features& features);
// Refuses what does not name each feature once: it was written by another version.
[[nodiscard]] Result<Features> parse_features(std::string_view text);

}  // namespace vyre::schedule
