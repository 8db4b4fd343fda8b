// Kernels for the benchmarks of measuring and of the worker process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "worker/session.h"

namespace vyre::bench {

// As it was built with the benchmarks.
inline worker::Options bench_worker() { return {.device = "opencl", .program = VYRE_WORKER}; }

inline worker::Data floats(std::size_t count) {
  const std::vector<float> values(count, 0.5F);
  const auto bytes = std::as_bytes(std::span(values));
  return worker::data({bytes.begin(), bytes.end()});
}

// Time in proportion to `steps`: a chain of dependent operations per element.
inline worker::Job chain(std::uint32_t elements, std::uint32_t steps) {
  return {.source =
              "__kernel void chain(__global const float* x, __global float* y, int n) {\n"
              "  float a = x[get_global_id(0)];\n"
              "  for (int i = 0; i < n; ++i) a = a * 1.0001f + 0.5f;\n"
              "  y[get_global_id(0)] = a;\n"
              "}\n",
          .entry = "chain",
          .arguments = {worker::BufferArgument{floats(elements)},
                        worker::BufferArgument{floats(elements), Access::write},
                        Literal{Scalar::i32, steps}},
          .shape = {
              .grid = {elements, 1, 1}, .groups = {elements / 64, 1, 1}, .workgroup = {64, 1, 1}}};
}

}  // namespace vyre::bench
