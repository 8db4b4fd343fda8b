// The programs of gemm, one builder per layout, and its f64 reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/build.h"
#include "vyre/primitives/gemm.h"

namespace vyre::primitives {

inline constexpr std::string_view gemm_name = "gemm";

// What is usually best on such a device.
[[nodiscard]] GemmLayout automatic_layout(const device::Adapter& adapter);

// The names of the programs' buffers.
struct GemmNames {
  std::string a = "a";
  std::string b = "b";
  std::string c = "c";
  std::string packed_a = "packed_a";
  std::string packed_b = "packed_b";
};

// One program, or pack_a, pack_b and multiply for the packed layout. Buffers: a, b, c, and the
// packed operands packed_a and packed_b. Requires a layout other than automatic.
[[nodiscard]] Result<std::vector<ir::Program>> gemm_programs(const GemmOptions& options,
                                                             const GemmNames& names = {});

// c = a b in f64.
void gemm_reference(std::span<const double> a, std::span<const double> b, std::uint32_t m,
                    std::uint32_t n, std::uint32_t k, std::span<double> c);

// The sizes of a gemm as uniforms of one of its programs.
struct GemmSizes {
  GemmSizes(ir::Builder& builder, const GemmOptions& options);
  ir::Value m, n, k;
};

// alpha * sum + beta * c, where beta 0 takes nothing from c. All of one type, scalar or vector.
[[nodiscard]] ir::Value blended(const ir::Value& sum, const ir::Value& alpha, const ir::Value& beta,
                                const ir::Value& c);

// The layouts. Requires: options that gemm_programs takes.
[[nodiscard]] Result<ir::Program> gemm_plain(const GemmOptions& options, const GemmNames& names);
[[nodiscard]] Result<ir::Program> gemm_tiled(const GemmOptions& options, const GemmNames& names);
[[nodiscard]] Result<std::vector<ir::Program>> gemm_packed(const GemmOptions& options,
                                                           const GemmNames& names);

}  // namespace vyre::primitives
