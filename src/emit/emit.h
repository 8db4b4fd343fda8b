// Source text for a device's compiler: one C-like emitter with a dialect table per language.
//
// Emitted code is made to be read: names are kept (those that mean something else in the language
// get a trailing `_`), regions become comments, helpers appear only where used. Surplus invocations
// of a ragged grid return at once, and accesses that cannot be proved in bounds for the given sizes
// are guarded: a load out of bounds gives 0, a store or atomic does nothing, a vector access counts
// as out of bounds if any of its lanes is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::emit {

// A program and the uniforms that are fixed when it is compiled; the others stay arguments.
// Uniforms that sizes depend on are best fixed: then more accesses are proved and fewer are
// guarded.
struct Unit {
  ir::Program program;
  ir::Uniforms fixed;
};

// One entry point in the text. Its arguments are the global buffers in the order of declaration and
// then `uniforms`, by value, in order; a bool is one byte, 0 or 1. Buffers must not overlap.
//
// A program that depends on its workgroup (ir::depends_on_workgroup) must be launched with it. Any
// other may be launched with any workgroup, except that where the program's grid and workgroup are
// both 1 in a dimension, the workgroup launched must be 1 there too.
struct Entry {
  std::string name;
  std::vector<std::string> uniforms;
  // What the proofs of bounds could not settle: the number of guarded accesses.
  std::uint32_t guarded = 0;
};

struct Source {
  Language language = Language::opencl_c;
  std::string text;
  std::vector<Entry> entries;  // one per unit, in order; names are made distinct by _2, _3, ...
  bool uses_f64 = false;
};

// Requires: valid programs of one stage each (ir::stages). Fails where a fixed value is not one of
// a program's uniforms, a shared buffer's size depends on a uniform that is not fixed, or a size
// cannot be evaluated.
[[nodiscard]] Result<Source> emit(std::span<const Unit> units, Language language);

// Options that the language's compiler must be given for the text to mean what the program means:
// for CUDA, that products and sums are not contracted.
[[nodiscard]] std::span<const std::string_view> compile_options(Language language);

}  // namespace vyre::emit
