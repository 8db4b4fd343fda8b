#include "primitives/kfac_lanes.h"

#include <algorithm>

#include "primitives/lanes.h"

namespace vyre::primitives {

using ir::Value;

KfacLanes::KfacLanes(KfacBuilder& kfac, std::uint8_t lanes)
    : kfac_(kfac), lanes_(lanes), first_(ir::constant(0U)) {
  ir::Builder& k = kfac.k;
  k.grid((kfac.blocks + (lanes - 1U)) / lanes);
  k.workgroup(1);
  first_ = k.let("first", ir::invocation(0) * std::uint32_t{lanes});
  for (std::uint8_t lane = 0; lane < lanes; ++lane) {
    const Value block = min(first_ + std::uint32_t{lane}, kfac.blocks - 1);
    blocks_.push_back(k.let("base", block * (kfac.n * kfac.n)));
  }
}

std::vector<Value> KfacLanes::load(const std::vector<Value>& from, std::uint32_t count) {
  const std::uint32_t whole = count / lanes_ * lanes_;
  std::vector<Value> elements;
  for (std::uint32_t e = 0; e < whole; e += lanes_) {
    std::vector<Value> runs;
    for (const Value& start : from) {
      runs.push_back(kfac_.k.let("block", kfac_.in.at(start + e, lanes_)));
    }
    std::ranges::copy(transpose_lanes(kfac_.k, std::move(runs)), std::back_inserter(elements));
  }
  for (std::uint32_t e = whole; e < count; ++e) {
    std::vector<Value> values;
    for (const Value& start : from) values.push_back(kfac_.in[start + e]);
    elements.push_back(kfac_.k.let("a", ir::vector(values)));
  }
  return elements;
}

void KfacLanes::store(const std::vector<Value>& to, const std::vector<Value>& elements) {
  const auto count = static_cast<std::uint32_t>(elements.size());
  const std::uint32_t whole = count / lanes_ * lanes_;
  for (std::uint32_t e = 0; e < whole; e += lanes_) {
    const auto first = elements.begin() + e;
    const auto runs = transpose_lanes(kfac_.k, std::vector<Value>(first, first + lanes_));
    for (std::size_t i = 0; i < lanes_; ++i) kfac_.out.at(to[i] + e, lanes_) = runs[i];
  }
  for (std::uint32_t e = whole; e < count; ++e) {
    for (std::uint8_t i = 0; i < lanes_; ++i) kfac_.out[to[i] + e] = elements[e].lane(i);
  }
}

void KfacLanes::finish(const Value& verdict) {
  ir::Builder& k = kfac_.k;
  for (std::uint8_t lane = 0; lane < lanes_; ++lane) {
    const Value b = first_ + std::uint32_t{lane};
    k.when(b < kfac_.blocks, [&] { keep_verdict(kfac_, b, verdict.lane(lane)); });
  }
  k.loop("b", first_, min(first_ + std::uint32_t{lanes_}, kfac_.blocks),
         [&](const Value& b) { settle_block(kfac_, b); });
}

}  // namespace vyre::primitives
