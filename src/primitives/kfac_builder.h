// What the layouts of kfac_block_inverse share: the buffers, and what is done to one block that the
// fast elimination could not finish.
#pragma once

#include "vyre/ir/build.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

// A kfac_block_inverse program while it is built. n is part of the program; the number of blocks
// is a uniform.
struct KfacBuilder {
  KfacBuilder(ir::Builder& builder, const KfacOptions& options);

  ir::Builder& k;
  std::uint32_t n;
  ir::Value blocks;
  ir::Value damping;
  ir::Value ill_above;
  ir::BufferRef out, in, scratch, state, condition;
};

// What fast elimination leaves in condition[b]: the condition number, or below zero that the block
// must be done again. From the norms of the block and its inverse, the largest difference between
// mirrored elements, and the least pivot; all of one type, scalar or vector.
[[nodiscard]] ir::Value kfac_verdict(KfacBuilder& kfac, const ir::Value& norm,
                                     const ir::Value& apart, const ir::Value& least,
                                     const ir::Value& inverse_norm);

// Gives block `b` its state from condition[b], and first does it again with pivoting, in one
// invocation, if fast elimination asked for that.
void settle_block(KfacBuilder& kfac, const ir::Value& b);

// The layouts.
void kfac_item(KfacBuilder& kfac);
void kfac_group(KfacBuilder& kfac);
void kfac_interleaved(KfacBuilder& kfac, std::uint8_t lanes);
void kfac_registers(KfacBuilder& kfac, std::uint8_t lanes);
void kfac_panels(KfacBuilder& kfac);

}  // namespace vyre::primitives
