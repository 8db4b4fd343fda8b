// The program of kfac_block_inverse and its f64 reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vyre/ir/program.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

inline constexpr std::string_view kfac_name = "kfac_block_inverse";

inline constexpr std::uint32_t max_interleaved_n = 16;
inline constexpr std::uint32_t max_registers_n = 8;  // 16 would take half a minute to compile

// The names of the programs' buffers; state and condition are those of the program that reports.
struct KfacNames {
  std::string blocks_out = "blocks_out";
  std::string blocks_in = "blocks_in";
  std::string scratch = "scratch";
  std::string state = "state";
  std::string condition = "condition";
};

// Buffers: blocks_out, blocks_in (num_blocks * n * n), scratch (u32, num_blocks * n: row swaps),
// state (u32) and condition (f32), one per block. Requires a layout other than automatic.
[[nodiscard]] Result<ir::Program> kfac_block_inverse_program(const KfacOptions& options,
                                                             const KfacNames& names = {});
// The same without state and condition: blocks_out gets the same bits, and zeros where there is no
// inverse, but nothing says which blocks were not good.
[[nodiscard]] Result<ir::Program> kfac_block_inverse_plain_program(const KfacOptions& options,
                                                                   const KfacNames& names = {});

// The inverse of one block by Gauss-Jordan with partial pivoting in f64; false if it has none.
bool kfac_block_inverse_reference(std::span<const double> in, std::uint32_t n,
                                  std::span<double> out);

// What is usually best on such a device.
[[nodiscard]] KfacSchedule automatic_schedule(const KfacOptions& options,
                                              const device::Adapter& adapter);

}  // namespace vyre::primitives
