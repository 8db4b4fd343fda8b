// Turns the tree of a constraint into a LaneProgram. Every function gives the register that will
// hold the node's value, or nothing if the node cannot be typed.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "space/datum.h"
#include "space/lane_builder.h"
#include "space/lane_program.h"

namespace vyre::space {

class LaneCompiler {
 public:
  LaneCompiler(const Syntax& syntax, std::span<const std::vector<Value>* const> parameters)
      : syntax_(syntax), build_(parameters), constant_(syntax.nodes.size()) {}

  std::optional<LaneProgram> program();

 private:
  static constexpr std::size_t max_members = 64;  // of a list, to look for a value in
  using Made = LaneBuilder::Made;

  Made value(NodeId id);
  Made truth(NodeId id);  // a register of 0 and 1
  Made logic(const Node& node);
  Made comparison(const Node& node);
  Made member(Relation relation, RegisterId left, NodeId list);
  Made choice(const Node& node);
  Made call(const Node& node);
  Made binary_node(LaneOp op, const Node& node);

  // The value of a node without parameters.
  std::optional<Datum> folded(NodeId id);
  bool is_constant(NodeId id);

  const Syntax& syntax_;
  LaneBuilder build_;
  std::vector<std::optional<bool>> constant_;
};

}  // namespace vyre::space
