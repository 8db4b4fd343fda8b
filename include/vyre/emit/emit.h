// Source text for a device's compiler: one C-like emitter with a dialect table per language.
//
// Emitted code is made to be read: names are kept, regions become comments, helpers appear only
// where used. Surplus invocations of a ragged grid return at once, and accesses that cannot be
// proved in bounds for the given sizes are guarded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::emit {

enum class Language : std::uint8_t {
  vy,        // vyre's own text, which the reference device runs
  opencl_c,  // OpenCL C 1.2
  cuda_c,
};

// A program and the uniforms that are fixed when it is compiled; the others stay arguments.
// Uniforms that sizes depend on are best fixed: then more accesses are proved and fewer are
// guarded.
struct Unit {
  ir::Program program;
  ir::Uniforms fixed;
};

// One entry point in the text. Its arguments are the global buffers in the order of declaration and
// then `uniforms`, by value, in order.
struct Entry {
  std::string name;
  std::vector<std::string> uniforms;
  // What the proofs of bounds could not settle: the number of guarded accesses.
  std::uint32_t guarded = 0;
};

struct Source {
  Language language = Language::opencl_c;
  std::string text;
  std::vector<Entry> entries;  // one per unit, in order; names are made distinct
  bool uses_f64 = false;
};

// Requires: valid programs. Fails where a shared buffer's size depends on a uniform that is not
// fixed, or a size cannot be evaluated.
[[nodiscard]] Result<Source> emit(std::span<const Unit> units, Language language);

}  // namespace vyre::emit
