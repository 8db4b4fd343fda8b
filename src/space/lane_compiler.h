// Turns the tree of a constraint into a LaneProgram. Every function gives the register that will
// hold the node's value, or nothing if the node cannot be typed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/datum.h"
#include "space/lane_program.h"

namespace vyre::space {

class LaneCompiler {
 public:
  LaneCompiler(const Syntax& syntax, std::span<const std::vector<Value>* const> parameters)
      : syntax_(syntax), parameters_(parameters), constant_(syntax.nodes.size()) {}

  std::optional<LaneProgram> program();

 private:
  static constexpr std::size_t max_members = 64;  // of a list, to look for a value in
  using Made = std::optional<RegisterId>;

  Made value(NodeId id);
  Made truth(NodeId id);  // a register of 0 and 1
  Made constant(const Datum& datum);
  Made parameter(std::uint32_t name);
  Made logic(const Node& node);
  Made comparison(const Node& node);
  Made compared(LaneOp op, RegisterId left, RegisterId right);
  Made member(Relation relation, RegisterId left, NodeId list);
  Made choice(const Node& node);
  Made call(const Node& node);
  Made binary_node(LaneOp op, const Node& node);
  Made binary(LaneOp op, RegisterId left, RegisterId right);
  Made integer_binary(LaneOp op, RegisterId left, RegisterId right);
  Made unary(LaneOp op, RegisterId from);

  Made to_real(RegisterId from);
  Made to_truth(RegisterId from);
  RegisterId add(Register made);
  RegisterId emit(Register made, Instruction step);
  Register& at(RegisterId id) { return out_.registers_[id]; }
  std::int64_t number_of(const std::string& text);
  // The value of a node without parameters.
  std::optional<Datum> folded(NodeId id);
  bool is_constant(NodeId id);

  const Syntax& syntax_;
  std::span<const std::vector<Value>* const> parameters_;
  std::vector<std::optional<bool>> constant_;
  std::map<std::string, std::int64_t> texts_;
  std::map<std::uint32_t, RegisterId> inputs_;
  LaneProgram out_;
};

}  // namespace vyre::space
