// Decisions for the tests of the store.
#pragma once

#include <fmt/format.h>

#include "vyre/store/decision.h"

namespace vyre::testing {

// The n-th of a family of dispatches of one program, by size.
inline store::Dispatch dispatch(std::uint32_t n, std::string_view program = "program") {
  return {.program = blake2b(program),
          .workgroup = {64, 1, 1},
          .groups = store::Size{n + 1, 1, 1},
          .output_bytes = 256 * (std::uint64_t{n} + 1),
          .input_bytes = n % 2 == 0 ? 0U : 1024U};
}

inline store::Decision decision(std::uint32_t n, std::string_view program = "program") {
  using std::chrono::sys_days;
  using std::chrono::year;
  store::Evidence evidence{
      .dispatch = dispatch(n, program),
      .program_name = std::string(program),
      .configuration = {{"tile", std::int64_t{16}},
                        {"scale", 0.5},
                        {"unroll", true},
                        {"layout", std::string("rows")}},
      .elapsed = {1000.25 + n, {990, 1100.5 + n}},
      .baseline =
          store::Baseline{.elapsed = {2500, {2400, 2600.5}}, .speedup = {2.5, {2.25, 2.75}}},
      .samples = 31,
      .strategy = "natural",
      .vyre = "0.1.0",
      .date = sys_days(year(2026) / 11 / 16) + std::chrono::seconds(n),
      .driver = "3.1 (OpenCL 3.0)",
  };
  return store::decide({n % 64 + 1, 2, 1}, std::move(evidence));
}

}  // namespace vyre::testing
