// What the layouts of gemm share.
#pragma once

#include "vyre/ir/build.h"
#include "vyre/primitives/gemm.h"

namespace vyre::primitives {

// The sizes of a gemm as uniforms of one of its programs.
struct GemmSizes {
  GemmSizes(ir::Builder& builder, const GemmOptions& options);
  ir::Value m, n, k;
};

// alpha * sum + beta * c, where beta 0 takes nothing from c. All of one type, scalar or vector.
[[nodiscard]] ir::Value blended(const ir::Value& sum, const ir::Value& alpha, const ir::Value& beta,
                                const ir::Value& c);

[[nodiscard]] ir::Program gemm_plain(const GemmOptions& options);
[[nodiscard]] ir::Program gemm_tiled(const GemmOptions& options);
[[nodiscard]] std::vector<ir::Program> gemm_packed(const GemmOptions& options);

}  // namespace vyre::primitives
