// parse_10k_ms: parse, validate and fingerprint a program of 10,000 statements.
#include <fmt/format.h>

#include "bench.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::bench {
namespace {

constexpr int statements = 10'000;

// Statements of the usual kinds, in blocks as a person would write them.
std::string big_program() {
  std::string text =
      "program big {\n  buffer x: f32[4096] read\n  buffer y: f32[4096] write\n  grid 4096\n"
      "  let i = invocation.x\n  var sum = 0.0\n";
  int made = 2;
  for (int k = 0; made < statements; ++k) {
    text += fmt::format(
        "  if i < {0} {{\n"
        "    let a{0} = x[(i + {0}) % 4096] * 1.5 + f32(i)\n"
        "    for j in 0 .. 4 {{\n      sum = fma(a{0}, sum, x[j] - 2.0)\n    }}\n"
        "    y[i] = max(sum, a{0})\n  }}\n",
        k);
    made += 5;
  }
  return text + "}\n";
}

Result<std::vector<Row>> measure() {
  const std::string text = big_program();
  std::vector<double> times;
  for (int round = 0; round < 15; ++round) {
    std::string problem;
    times.push_back(wall_ns([&] {
      const auto program = ir::parse(text);
      if (!program) {
        problem = to_string(program.error());
      } else {
        problem = to_hex(ir::fingerprint(*program)).size() == 64 ? "" : "no fingerprint";
      }
    }));
    if (!problem.empty()) return fail(ErrorKind::input, problem);
  }
  return std::vector<Row>{{.name = "parse_10k_ms",
                           .value = median(times) / 1e6,
                           .target = 50,
                           .better = Better::lower,
                           .baseline = "fixed time",
                           .note = fmt::format("{} bytes of text", text.size())}};
}

}  // namespace

Benchmark text_speed() { return {{"parse_10k_ms"}, measure}; }

}  // namespace vyre::bench
