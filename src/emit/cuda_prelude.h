// Helper definitions of the CUDA dialect: vectors, and functions that CUDA lacks.
#pragma once

#include <string>
#include <string_view>

#include "emit/helpers.h"

namespace vyre::emit {

void need_cuda_vectors(Helpers& helpers);

// A function of vectors, lane by lane, from a scalar one with this number of arguments of one type.
// Returns its name.
std::string need_cuda_lifted(std::string_view scalar_function, int arguments, Helpers& helpers);

// A function that combines the lanes of a vector in the order of ir::Reduce. Returns its name.
std::string need_cuda_reduction(std::string_view scalar_function, Helpers& helpers);

// vy_add: wraps. vy_div, vy_rem: integers, every divisor allowed. vy_abs: signed. vy_to_int,
// vy_to_uint, vy_to_lint, vy_to_luint: saturating. vy_half_to_float, vy_float_to_half: the bits of
// an f16.
void need_cuda_scalar(std::string_view function, Helpers& helpers);

// vy_load, vy_store and vy_atomic_add guard their access; vy_load_lanes and vy_store_lanes move
// vectors, with a guard where count and index are given.
void need_cuda_access(std::string_view function, Helpers& helpers);

}  // namespace vyre::emit
