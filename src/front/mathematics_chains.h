// The chains that a context makes of the sizes it is given.
#pragma once

#include <memory>

#include "front/chain_state.h"

namespace vyre::detail {

[[nodiscard]] Result<std::shared_ptr<ChainState>> gemm_chain(std::shared_ptr<ContextState> context,
                                                             const GemmSizes& sizes);
[[nodiscard]] Result<std::shared_ptr<ChainState>> inverse_chain(
    std::shared_ptr<ContextState> context, const InverseSizes& sizes);

}  // namespace vyre::detail
