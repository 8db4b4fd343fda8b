// The program of softmax and its f64 reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/primitives/softmax.h"

namespace vyre::primitives {

inline constexpr std::string_view softmax_name = "softmax";

// The names of the program's buffers.
struct SoftmaxNames {
  std::string times = "times";
  std::string masses = "masses";
  std::string weights = "weights";
};

// Buffers: times (2 n, u32: lower and upper half in turn), masses (n, u32), weights (n, i32).
[[nodiscard]] Result<ir::Program> softmax_program(const SoftmaxOptions& options,
                                                  const SoftmaxNames& names = {});

// The weights before rounding.
void softmax_reference(std::span<const std::uint64_t> times, std::uint64_t temperature,
                       std::span<double> weights);

}  // namespace vyre::primitives
