// Expressions: immutable values that compute without side effects.
//
// Every node's meaning is written beside it; interpret/ is the executable form of these words and
// every device must agree with it. Unless a node says otherwise, a vector operation works lane by
// lane on operands of equal type, all operands are evaluated, and no operation is contracted,
// reordered or flushed to zero.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/type.h"

namespace vyre::ir {

struct ExprNode;
struct Var;
struct Id;
struct Load;
struct Unary;
struct Binary;
struct Fma;
struct Select;
struct Convert;
struct Bitcast;
struct Splat;
struct Vector;
struct Lane;
struct Reduce;
using ExprVariant = std::variant<Literal, Var, Id, Load, Unary, Binary, Fma, Select, Convert,
                                 Bitcast, Splat, Vector, Lane, Reduce>;

template <class Node, class Variant>
inline constexpr bool is_alternative = false;
template <class Node, class... Nodes>
inline constexpr bool is_alternative<Node, std::variant<Nodes...>> =
    (std::same_as<Node, Nodes> || ...);

// A handle to a shared immutable node. Copies are cheap; == compares structure, not places.
class Expr {
 public:
  Expr();  // the u32 literal 0
  template <class Node>
    requires is_alternative<Node, ExprVariant>
  Expr(Node node, Place place = {});  // NOLINT(google-explicit-constructor): a node is an Expr

  [[nodiscard]] const ExprNode& operator*() const { return *node_; }
  [[nodiscard]] Type type() const;
  // Height of the tree below this node, 1 for a leaf.
  [[nodiscard]] std::uint32_t depth() const;
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] Expr at(Place place) const;

  bool operator==(const Expr& other) const;

 private:
  std::shared_ptr<const ExprNode> node_;
  Place place_;
};

// The value of a let, var, loop variable or uniform. `type` repeats the declaration's.
struct Var {
  std::string name;
  Type type;
  bool operator==(const Var&) const = default;
};

// Where this invocation stands in the dispatch, as u32. Dimension 0, 1, 2 is x, y, z.
enum class IdKind : std::uint8_t {
  invocation,  // group * workgroup + local: unique in the grid
  local,       // position inside the workgroup
  group,       // position of the workgroup
  workgroup,   // invocations per workgroup, a constant of the program
  groups,      // number of workgroups: grid / workgroup rounded up
  grid,        // number of invocations that run
};
struct Id {
  IdKind kind = IdKind::invocation;
  std::uint8_t dim = 0;
  bool operator==(const Id&) const = default;
};

// Element `index` (u32) of a buffer, or `lanes` consecutive elements from there as a vector;
// there is no alignment rule. A narrow element is converted to its `value_type`, exactly. Out of
// bounds is an error in the interpreter; emitted code guards what cannot be proved in bounds, and a
// guarded load out of bounds gives 0.
struct Load {
  std::string buffer;
  Scalar element = Scalar::unknown;
  Expr index;
  std::uint8_t lanes = 1;
  bool operator==(const Load&) const = default;
};

enum class UnaryOp : std::uint8_t {
  neg,      // 0 - x, wrapping for integers; the sign bit flipped for floats
  bit_not,  // ~x: integers; for bool, the logical not
  abs,      // |x|; wraps for the least i32 and i64
  // Those up to `round` are for floats. What they give is as near to the exact value as `ulps`
  // says; the interpreter rounds f32 correctly in all but the rarest cases. Of nan they give nan.
  sqrt,   // negative gives nan
  exp,    // of -inf 0
  log,    // natural; of 0 -inf, negative gives nan
  sin,    // of the angle in radians, however large; of an infinity nan, as for cos and tan
  cos,    //
  tan,    //
  tanh,   //
  rsqrt,  // 1 / sqrt(x); of 0 inf, of -0 -inf, negative gives nan
  exp2,   // 2 to the power of x
  log2,   // as log
  floor,  // the nearest integer that is not greater; exact, as the next two
  ceil,   // the nearest integer that is not less
  round,  // the nearest integer; of two, the one farther from 0
  // Those below are for integers.
  popcount,  // how many bits are 1
  clz,       // how many bits are above the highest 1; of 0 all, 32 or 64
};
struct Unary {
  UnaryOp op = UnaryOp::neg;
  Expr arg;
  bool operator==(const Unary&) const = default;
};

