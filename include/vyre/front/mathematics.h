// Mathematics on arrays that stay on the device: products and inverses of matrices, row major.
//
//   auto gemm = gpu.gemm<float>({.m = 512, .n = 512, .k = 512});
//   (*gemm)(a, b, c);                                    // c = a b, enqueued
//
// Each is made for its sizes, owns what it needs beside the arrays, and comes by its schedule from
// the store; where that has none it is as usual on the device, or searched for at the first call in
// the modes that search. Handles, like a Kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/front/array.h"
#include "vyre/front/event.h"
#include "vyre/front/kernel.h"
#include "vyre/primitives/blocks.h"

namespace vyre {

using primitives::BlockReport;
using primitives::BlockState;

// c = alpha a b + beta c; a is m x k, b is k x n, c is m x n.
struct GemmSizes {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  float alpha = 1;
  float beta = 0;  // 0 takes nothing from c, not even nan
};

// `blocks` matrices of n x n, one after the other.
struct InverseSizes {
  std::uint32_t blocks = 0;
  std::uint32_t n = 0;
  float damping = 0;  // added to every diagonal element; at least 0
};

namespace detail {

class ChainState;

// Programs that run one after the other on the caller's arrays and on some of their own.
class Chain {
 public:
  Chain() = default;
  explicit Chain(std::shared_ptr<ChainState> state) : state_(std::move(state)) {}

  [[nodiscard]] bool tuned() const;
  [[nodiscard]] std::string why() const;
  // Of the program that does most: "depth=384 row_panels=4".
  [[nodiscard]] std::string configuration() const;

 protected:
  Event call(std::span<const AnyArray* const> arrays, std::span<const Parameter> parameters) const;
  [[nodiscard]] const std::shared_ptr<ChainState>& state() const { return state_; }

 private:
  std::shared_ptr<ChainState> state_;
};

}  // namespace detail

template <class T>
class Gemm;
template <>
class Gemm<float> : public detail::Chain {
 public:
  using Chain::Chain;
  Event operator()(const Array<const float>& a, const Array<const float>& b,
                   const Array<float>& c) const {
    const detail::AnyArray* const all[] = {&a, &b, &c};
    return call(all, detail::parameters_of<const float, const float, float>);
  }
};

// Inverts many small matrices at once, and says of each that is singular, indefinite or
// ill-conditioned. What K-FAC calls its block inverse (see vyre/primitives/kfac.h).
template <class T>
class BatchedInverse;
template <>
class BatchedInverse<float> : public detail::Chain {
 public:
  using Chain::Chain;
  Event operator()(const Array<const float>& in, const Array<float>& out) const {
    const detail::AnyArray* const all[] = {&in, &out};
    return call(all, detail::parameters_of<const float, float>);
  }
  // Of the last call, for which it waits: the blocks that are not good, by index.
  [[nodiscard]] Result<std::vector<BlockReport>> reports() const;
};

}  // namespace vyre
