// What the layouts of kfac_block_inverse share: the buffers, and what is done to one block that the
// fast elimination could not finish.
#pragma once

#include <optional>

#include "primitives/kfac_program.h"
#include "vyre/ir/build.h"
#include "vyre/primitives/kfac.h"

namespace vyre::primitives {

// A kfac_block_inverse program while it is built. n is part of the program; the number of blocks
// is a uniform.
struct KfacBuilder {
  KfacBuilder(ir::Builder& builder, const KfacOptions& options, const KfacNames& names,
              bool reports);

  ir::Builder& k;
  std::uint32_t n;
  ir::Value blocks;
  ir::Value damping;
  ir::BufferRef out, in, scratch;
  // Of the program that says what became of each block.
  struct Report {
    ir::Value ill_above;
    ir::BufferRef state, condition;
  };
  std::optional<Report> report;
};

// What fast elimination finds of a block: the condition number, or below zero that the block must
// be done again. From the norms of the block and its inverse, the largest difference between
// mirrored elements, and the least pivot; all of one type, scalar or vector.
[[nodiscard]] ir::Value kfac_verdict(KfacBuilder& kfac, const ir::Value& norm,
                                     const ir::Value& apart, const ir::Value& least,
                                     const ir::Value& inverse_norm);

// Keeps the verdict on block `b` until the block is settled.
void keep_verdict(KfacBuilder& kfac, const ir::Value& b, const ir::Value& verdict);

// Does block `b` again with pivoting, in one invocation, if the verdict that was kept asks for
// that; and files its state and condition if the program reports.
void settle_block(KfacBuilder& kfac, const ir::Value& b);

// The layouts.
void kfac_item(KfacBuilder& kfac);
void kfac_group(KfacBuilder& kfac);
void kfac_interleaved(KfacBuilder& kfac, std::uint8_t lanes);
void kfac_registers(KfacBuilder& kfac, std::uint8_t lanes);
void kfac_panels(KfacBuilder& kfac);

}  // namespace vyre::primitives
