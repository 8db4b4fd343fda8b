// The frame of the layouts that hold one block per vector lane: element e of as many blocks as a
// vector has lanes in one vector.
#pragma once

#include <span>
#include <vector>

#include "primitives/kfac_builder.h"

namespace vyre::primitives {

class KfacLanes {
 public:
  // One invocation for every `lanes` blocks, alone in its workgroup.
  KfacLanes(KfacBuilder& kfac, std::uint8_t lanes);

  // Where the first element of each block lies. Lanes beyond the last block repeat it.
  [[nodiscard]] const std::vector<ir::Value>& blocks() const { return blocks_; }
  [[nodiscard]] ir::Value all(float value) const { return splat(lanes_, ir::constant(value)); }

  // `count` elements of each block, from the places `from` on. Runs of as many as there are lanes
  // are transposed in registers; what is left over goes one by one.
  [[nodiscard]] std::vector<ir::Value> load(const std::vector<ir::Value>& from,
                                            std::uint32_t count);
  // The way back. Lanes beyond the last block store what its own lane stores: they need no test.
  void store(const std::vector<ir::Value>& to, const std::vector<ir::Value>& elements);

  // Files the verdict on each block and does again what the fast way could not.
  void finish(const ir::Value& verdict);

 private:
  KfacBuilder& kfac_;
  std::uint8_t lanes_;
  ir::Value first_;
  std::vector<ir::Value> blocks_;
};

}  // namespace vyre::primitives
