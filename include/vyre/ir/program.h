// Statements, buffers and the program: a kernel as a value that can be compared, copied and
// printed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/expr.h"
#include "vyre/ir/type.h"

namespace vyre::ir {

struct Stmt;
using Block = std::vector<Stmt>;  // its names are visible in it and in the blocks inside it

// Declares a name for the rest of the block. Only a `var` (is_mutable) can be assigned.
struct Let {
  std::string name;
  Expr value;
  bool is_mutable = false;
  bool operator==(const Let&) const = default;
};

struct Assign {
  std::string name;
  Expr value;
  bool operator==(const Assign&) const = default;
};

// Writes the value's lanes to consecutive elements from `index` (u32). A narrow element takes its
// `value_type` and keeps an integer's low bits; f16 rounds to nearest even, what is too large to an
// infinity, and a nan stays a nan. Out of bounds is an error in the interpreter; a guarded store
// out of bounds in emitted code does nothing.
struct Store {
  std::string buffer;
  Expr index;
  Expr value;
  bool operator==(const Store&) const = default;
};

// Adds to one element as one indivisible step: u32 and i32 wrap. f32 too, in a program with
// `reassociate`, because sums of floats depend on the order of the additions, which is any: the
// interpreter's is one of them. Bounds as for Store.
struct AtomicAdd {
  std::string buffer;
  Expr index;
  Expr value;
  bool operator==(const AtomicAdd&) const = default;
};

struct If {
  Expr cond;  // one bool
  Block then;
  Block otherwise;
  bool operator==(const If&) const;
};

// name = begin; while name < end: body, name = name + step (wrapping). The three expressions are
// scalars of one integer type and are evaluated once, before the loop. A step of 0 never ends.
struct For {
  std::string name;
  Expr begin, end, step;
  Block body;
  bool operator==(const For&) const;
};

// While the condition holds, which is evaluated before each iteration, the body runs. Each
// invocation goes on for itself; one that has left waits for nobody. A loop that does not end is an
// error in the interpreter, at its limit of steps.
struct While {
  Expr cond;  // one bool
  Block body;
  bool operator==(const While&) const;
};

// Leaves the nearest while around it; no for stands between them. What follows it in its block is
// never reached.
struct Break {
  bool operator==(const Break&) const = default;
};

// Every invocation of the group waits here; what they wrote before is seen by all after. It is an
// error if not all invocations of the group reach it together.
struct Barrier {
  bool operator==(const Barrier&) const = default;
};

// A span that one operation produced. It groups and scopes; it computes nothing itself.
struct Region {
  std::string name;
  Block body;
  bool operator==(const Region&) const;
};

// Two invocations that access the same element between barriers, at least one of them writing and
// not both atomically, are a data race: an error in the interpreter. Across groups there is no
// barrier, so there it is a race at any time.
struct Stmt {
  std::variant<Let, Assign, Store, AtomicAdd, If, For, While, Break, Barrier, Region> node;
  Place place = {};

  bool operator==(const Stmt& other) const { return node == other.node; }
};

template <class... Lambdas>
decltype(auto) match(const Stmt& stmt, Lambdas&&... lambdas) {
  return std::visit(Match<std::remove_cvref_t<Lambdas>...>{std::forward<Lambdas>(lambdas)...},
                    stmt.node);
}

// The node of one kind or null, as for expressions.
template <class Node>
[[nodiscard]] const Node* as(const Stmt& stmt) {
  return std::get_if<Node>(&stmt.node);
}
template <class Node>
[[nodiscard]] Node* as(Stmt& stmt) {
  return std::get_if<Node>(&stmt.node);
}
template <class Node>
[[nodiscard]] bool is(const Stmt& stmt) {
  return as<Node>(stmt) != nullptr;
}

// own: private to an invocation
enum class Memory : std::uint8_t { global, shared, own, scratch };

// A scalar handed to the program at launch, the same for every invocation; the literal is its
// default. A u32 uniform may stand in buffer counts and in the grid.
struct Uniform {
  std::string name;
  Literal value;
  Place place = {};
  bool operator==(const Uniform& other) const { return name == other.name && value == other.value; }
};

// Global buffers are given at launch. A shared buffer is one array per workgroup, read_write, whose
// content is undefined at the start: reading an element never written is an error. A private buffer
// is the same for one invocation: nobody else sees it, so there is no race for it and no atomic. A
// scratch buffer is global memory that whoever launches has ready: read_write, undefined at the
// start of a launch, and kept from stage to stage.
//
// A nontemporal buffer is one that is only written, and so large, or read so late, that caches had
// better keep something else: a hint to devices that changes no result.
struct Buffer {
  std::string name;
  Scalar element = Scalar::f32;
  Expr count;  // elements: a size expression (see ir/size.h)
  Access access = Access::read;
  Memory memory = Memory::global;
  bool nontemporal = false;
  Place place = {};
  bool operator==(const Buffer& other) const {
    return name == other.name && element == other.element && count == other.count &&
           access == other.access && memory == other.memory && nontemporal == other.nontemporal;
  }
};

// What runs when all before it has ended. Its names are its own; uniforms and buffers are the
// program's, but shared and private memory is undefined again.
struct Stage {
  std::array<Expr, 3> grid = {literal(1U), literal(1U), literal(1U)};  // size expressions
  Extent workgroup = default_workgroup;
  Block body;

  bool operator==(const Stage&) const = default;
};
inline constexpr std::size_t max_stages = 64;  // of one program

// `grid` invocations run, in whole workgroups. Where the grid is not a multiple of the workgroup
// the surplus invocations do nothing; a program with barriers must divide exactly.
//
// `reassociate` is the author's word that the order of float arithmetic does not matter: schedule
// steps may split sums, products, minima and maxima that loops accumulate, contract a * b + c to an
// fma and move factors out of sums. The interpreter and every device compute what is written.
//
// `other_workgroups` is the author's word that the results are the same in these workgroups, though
// the text can tell them apart: a schedule step may take one of them. A program that cannot tell
// (see ir/grouping.h) needs no such list.
struct Program {
  std::string name;
  std::vector<Uniform> uniforms;
  std::vector<Buffer> buffers;
  std::array<Expr, 3> grid = {literal(1U), literal(1U), literal(1U)};  // size expressions
  Extent workgroup = default_workgroup;
  std::vector<Extent> other_workgroups = {};
  bool reassociate = false;
  Block body;
  std::vector<Stage> then = {};

  bool operator==(const Program&) const = default;
};

[[nodiscard]] const Buffer* find_buffer(const Program& program, std::string_view name);
[[nodiscard]] const Uniform* find_uniform(const Program& program, std::string_view name);

// Whether it is more than one kernel whose memory is all given: it has further stages, or scratch.
[[nodiscard]] bool has_stages(const Program& program);
// One program for each stage, to be launched one after the other. All have the same global buffers:
// the program's, in their order, and after them its scratch buffers, given like any other. Shared
// and private buffers are where they are used.
[[nodiscard]] std::vector<Program> stages(const Program& program);
// The scratch buffers, in the order of declaration.
[[nodiscard]] std::vector<Buffer> scratch_buffers(const Program& program);

}  // namespace vyre::ir
