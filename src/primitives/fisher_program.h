// The program that estimates a Fisher matrix from scores, and its f64 reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/primitives/fisher.h"

namespace vyre::primitives {

inline constexpr std::string_view fisher_name = "fisher";

// The names of the program's buffers.
struct FisherNames {
  std::string scores = "scores";
  std::string fisher = "fisher";
};

// Buffers: scores (window * parameters), fisher (parameters * parameters). Uniforms: count (how
// many scores are there), damping.
[[nodiscard]] Result<ir::Program> fisher_program(const FisherOptions& options,
                                                 const FisherNames& names = {});

// In two passes; divided by one less than the number of scores. Row major.
void fisher_reference(std::span<const double> scores, std::uint32_t parameters, double damping,
                      std::span<double> fisher);

}  // namespace vyre::primitives
