#include "primitives/lanes.h"

namespace vyre::primitives {

using ir::Value;

namespace {

// Picks lanes of two vectors laid end to end.
template <class Pick>
Value shuffle(ir::Builder& k, const Value& a, const Value& b, Pick pick) {
  std::vector<Value> lanes;
  const std::uint32_t count = a.expr().type().lanes;
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::uint32_t from = pick(t);
    lanes.push_back(from < count ? a.lane(static_cast<std::uint8_t>(from))
                                 : b.lane(static_cast<std::uint8_t>(from - count)));
  }
  return k.let("t", ir::vector(lanes));
}

// Swaps the upper part of `a` with the lower part of `b` in every run of 2 * part lanes.
void exchange(ir::Builder& k, Value& a, Value& b, std::uint32_t part) {
  const std::uint32_t lanes = a.expr().type().lanes;
  const Value first =
      shuffle(k, a, b, [&](std::uint32_t t) { return (t & part) == 0 ? t : t - part + lanes; });
  b = shuffle(k, a, b, [&](std::uint32_t t) { return (t & part) == 0 ? t + part : t + lanes; });
  a = first;
}

// In every run of four lanes: a0 b0 a1 b1, or a2 b2 a3 b3 for `upper`.
Value interleave(ir::Builder& k, const Value& a, const Value& b, bool upper) {
  const std::uint32_t lanes = a.expr().type().lanes;
  return shuffle(k, a, b, [&](std::uint32_t t) {
    return t / 4 * 4 + (upper ? 2 : 0) + t % 4 / 2 + (t % 2 == 0 ? 0 : lanes);
  });
}

// Transposes the 4 x 4 squares of four vectors with the shuffles that CPUs have an instruction for.
void transpose_fours(ir::Builder& k, Value* rows) {
  const Value low01 = interleave(k, rows[0], rows[1], false);
  const Value high01 = interleave(k, rows[0], rows[1], true);
  const Value low23 = interleave(k, rows[2], rows[3], false);
  const Value high23 = interleave(k, rows[2], rows[3], true);
  rows[0] = low01;
  rows[1] = low23;
  exchange(k, rows[0], rows[1], 2);
  rows[2] = high01;
  rows[3] = high23;
  exchange(k, rows[2], rows[3], 2);
}

}  // namespace

std::vector<Value> transpose_lanes(ir::Builder& k, std::vector<Value> rows) {
  for (std::size_t part = rows.size() / 2; part >= 4; part /= 2) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((i & part) == 0) exchange(k, rows[i], rows[i + part], static_cast<std::uint32_t>(part));
    }
  }
  if (rows.size() == 2) exchange(k, rows[0], rows[1], 1);
  for (std::size_t i = 0; i + 4 <= rows.size(); i += 4) transpose_fours(k, &rows[i]);
  return rows;
}

Value with_lane(const Value& vector, std::uint8_t lane, const Value& value) {
  std::vector<Value> lanes;
  for (std::uint8_t t = 0; t < vector.expr().type().lanes; ++t) {
    lanes.push_back(t == lane ? value : vector.lane(t));
  }
  return ir::vector(lanes);
}

}  // namespace vyre::primitives