enum class BinaryOp : std::uint8_t {
  // Numbers; integers wrap, floats round to nearest even.
  add,
  sub,
  mul,
  // Integers truncate, x / 0 = 0, the least integer / -1 wraps; f32 as near as `ulps` says, f64
  // rounds correctly.
  div,
  // Integers: x - (x / y) * y, hence x % 0 = x; the sign is that of x.
  rem,
  // Numbers; of a number and a nan the number; of two zeros either.
  min,
  max,
  // Floats; x to the power of y, as near as `ulps` says. 1 where y is 0 or x is 1, even if the
  // other is nan; nan for a negative x where y is no integer; else as pow of C.
  pow,
  // Integers and bool; bool does not short-circuit.
  bit_and,
  bit_or,
  bit_xor,
  // Integers; the count is taken modulo the bits, 32 or 64; shr of i32 and i64 keeps the sign.
  shl,
  shr,
  // Any type; the result is bool, as it is for the next four.
  eq,
  ne,
  // Numbers; false where an operand is nan.
  lt,
  le,
  gt,
  ge,
};
struct Binary {
  BinaryOp op = BinaryOp::add;
  Expr left;
  Expr right;
  bool operator==(const Binary&) const = default;
};

// a * b + c rounded once; floats.
struct Fma {
  Expr a, b, c;
  bool operator==(const Fma&) const = default;
};

// yes where cond, else no. `cond` is bool with as many lanes as the values.
struct Select {
  Expr cond, yes, no;
  bool operator==(const Select&) const = default;
};

// Value conversion that keeps the lanes. To integer: truncates, saturates, nan gives 0; between
// integers: the same low bits, more of them by the sign of what is converted; to float: nearest
// even; to bool: x != 0; from bool: 0 or 1.
struct Convert {
  Scalar to = Scalar::unknown;
  Expr arg;
  bool operator==(const Convert&) const = default;
};

// The same 32 bits as another type: among u32, i32, f32.
struct Bitcast {
  Scalar to = Scalar::unknown;
  Expr arg;
  bool operator==(const Bitcast&) const = default;
};

// A vector whose lanes all hold the scalar `arg`.
struct Splat {
  std::uint8_t lanes = 2;
  Expr arg;
  bool operator==(const Splat&) const = default;
};

// A vector made of 2, 4, 8 or 16 scalars of one type.
struct Vector {
  std::vector<Expr> lanes;
  bool operator==(const Vector&) const = default;
};

// One lane of a vector, by a constant index.
struct Lane {
  Expr vector;
  std::uint8_t lane = 0;
  bool operator==(const Lane&) const = default;
};

// One value of all lanes of a vector: of numbers by add, min or max, of bools by bit_or or bit_and,
// which say whether any of them or all of them are true. The upper half of the lanes is
// combined with the lower, lane k with lane k + n / 2, until one is left: the sum of [a, b, c, d]
// is (a + c) + (b + d), each addition rounded.
struct Reduce {
  BinaryOp op = BinaryOp::add;
  Expr vector;
  bool operator==(const Reduce&) const = default;
};

struct ExprNode {
  ExprVariant node;
  Type type;                // derived from the node; meaningless where validation finds problems
  std::uint32_t depth = 1;  // derived
};

// Derive what a node caches.
[[nodiscard]] Type type_of(const ExprVariant& node);
[[nodiscard]] std::uint32_t depth_of(const ExprVariant& node);
[[nodiscard]] bool is_comparison(BinaryOp op);

// By how many units in the last place a result may differ from the exact one: what OpenCL 1.2
// promises. 0: rounds correctly.
[[nodiscard]] std::uint32_t ulps(UnaryOp op);
[[nodiscard]] std::uint32_t ulps(BinaryOp op, Scalar operand);

template <class Node>
  requires is_alternative<Node, ExprVariant>
Expr::Expr(Node node, Place place) : place_(place) {
  ExprVariant variant(std::move(node));
  const Type type = type_of(variant);
  const std::uint32_t depth = depth_of(variant);
  node_ = std::make_shared<const ExprNode>(ExprNode{std::move(variant), type, depth});
}

// Literals from C++ values.
[[nodiscard]] Expr literal(bool value);
[[nodiscard]] Expr literal(std::uint32_t value);
[[nodiscard]] Expr literal(std::int32_t value);
[[nodiscard]] Expr literal(std::uint64_t value);
[[nodiscard]] Expr literal(std::int64_t value);
[[nodiscard]] Expr literal(float value);
[[nodiscard]] Expr literal(double value);

// Visit a node with one lambda per kind; a missing kind does not compile.
template <class... Lambdas>
struct Match : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
decltype(auto) match(const Expr& expr, Lambdas&&... lambdas) {
  return std::visit(Match<std::remove_cvref_t<Lambdas>...>{std::forward<Lambdas>(lambdas)...},
                    (*expr).node);
}

// For lambdas that treat several kinds alike and still name each of them:
// [](const OneOf<Literal, Var, Id> auto& leaf) { ... }
template <class Node, class... Nodes>
concept OneOf = (std::same_as<std::remove_const_t<Node>, Nodes> || ...);

// For a question about one kind only, the node of this kind or null. What decides between kinds is
// a match.
template <class Node>
[[nodiscard]] const Node* as(const Expr& expr) {
  return std::get_if<Node>(&(*expr).node);
}
template <class Node>
[[nodiscard]] bool is(const Expr& expr) {
  return as<Node>(expr) != nullptr;
}

}  // namespace vyre::ir
