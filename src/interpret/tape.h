// A program compiled for one launch: a flat list of steps on registers.
//
// A register holds a value for every invocation of a batch: one column of 4-byte cells per lane, or
// two columns for 8 bytes. Control flow is structured, so the tape has the mask of active
// invocations as just another register: a block runs under its mask and is skipped where that is
// empty.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::interpret {

class Frame;
struct Compute;

using Column = std::uint32_t;
using StepIndex = std::uint32_t;
using Kernel = void (*)(const Compute&, const Frame&);

// The mask of the invocations that run at all.
inline constexpr Column whole_mask = 0;

// Writes a register from registers, for the span of the active invocations.
struct Compute {
  Kernel kernel = nullptr;
  Column to = 0;
  Column a = 0, b = 0, c = 0;
  std::uint8_t lanes = 1;
};

struct Access {
  std::uint32_t buffer = 0;
  Column index = 0;
  Column value = 0;  // read from there, or written there by a load
  std::uint8_t lanes = 1;
  const ir::Stmt* stmt = nullptr;
};
struct Load : Access {};
struct Store : Access {};
struct AtomicAdd : Access {};

// Counts a statement's steps for each active invocation, before it runs.
struct Charge {
  std::uint32_t cost = 1;
  const ir::Stmt* stmt = nullptr;
};

// Narrows the active invocations to those where `cond` holds; jumps where none is left.
struct EnterIf {
  Column cond = 0;
  Column mask = 0;
  StepIndex if_none = 0;
};
// From the invocations in `mask` to the others of the enclosing block.
struct EnterElse {
  Column mask = 0;
  StepIndex if_none = 0;
};

// The loop's mask starts as the enclosing block's and loses those for which `cond` is false.
struct EnterLoop {
  Column mask = 0;
};
struct TestLoop {
  Column cond = 0;
  StepIndex if_none = 0;
  std::uint32_t cost = 1;  // of each iteration
  const ir::Stmt* stmt = nullptr;
};
// The active invocations leave a loop that is this many ifs around them.
struct Break {
  std::uint32_t ifs = 0;
};
struct Jump {
  StepIndex target = 0;
};

// Back to the enclosing block's mask, of which some may have left their loop.
struct Leave {
  bool some_left = false;
};

struct Barrier {
  const ir::Stmt* stmt = nullptr;
};

using Step = std::variant<Compute, Load, Store, AtomicAdd, Charge, EnterIf, EnterElse, EnterLoop,
                          TestLoop, Break, Jump, Leave, Barrier>;

// Registers that no step writes: the same in every batch, or an id filled in before each.
struct Constant {
  Literal value;
  Column column = 0;
};
struct IdColumn {
  ir::Id id;
  Column column = 0;
};

// What a program does to a buffer anywhere: races need a writer.
struct Use {
  bool loads = false;
  bool stores = false;
  bool atomics = false;
};

// Refers to the program's statements: must not outlive it.
struct Tape {
  std::vector<Step> steps;
  std::vector<Constant> constants;
  std::vector<IdColumn> ids;
  std::vector<Use> uses;  // one per buffer of the program
  std::uint32_t columns = 1;
};

}  // namespace vyre::interpret
