// interpreter_mops: simple operations (an add, a multiply, a compare) per second on one core.
#include <fmt/format.h>

#include <vector>

#include "bench.h"
#include "interpret/interpret.h"
#include "ir/facts.h"
#include "vyre/ir/text.h"

namespace vyre::bench {
namespace {

constexpr std::string_view text = R"(program ops {
  buffer x: u32[4096] read_write
  grid 4096
  let i = invocation.x
  var a = x[i]
  for k in 0 .. 500 {
    a = a * 1664525 + 1013904223
    if (a & 1) == 1 { a = a ^ k }
  }
  x[i] = a
})";

Result<std::vector<Row>> measure() {
  const auto program = ir::parse(text);
  if (!program) return Unexpected(program.error());
  const auto facts = ir::facts(*program);
  if (!facts) return Unexpected(facts.error());
  // Half of the invocations take the branch; facts count it for all.
  const double operations =
      static_cast<double>(facts->integer_ops + facts->comparisons) - 500.0 * 4096 / 2;

  std::vector<std::byte> bytes(4096 * 4);
  const std::vector<std::span<std::byte>> buffers = {bytes};
  std::vector<double> rates;
  for (int round = 0; round < 9; ++round) {
    Result<interpret::Ran> ran;
    const double ns = wall_ns([&] { ran = interpret::run(*program, {}, buffers); });
    if (!ran) return Unexpected(ran.error());
    rates.push_back(operations / ns * 1e3);
  }
  return std::vector<Row>{{.name = "interpreter_mops",
                           .value = median(rates),
                           .target = 20,
                           .better = Better::higher,
                           .baseline = "fixed rate",
                           .note = "million operations per second, one core"}};
}

}  // namespace

Benchmark interpreter_speed() { return {{"interpreter_mops"}, measure}; }

}  // namespace vyre::bench
