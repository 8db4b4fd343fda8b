// Random expressions of a given type over the names and buffers that are at hand.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/random_source.h"
#include "vyre/ir/expr.h"

namespace vyre::testing {

// A name that expressions may use.
struct KnownName {
  std::string name;
  ir::Type type;
};

// A buffer that expressions may read anywhere in its first `count` elements.
struct Readable {
  std::string name;
  Scalar element;
  std::uint32_t count;
  bool is_long = true;  // enough for read_from
};

// All types of elements, or all but f64.
std::span<const Scalar> random_scalars(bool f64);

// Types of elements that no value has.
std::span<const Scalar> narrow_scalars();

class RandomExpr {
 public:
  RandomExpr(RandomSource& random, const std::vector<KnownName>& names,
             const std::vector<Readable>& readable, bool f64)
      : random_(random), names_(names), readable_(readable), scalars_(random_scalars(f64)) {}

  // A value that every device computes to the bit.
  ir::Expr exact(ir::Type type, int depth);
  // A value whose last operation may be inexact.
  ir::Expr loose(ir::Type type, int depth);
  // A u32 below `bound`.
  ir::Expr index_below(std::uint32_t bound, int depth);

  // From now on: no ids of groups.
  void see_no_groups() { groups_ = false; }
  // From now on: scalars only, which vectors of lanes can be made of.
  void see_no_vectors() { vectors_ = false; }
  // From now on half of the loads start near this index. Requires: long readable buffers hold
  // max_lanes more elements from any value of it on.
  void read_from(std::optional<ir::Expr> index) { near_ = std::move(index); }
  [[nodiscard]] const std::optional<ir::Expr>& near() const { return near_; }

  // Whether memory is read from now on.
  void see_memory(bool seen) { blind_ = !seen; }

  ir::Expr literal_of(Scalar scalar);
  ir::Type any_type();
  Scalar any_scalar();

 private:
  ir::Expr leaf(ir::Type type);
  ir::Expr node(ir::Type type, int depth);
  ir::Expr reduced(ir::Type vector, int depth);
  ir::Expr boolean(ir::Type type, int depth);
  ir::Expr integer(ir::Type type, int depth);
  ir::Expr floating(ir::Type type, int depth);
  ir::Expr load(ir::Type type, int depth);
  ir::Expr converted(ir::Type type, int depth);
  ir::Expr id();
  ir::Expr float_bits(ir::Type type);
  std::uint64_t long_word(std::uint32_t word);

  RandomSource& random_;
  const std::vector<KnownName>& names_;
  const std::vector<Readable>& readable_;
  std::span<const Scalar> scalars_;
  bool groups_ = true;
  bool vectors_ = true;
  bool blind_ = false;
  std::optional<ir::Expr> near_;
};

}  // namespace vyre::testing
