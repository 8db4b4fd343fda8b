#include "ir/check_expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ir/words.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// Names that are looked at for suggestions in one program: a text of nothing but unknown names is
// refused as quickly as any other.
constexpr std::size_t most_compared = 200'000;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitute});
    }
  }
  return row.back();
}

bool fits(UnaryOp op, Scalar s) {
  switch (op) {
    case UnaryOp::neg:
    case UnaryOp::abs:
      return is_number(s);
    case UnaryOp::bit_not:
      return is_integer(s) || s == Scalar::boolean;
    case UnaryOp::popcount:
    case UnaryOp::clz:
      return is_integer(s);
    default:
      return is_float(s);
  }
}

bool fits(BinaryOp op, Scalar s) {
  using enum BinaryOp;
  switch (op) {
    case rem:
    case shl:
    case shr:
      return is_integer(s);
    case bit_and:
    case bit_or:
    case bit_xor:
      return is_integer(s) || s == Scalar::boolean;
    case eq:
    case ne:
      return true;
    case pow:
      return is_float(s);
    default:
      return is_number(s);
  }
}

bool has_canonical_bits(const Literal& n) {
  switch (n.scalar) {
    case Scalar::boolean:
      return n.bits <= 1;
    case Scalar::u32:
    case Scalar::i32:
      return n.bits >> 32U == 0;
    case Scalar::u64:
    case Scalar::i64:
      return true;
    case Scalar::f32: {
      const bool nan = (n.bits & 0x7f800000U) == 0x7f800000U && (n.bits & 0x7fffffU) != 0;
      return n.bits >> 32U == 0 && (!nan || n.bits == 0x7fc00000U);
    }
    case Scalar::f64: {
      constexpr std::uint64_t exponent = 0x7ff0000000000000U;
      const bool nan = (n.bits & exponent) == exponent && (n.bits & 0xfffffffffffffU) != 0;
      return !nan || n.bits == 0x7ff8000000000000U;
    }
    default:
      return false;
  }
}

}  // namespace

const Symbol* Scope::find(std::string_view name) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (const auto found = level->find(name); found != level->end()) return &found->second;
  }
  return nullptr;
}

std::string_view Scope::nearest(std::string_view name) const {
  std::string_view best;
  std::size_t least = 2 + name.size() / 4;  // at most one mistake, and one more in four letters
  for (const auto& level : levels_) {
    for (const auto& [candidate, what] : level) {
      if (compared_ >= most_compared) return best;
      ++compared_;
      const std::size_t distance = edit_distance(name, candidate);
      if (distance < least && distance < candidate.size()) {
        least = distance;
        best = candidate;
      }
    }
  }
  return best;
}

bool ExprChecker::refuse(const Expr& at, std::string message) {
  report_(std::move(message), at.place());
  return false;
}

bool ExprChecker::check(const Expr& expr) {
  if (expr.depth() > max_nesting) {
    return refuse(expr, fmt::format("the expression is nested deeper than {}: split it with let",
                                    max_nesting));
  }
  return std::visit([&](const auto& n) { return node(n, expr); }, (*expr).node);
}

bool ExprChecker::check_is(const Expr& expr, Type required, std::string_view what) {
  if (!check(expr)) return false;
  if (expr.type() == required) return true;
  return refuse(expr, fmt::format("{} must be {}, but {} is {}", what, to_string(required),
                                  print(expr), to_string(expr.type())));
}

const Buffer* ExprChecker::buffer(std::string_view name, Place place) {
  const Buffer* found = find_buffer(program_, name);
  if (found == nullptr) {
    const bool is_value = scope_.find(name) != nullptr;
    report_(is_value ? fmt::format("'{}' is not a buffer", name)
                     : fmt::format("unknown buffer '{}': declare it with buffer, shared or private",
                                   name),
            place);
  }
  return found;
}

bool ExprChecker::node(const Literal& n, const Expr& at) {
  if (has_canonical_bits(n)) return true;
  return refuse(at,
                fmt::format("the bits {:#x} are not {} literal", n.bits, with_article(n.scalar)));
}

bool ExprChecker::node(const Var& n, const Expr& at) {
  if (n.name.empty() && parsed_) return false;
  const Symbol* symbol = scope_.find(n.name);
  if (symbol == nullptr) {
    if (find_buffer(program_, n.name) != nullptr) {
      return refuse(at,
                    fmt::format("'{}' is a buffer: use an element of it, {}[i]", n.name, n.name));
    }
    const std::string_view like = scope_.nearest(n.name);
    return refuse(at, fmt::format("unknown name '{}'{}", n.name,
                                  like.empty() ? "" : fmt::format(": did you mean '{}'?", like)));
  }
  if (symbol->type.scalar == Scalar::unknown) return false;
  if (symbol->type == n.type) return true;
  return refuse(at, fmt::format("'{}' is {} but is used as {}", n.name, to_string(symbol->type),
                                to_string(n.type)));
}

bool ExprChecker::node(const Id& n, const Expr& at) {
  return n.dim < 3 || refuse(at, fmt::format("there is no dimension {}", n.dim));
}

bool ExprChecker::node(const Load& n, const Expr& at) {
  const bool index_fits = check_index(n.index);
  const Buffer* from = buffer(n.buffer, at.place());
  if (from == nullptr || from->element == Scalar::unknown) return false;
  if (from->access == Access::write) {
    return refuse(
        at,
        fmt::format("buffer '{}' is write only: declare it read_write to load from it", n.buffer));
  }
  if (n.element != from->element || !is_lane_count(n.lanes)) {
    return refuse(at, fmt::format("buffer '{}' holds {}, loaded as {}", n.buffer,
                                  name_of(from->element), to_string(at.type())));
  }
  return index_fits;
}

