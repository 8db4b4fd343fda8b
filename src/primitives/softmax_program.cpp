#include "primitives/softmax_program.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "base/fixed.h"
#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

constexpr std::uint32_t group_size = 64;  // one workgroup does it all

// The u64 a is under b.
Value is_under(const Value& a_high, const Value& a_low, const Value& b_high, const Value& b_low) {
  return (a_high < b_high) | ((a_high == b_high) & (a_low < b_low));
}

// exp(-x) with the same bits on every device, for an f32 x >= 0; 0 where x > 80. Only operations
// that round correctly:
//
//   x = k ln 2 + r, |r| <= ln(2) / 2:   exp(-x) = 2^-k exp(-r)
//
// W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", Prentice-Hall 1980.
// Taylor's polynomial of degree 7 is within 1e-8 of exp(-r) there.
Value portable_exp_minus(ir::Builder& k, const std::string& name, const Value& x) {
  constexpr float log2_e = 1.44269504F;
  // ln 2 in two parts: the first has so few bits that its product with k is exact.
  constexpr float ln_2_high = 0.693359375F;
  constexpr float ln_2_low = -2.12194440e-4F;
  const Value bounded = k.let(name + "_bounded", ir::min(x, ir::constant(80.0F)));
  const Value turns =
      k.let(name + "_turns",
            ir::convert(Scalar::i32, ir::fma(bounded, ir::constant(log2_e), ir::constant(0.5F))));
  const Value whole = k.let(name + "_whole", ir::convert(Scalar::f32, turns));
  // -r, so that the polynomial has no signs.
  const Value minus_r = k.let(
      name + "_minus_r",
      ir::fma(whole, ir::constant(ln_2_low), ir::fma(whole, ir::constant(ln_2_high), -bounded)));
  Value sum = ir::constant(1.0F / 5040);
  for (const float factor : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F}) {
    sum = ir::fma(sum, minus_r, ir::constant(factor));
  }
  const Value power = ir::bitcast(Scalar::f32, (127 - turns) << 23);
  return k.let(name, ir::select(x > 80.0F, ir::constant(0.0F), sum * power));
}

// What the phases of the program share.
struct SoftmaxBuilder {
  Builder k{"softmax"};
  Value n;
  Value per_nanosecond;  // 1 / T
  ir::BufferRef times;
  ir::BufferRef masses;
  ir::BufferRef weights;
  ir::BufferRef first;  // shared: one number or position per invocation
  ir::BufferRef second;
  Value lane = ir::local(0);

  SoftmaxBuilder(const SoftmaxOptions& options, const SoftmaxNames& names)
      : n(k.uniform("n", options.n)),
        per_nanosecond(k.uniform("per_nanosecond",
                                 static_cast<float>(1 / static_cast<double>(options.temperature)))),
        times(k.read(names.times, Scalar::u32, n * 2)),
        masses(k.read_write(names.masses, Scalar::u32, n)),
        weights(k.read_write(names.weights, Scalar::i32, n)),
        first(k.shared("first", Scalar::u32, ir::constant(group_size))),
        second(k.shared("second", Scalar::u32, ir::constant(group_size))) {
    k.grid(ir::constant(group_size));
    k.workgroup(group_size);
  }

  // Every invocation takes the positions lane, lane + 64, ...
  void each(const std::function<void(Value)>& body) {
    k.loop("i", lane, n, ir::constant(group_size), body);
  }
  void each_lane(const std::function<void(Value)>& body) {
    k.loop("other", ir::constant(0U), ir::constant(group_size), body);
  }

  void improve(const ir::Variable& best, const Value& position) {
    const Value at = k.let("at", position);
    const Value better = is_under(times[at * 2 + 1], times[at * 2], times[Value(best) * 2 + 1],
                                  times[Value(best) * 2]);
    const Value tied = (times[at * 2 + 1] == times[Value(best) * 2 + 1]) &
                       (times[at * 2] == times[Value(best) * 2]) & (at < best);
    k.when(better | tied, [&] { best = at; });
  }

  // The first of the fastest.
  Value find_best() {
    const auto best = k.var("best", ir::min(lane, n - 1));
    each([&](const Value& i) { improve(best, i); });
    first[lane] = Value(best);
    k.barrier();
    each_lane([&](const Value& other) { improve(best, first[other]); });
    k.barrier();
    return best;
  }

