// Inverts many square blocks at once: blocks_out[b] = (blocks_in[b] + damping I)^-1, n x n, f32,
// row major.
//
// Blocks are expected symmetric positive definite, as the Kronecker factors of K-FAC are (Martens
// and Grosse, "Optimizing neural networks with Kronecker-factored approximate curvature", 2015);
// those are eliminated without pivoting. A block that turns out not to be so is done again by
// Gauss-Jordan elimination with partial pivoting, and reported. No block can spoil another: one
// that has no inverse is reported, and zeros are written for it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/blocks.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

class Decisions;

// How the work is laid on the device. All compute the same, up to rounding.
enum class KfacLayout : std::uint8_t {
  automatic,    // as was decided, else chosen from n, the number of blocks and the device
  item,         // one invocation per block
  group,        // one workgroup per block, a row per invocation
  interleaved,  // one block per vector lane, in shared memory; n up to 16
  registers,    // one block per vector lane, unrolled into variables; n up to 8
  panels,       // one invocation per block, vectors along rows, eight pivots at a time
};
[[nodiscard]] std::string_view name_of(KfacLayout layout);

struct KfacSchedule {
  KfacLayout layout = KfacLayout::automatic;
  std::uint32_t lanes = 8;  // of the layouts with a block per lane: 2, 4, 8 or 16
};

struct KfacOptions {
  std::uint32_t num_blocks = 0;
  std::uint32_t n = 0;
  float damping = 0;  // added to every diagonal element; at least 0
  KfacSchedule schedule = {};
  const Decisions* decisions = nullptr;  // asked where the layout is automatic; see decisions.h
};

// Move-only; must not outlive its device. After it is made it allocates only if more blocks are bad
// than ever before.
class KfacBlockInverse {
 public:
  [[nodiscard]] static Result<KfacBlockInverse> make(device::Device& device,
                                                     const KfacOptions& options);

  // Copies in, inverts, copies out. An error is one of shape or device; bad blocks are in
  // reports().
  [[nodiscard]] Result<void> operator()(std::span<const float> blocks_in,
                                        std::span<float> blocks_out);
  // The blocks that were not good, by index, as of the last call or read_reports().
  [[nodiscard]] std::span<const BlockReport> reports() const { return reports_; }

  // For data that stays on the device: launch() inverts what blocks_in() holds into blocks_out();
  // read_reports() fetches what became of the blocks.
  [[nodiscard]] Result<void> launch() { return pipeline_.launch(); }
  [[nodiscard]] Result<void> read_reports();
  [[nodiscard]] Array& blocks_in() { return pipeline_.array("blocks_in"); }
  [[nodiscard]] Array& blocks_out() { return pipeline_.array("blocks_out"); }
  [[nodiscard]] KfacSchedule schedule() const { return schedule_; }

 private:
  explicit KfacBlockInverse(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}

  Pipeline pipeline_;
  KfacSchedule schedule_;
  std::vector<std::uint32_t> states_;
  std::vector<float> conditions_;
  std::vector<BlockReport> reports_;
};

}  // namespace vyre::primitives
