// The programs of bench/programs: well-known kernels, each as one would first write it from
// docs/text-format.md. What vyre makes of them is held against what C++ programmers, OpenBLAS and
// Halide make of the same.
//
// Half of them are held back: what is chosen in the tuner (rules, priors, examples) is chosen on
// the open half only. Some came when the halves had been compared for a while, some of them because
// steps were made for them; they are kept apart, so that the halves stay what they were.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "arguments.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::bench {

// Another way to do what a program does, once.
using Loop = void (*)(const Arguments&);

enum class Half : std::uint8_t { open, held_back, added };
[[nodiscard]] std::string_view name_of(Half half);

enum class Bound : std::uint8_t {
  arithmetic,
  memory,  // each buffer is read or written about once, and that takes longest
};

struct Entry {
  std::string_view name;  // of the program and its file
  Half half = Half::open;
  Bound bound = Bound::arithmetic;
  Loop openmp = nullptr;
  std::string_view tiny;   // "rows=5 n=37": sizes at which the interpreter takes no time
  Loop prepare = nullptr;  // where random numbers from -1 to 1 will not do as inputs
  double may_differ = 0;   // share of integers, where rounding decides about some
};

[[nodiscard]] std::span<const Entry> programs();
[[nodiscard]] std::string program_path(const Entry& entry);
[[nodiscard]] Result<ir::Program> read_program(const Entry& entry);
[[nodiscard]] ir::Uniforms tiny_sizes(const Entry& entry);
// What it runs on; the same every time.
[[nodiscard]] Result<Arguments> inputs(const Entry& entry, const ir::Program& program,
                                       const ir::Uniforms& uniforms = {});

}  // namespace vyre::bench
