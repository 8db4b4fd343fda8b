// Kernels that do what they must not. All are to compute out[i] = in[i] * 3 + 1 for 1024 elements;
// the correct one does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/worker.h"
#include "trial/candidate.h"

namespace vyre::testing {

inline constexpr std::uint32_t fault_elements = 1024;

inline constexpr std::string_view correct_body = "out[i] = in[i] * 3 + 1;";
// Not a store to a null pointer: compilers see that it cannot be and leave it out.
inline constexpr std::string_view crashing_body =
    "out[(long)i * 1000000000L + 1000000000000L] = 1;";

// The body sees `in`, `out`, `i` and `n`, the number of elements.
inline trial::Candidate tripled(std::string name, std::string_view body, std::string options = "") {
  using Numbers = std::vector<std::int32_t>;
  static const worker::Data in = [] {
    Numbers numbers(fault_elements);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
    return data_of(numbers);
  }();
  static const worker::Data out = trial::canary(fault_elements * 4);
  static const worker::Data expected = [] {
    Numbers numbers(fault_elements);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<std::int32_t>(i) * 3 + 1;
    return data_of(numbers);
  }();
  const std::string source =
      "__kernel void k(__global int* in, __global int* out, int n) {\n"
      "  int i = get_global_id(0);\n  " +
      std::string(body) + "\n}\n";
  return {
      .name = std::move(name),
      .kernel = {.source = source,
                 .entry = "k",
                 .options = std::move(options),
                 .arguments = {worker::BufferArgument{in},
                               worker::BufferArgument{out, Access::write},
                               Literal{Scalar::i32, fault_elements}},
                 .shape = row(fault_elements, 64)},
      .expected = {{.argument = 1, .buffer = "out", .element = Scalar::i32, .content = expected}}};
}

// Takes a compiler minutes: every level doubles the text.
inline std::string endless_to_compile() {
  std::string body = "volatile float a = in[i];\n#define E0 a = a * a + 1.5f;\n";
  for (int level = 1; level <= 22; ++level) {
    const std::string below = "E" + std::to_string(level - 1);
    body += "#define E" + std::to_string(level) + " " + below + " " + below + "\n";
  }
  return body + "E22\nout[i] = a;";
}

}  // namespace vyre::testing
