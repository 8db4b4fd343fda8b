// The tree of an expression. Nodes are in one list, children before their parents; names are
// numbers, so that evaluating looks nothing up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "space/expression.h"
#include "vyre/space/value.h"

namespace vyre::space {

enum class Op : std::uint8_t {
  constant,       // number
  none,           // None
  parameter,      // slot: position in Expression::names()
  local,          // slot: a name bound by a comprehension
  list,           // children: items
  tuple,          // children: items
  comprehension,  // children: item, then the clauses
  each,           // a clause `for slot in child`
  only,           // a clause `if child`
  all_of,         // and; children: two or more
  any_of,         // or
  negation,       // not
  comparison,     // children: operands; relations: between each two
  choice,         // children: condition, then, otherwise
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  minus,
  plus,
  call,  // function; children: arguments
};

enum class Relation : std::uint8_t { lt, le, gt, ge, eq, ne, in, not_in };

enum class Function : std::uint8_t {
  min,
  max,
  len,
  abs,
  sum,
  range,
  list,
  tuple,
  to_int,
  to_float,
  to_bool,
  any,
  all
};

using NodeId = std::uint32_t;

struct Node {
  Op op = Op::none;
  Function function = Function::min;
  std::uint32_t slot = 0;
  Value value;
  std::vector<NodeId> children;
  std::vector<Relation> relations;
  Place place;
};

struct Syntax {
  std::vector<Node> nodes;  // the last is the root
  std::uint32_t locals = 0;

  [[nodiscard]] const Node& operator[](NodeId id) const { return nodes[id]; }
  [[nodiscard]] NodeId root() const { return static_cast<NodeId>(nodes.size() - 1); }
};

}  // namespace vyre::space
