// The interpreter: the definition of the IR.
//
// It runs the invocations of a workgroup in lock step between barriers, one group after the other,
// and turns what a program must not do into an error that names the statement: access out of
// bounds, data race, divergent barrier, uninitialised read of shared, private or scratch memory,
// too many steps. Invocations that cannot meet in their group (no barriers, no shared memory) run
// in batches of another size, which no program can tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::interpret {

struct Options {
  // One step is one operation (of any number of lanes), access or statement of one active
  // invocation; an iteration of a loop adds its comparison and its addition. Ends endless loops.
  std::uint64_t step_limit = 2'000'000'000;
  // Only a part of the invocations, from all over the grid: none begins after so many steps. For
  // programs in which no invocation depends on another outside its workgroup; one with several
  // stages runs as a whole.
  std::optional<std::uint64_t> sample = {};
};

struct Ran {
  std::uint64_t steps = 0;
  bool whole = true;  // every invocation ran
};

// Runs the program, stage by stage, on the global buffers' bytes, given in the order of
// declaration, in place. Requires: a valid program. Refuses (ErrorKind::input) buffers whose length
// is not count * element size, uniforms that do not fit, too many private elements, and a workgroup
// whose registers, private and shared memory exceed 1 GiB, or scratch memory that does. After an
// error of the run (ErrorKind::run; ErrorKind::timeout at the limit of steps) the buffers hold what
// was written until then.
[[nodiscard]] Result<Ran> run(const ir::Program& program, const ir::Uniforms& uniforms,
                              std::span<const std::span<std::byte>> buffers, Options options = {});

}  // namespace vyre::interpret