bool ExprChecker::node(const Unary& n, const Expr& at) {
  if (!check(n.arg)) return false;
  const Type type = n.arg.type();
  return fits(n.op, type.scalar) ||
         refuse(at, fmt::format("'{}' does not work on {}", word_of(n.op), to_string(type)));
}

bool ExprChecker::node(const Binary& n, const Expr& at) {
  const bool left = check(n.left);
  const bool right = check(n.right);
  if (!left || !right) return false;
  const std::string_view sign = sign_of(n.op).text;
  const Type a = n.left.type();
  const Type b = n.right.type();
  if (a != b) {
    return refuse(at, fmt::format("'{}' needs two operands of one type, but {} is {} and {} is {}",
                                  sign, print(n.left), to_string(a), print(n.right), to_string(b)));
  }
  return fits(n.op, a.scalar) ||
         refuse(at, fmt::format("'{}' does not work on {}", sign, to_string(a)));
}

bool ExprChecker::node(const Fma& n, const Expr& at) {
  const bool a = check(n.a);
  const bool b = check(n.b);
  const bool c = check(n.c);
  if (!a || !b || !c) return false;
  const Type type = n.a.type();
  return (is_float(type.scalar) && n.b.type() == type && n.c.type() == type) ||
         refuse(at, fmt::format("fma needs three floats of one type, not {}, {} and {}",
                                to_string(type), to_string(n.b.type()), to_string(n.c.type())));
}

bool ExprChecker::node(const Select& n, const Expr& at) {
  const bool cond = check(n.cond);
  const bool yes = check(n.yes);
  const bool no = check(n.no);
  if (!cond || !yes || !no) return false;
  const Type type = n.yes.type();
  return (n.cond.type() == Type{Scalar::boolean, type.lanes} && n.no.type() == type) ||
         refuse(at,
                fmt::format("select needs a bool with the lanes of the values, and two values of "
                            "one type, not {}, {} and {}",
                            to_string(n.cond.type()), to_string(type), to_string(n.no.type())));
}

bool ExprChecker::node(const Convert& n, const Expr& at) {
  if (!check(n.arg)) return false;
  if (is_narrow(n.to)) {
    return refuse(at,
                  fmt::format("{} is a type of buffer elements only: {} is converted when it is "
                              "stored there",
                              name_of(n.to), with_article(value_type(n.to))));
  }
  return n.to != Scalar::unknown || refuse(at, "conversion to an unknown type");
}

bool ExprChecker::node(const Bitcast& n, const Expr& at) {
  const auto has_32_bits = [](Scalar s) { return is_word(s) || s == Scalar::f32; };
  if (!check(n.arg)) return false;
  return (has_32_bits(n.to) && has_32_bits(n.arg.type().scalar)) ||
         refuse(at, fmt::format("the bits of {} cannot be read as {}: only among u32, i32 and f32",
                                to_string(n.arg.type()), name_of(n.to)));
}

bool ExprChecker::node(const Splat& n, const Expr& at) {
  if (!check(n.arg)) return false;
  return (n.arg.type().lanes == 1 && is_lane_count(n.lanes) && n.lanes > 1) ||
         refuse(at,
                fmt::format("splat{} needs a scalar, not {}", n.lanes, to_string(n.arg.type())));
}

bool ExprChecker::node(const Vector& n, const Expr& at) {
  bool fine = true;
  for (const Expr& lane : n.lanes) fine = check(lane) && fine;
  if (!fine) return false;
  if (n.lanes.size() < 2 || !is_lane_count(n.lanes.size())) {
    return refuse(at, fmt::format("a vector has 2, 4, 8 or 16 lanes, not {}", n.lanes.size()));
  }
  const Type first = n.lanes[0].type();
  const auto other = std::ranges::find_if(
      n.lanes, [&](const Expr& e) { return e.type() != first || e.type().lanes != 1; });
  return other == n.lanes.end() ||
         refuse(*other, fmt::format("the lanes of a vector are scalars of one type, but {} is {}",
                                    print(*other), to_string(other->type())));
}

bool ExprChecker::node(const Lane& n, const Expr& at) {
  if (!check(n.vector)) return false;
  const Type type = n.vector.type();
  return (type.lanes > 1 && n.lane < type.lanes) ||
         refuse(at, fmt::format("{} has no lane {}", to_string(type), n.lane));
}

bool ExprChecker::node(const Reduce& n, const Expr& at) {
  using enum BinaryOp;
  if (!check(n.vector)) return false;
  const bool of_bools = n.op == bit_or || n.op == bit_and;
  if (!of_bools && n.op != add && n.op != min && n.op != max) {
    return refuse(at, "lanes are reduced by add, min or max, those of bools by bit_or or bit_and");
  }
  const Type type = n.vector.type();
  const bool fits = of_bools ? type.scalar == Scalar::boolean : is_number(type.scalar);
  return (type.lanes > 1 && fits) ||
         refuse(at, fmt::format("{} of one value is over the lanes of a vector of {}, but {} is {}",
                                reduction_word(n.op), of_bools ? "bools" : "numbers",
                                print(n.vector), to_string(type)));
}

}  // namespace vyre::ir
