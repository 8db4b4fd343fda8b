// CLBlast's sgemm as shipped, on the first OpenCL device.
#pragma once

#include <memory>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::bench {

class ClblastGemm {
 public:
  // c = a b for square matrices.
  [[nodiscard]] static Result<ClblastGemm> make(std::size_t n, const std::vector<float>& a,
                                                const std::vector<float>& b);
  [[nodiscard]] bool launch();

  ClblastGemm(ClblastGemm&&) noexcept;
  ~ClblastGemm();

 private:
  struct State;
  explicit ClblastGemm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vyre::bench