  // 2^31 exp(-(t_i - t_best) / T), and the sum of all of them as a pair of u32.
  std::pair<Value, Value> weigh(const Value& best) {
    const Value best_low = k.let("best_low", times[best * 2]);
    const Value best_high = k.let("best_high", times[best * 2 + 1]);
    const auto low = k.var("low", ir::constant(0U));
    const auto high = k.var("high", ir::constant(0U));
    each([&](const Value& i) {
      const Value t = k.let("t", times[i * 2]);
      const Value later = k.let("later", t - best_low);
      const Value borrow = ir::convert(Scalar::u32, t < best_low);
      const Value much_later = k.let("much_later", times[i * 2 + 1] - best_high - borrow);
      const Value distance = ir::fma(ir::convert(Scalar::f32, much_later),
                                     ir::constant(4294967296.0F), ir::convert(Scalar::f32, later));
      const Value share = portable_exp_minus(k, "share", distance * per_nanosecond);
      const Value mass = k.let(
          "mass", ir::convert(Scalar::u32,
                              ir::fma(share, ir::constant(2147483648.0F), ir::constant(0.5F))));
      masses[i] = mass;
      low += mass;
      high += ir::convert(Scalar::u32, Value(low) < mass);
    });
    first[lane] = Value(low);
    second[lane] = Value(high);
    k.barrier();
    const auto sum_low = k.var("sum_low", ir::constant(0U));
    const auto sum_high = k.var("sum_high", ir::constant(0U));
    each_lane([&](const Value& other) {
      const Value term = k.let("term", first[other]);
      sum_low += term;
      sum_high += Value(second[other]) + ir::convert(Scalar::u32, Value(sum_low) < term);
    });
    k.barrier();
    return {sum_high, sum_low};
  }

  // The quotient 2^16 mass / sum, bit by bit. mass <= sum, so it has at most 17 bits.
  void divide(const Value& i, const Value& sum_high, const Value& sum_low) {
    const auto low = k.var("remainder_low", masses[i]);
    const auto high = k.var("remainder_high", ir::constant(0U));
    const auto quotient = k.var("quotient", ir::constant(0U));
    k.loop("bit", ir::constant(0U), ir::constant(17U), [&](const Value& bit) {
      k.when(bit > 0U, [&] {
        high = (Value(high) << 1U) | (Value(low) >> 31U);
        low = Value(low) << 1U;
        quotient = Value(quotient) << 1U;
      });
      k.when(!is_under(high, low, sum_high, sum_low), [&] {
        high = Value(high) - sum_high - ir::convert(Scalar::u32, Value(low) < sum_low);
        low = Value(low) - sum_low;
        quotient = Value(quotient) | 1U;
      });
    });
    weights[i] = ir::convert(Scalar::i32, quotient);
  }

  void spread(const Value& best, const Value& sum_high, const Value& sum_low) {
    const auto given = k.var("given", ir::constant(0U));
    each([&](const Value& i) {
      divide(i, sum_high, sum_low);
      given += ir::convert(Scalar::u32, weights[i]);
    });
    first[lane] = Value(given);
    k.barrier();
    k.when(lane == 0U, [&] {
      const auto left = k.var("left", ir::constant(static_cast<std::uint32_t>(fixed_one)));
      each_lane([&](const Value& other) { left = Value(left) - first[other]; });
      weights[best] = Value(weights[best]) + ir::convert(Scalar::i32, left);
    });
  }
};

}  // namespace

Result<ir::Program> softmax_program(const SoftmaxOptions& options, const SoftmaxNames& names) {
  const auto count = element_count(softmax_name, {{"n", options.n}, {"2", 2}});
  if (!count) return Unexpected(count.error());
  if (options.temperature == 0)
    return refuse(softmax_name, "temperature is 0; it must be at least 1");
  SoftmaxBuilder softmax(options, names);
  const Value best = softmax.find_best();
  const auto [sum_high, sum_low] = softmax.weigh(best);
  softmax.spread(best, sum_high, sum_low);
  return finished(softmax_name, softmax.k);
}

void softmax_reference(std::span<const std::uint64_t> times, std::uint64_t temperature,
                       std::span<double> weights) {
  const std::uint64_t best = std::ranges::min(times);
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    weights[i] = std::exp(-static_cast<double>(times[i] - best) / static_cast<double>(temperature));
    sum += weights[i];
  }
  for (double& weight : weights) weight *= fixed_one / sum;
}

}  // namespace vyre::primitives
