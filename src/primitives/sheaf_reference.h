// What diffusion on sheaves computes, in f64 on the host: the references of its programs.
//
// One step and one product take shapes that fit; what goes on to an end (diffusion, equilibrium)
// and what judges it (disagreement, flags) checks all that it is given, and refuses with the words
// of the device's version.
#pragma once

#include <cstdint>
#include <span>

#include "vyre/base/error.h"
#include "vyre/primitives/sheaf.h"

namespace vyre::primitives {

void sheaf_coboundary_reference(const Sheaf& sheaf, std::span<const double> x,
                                std::span<double> dx);
void sheaf_laplacian_reference(const Sheaf& sheaf, std::span<const double> x, std::span<double> lx);

// Steps until none moves; a step of 0 takes 1 / lambda_max.
[[nodiscard]] Result<Diffusion> sheaf_diffuse_reference(const Sheaf& sheaf,
                                                        std::span<const double> x,
                                                        std::span<double> out,
                                                        const DiffusionOptions& options = {});
// |F_u x_u - F_v x_v| of each edge; 1 where it is over the threshold, else 0.
[[nodiscard]] Result<void> sheaf_disagreement_reference(const Sheaf& sheaf,
                                                        std::span<const double> x,
                                                        std::span<double> out);
[[nodiscard]] Result<void> sheaf_flags_reference(const Sheaf& sheaf, std::span<const double> x,
                                                 double threshold, std::span<std::uint32_t> out);

// One step in f64, and in the bits that a device computes.
void sheaf_diagonal_reference(std::span<const double> stalks, std::span<const double> restriction,
                              double damping, std::span<double> out);
void sheaf_diagonal_reference(std::span<const std::int32_t> stalks,
                              std::span<const std::int32_t> restriction, std::int32_t damping,
                              std::span<std::int32_t> out);

// Steps of the diagonal diffusion until none moves. The tolerance is Q16.16, as the device's.
[[nodiscard]] Result<Equilibrium> sheaf_equilibrium_reference(
    std::span<const double> stalks, std::span<const double> restriction, double damping,
    std::span<double> out, const EquilibriumOptions& options = {});
// 1 where |before - after| > threshold, else 0.
[[nodiscard]] Result<void> sheaf_diagonal_flags_reference(std::span<const double> before,
                                                          std::span<const double> after,
                                                          double threshold,
                                                          std::span<std::uint32_t> out);

}  // namespace vyre::primitives
