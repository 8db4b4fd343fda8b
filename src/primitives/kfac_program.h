// The program of kfac_block_inverse and its f64 reference.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

inline constexpr std::string_view kfac_name = "kfac_block_inverse";

inline constexpr std::uint32_t max_interleaved_n = 16;
inline constexpr std::uint32_t max_registers_n = 8;  // 16 would take half a minute to compile

// Buffers: blocks_out, blocks_in (num_blocks * n * n), scratch (u32, num_blocks * n: row swaps),
// state (u32) and condition (f32), one per block. Requires a layout other than automatic.
[[nodiscard]] Result<ir::Program> kfac_block_inverse_program(const KfacOptions& options);

// The inverse of one block by Gauss-Jordan with partial pivoting in f64; false if it has none.
bool kfac_block_inverse_reference(std::span<const double> in, std::uint32_t n,
                                  std::span<double> out);

// What is usually best on such a device.
[[nodiscard]] KfacSchedule automatic_schedule(const KfacOptions& options,
                                              const device::Adapter& adapter);

}  // namespace vyre::primitives
