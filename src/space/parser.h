// The parser of expressions: recursive descent with Python's precedences. It stops at the first
// mistake: constraints are short, and a second message would mostly be about the first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "space/syntax.h"
#include "space/token_cursor.h"

namespace vyre::space {

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  // The whole text as one expression; check error() behind it.
  void whole();
  [[nodiscard]] const std::optional<Error>& error() const { return cursor_.error(); }
  Syntax syntax;
  std::vector<std::string> names;

 private:
  // From loosest to tightest.
  NodeId expression();
  NodeId disjunction();
  NodeId conjunction();
  NodeId inversion();
  NodeId comparison();
  NodeId sum();
  NodeId term();
  NodeId factor();
  NodeId power();
  NodeId atom();

  NodeId name();
  NodeId call(Function function, Place place);
  NodeId literal();
  NodeId parenthesis();
  NodeId bracket();
  NodeId comprehension(std::span<const std::string_view> bound, std::string_view close,
                       Place place);
  std::vector<NodeId> items(std::string_view close);
  std::optional<Relation> relation();

  NodeId make(Node node);
  NodeId constant(Value value, Place place) {
    return make({.op = Op::constant, .value = std::move(value), .place = place});
  }
  NodeId binary(Op op, NodeId left, NodeId right, Place place) {
    return make({.op = op, .children = {left, right}, .place = place});
  }

  // The node is never used: once there is an error, all that is made is thrown away.
  NodeId problem(std::string message, Place place) {
    cursor_.problem(std::move(message), place);
    return 0;
  }
  NodeId unexpected(std::string_view wanted) {
    cursor_.unexpected(wanted);
    return 0;
  }
  [[nodiscard]] std::uint32_t slot_of(std::string_view name);
  [[nodiscard]] NodeId last() const { return static_cast<NodeId>(syntax.nodes.size() - 1); }

  // Counts how deep the parser is, also where it leaves by an error.
  class Deeper {
   public:
    explicit Deeper(std::uint32_t& count) : count_(count) { ++count_; }
    ~Deeper() { --count_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    std::uint32_t& count_;
  };
  bool too_deep();

  struct Local {
    std::string_view name;
    std::uint32_t slot;
  };

  TokenCursor cursor_;
  std::uint32_t nesting_ = 0;
  std::vector<std::uint32_t> depths_;  // of the nodes
  std::vector<Local> locals_;
};

}  // namespace vyre::space
