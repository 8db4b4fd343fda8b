// Q16.16 as expressions of programs. The IR has no 64-bit integers, so products and sums are pairs
// of u32; the results are the bits that base/fixed.h computes on the host.
//
// Each function adds lets whose names start with `name`.
#pragma once

#include <string>

#include "vyre/ir/build.h"

namespace vyre::primitives {

// A 64-bit two's complement number; both halves are u32.
struct Wide {
  ir::Value high;
  ir::Value low;
};

// (a * b) >> 16 of two i32, without loss.
[[nodiscard]] Wide fixed_product(ir::Builder& k, const std::string& name, const ir::Value& a,
                                 const ir::Value& b);

// The nearest i32.
[[nodiscard]] ir::Value saturated(const Wide& wide);

// Both saturate.
[[nodiscard]] ir::Value fixed_multiply(ir::Builder& k, const std::string& name, const ir::Value& a,
                                       const ir::Value& b);
[[nodiscard]] ir::Value fixed_subtract(ir::Builder& k, const std::string& name, const ir::Value& a,
                                       const ir::Value& b);

// |a - b| of two i32, as u32.
[[nodiscard]] ir::Value distance(const ir::Value& a, const ir::Value& b);

// A 64-bit sum that wraps.
class WideSum {
 public:
  WideSum(ir::Builder& k, const std::string& name);
  void add(const Wide& term) const;
  [[nodiscard]] Wide value() const { return {high_, low_}; }

 private:
  ir::Variable high_;
  ir::Variable low_;
};

}  // namespace vyre::primitives
