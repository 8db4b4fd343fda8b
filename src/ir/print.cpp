// The printer of the text form. It adds the parentheses that the parser needs and those that a
// reader wants where bit operations mix with others.
#include <fmt/format.h>

#include "ir/literal_text.h"
#include "ir/visit.h"
#include "ir/words.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

int precedence(const Expr& expr) {
  return match(
      expr,
      [](const Binary& n) {
        const int p = sign_of(n.op).precedence;
        return p == 0 ? primary_precedence : p;
      },
      [](const Unary& n) {
        const bool is_sign = n.op == UnaryOp::neg || n.op == UnaryOp::bit_not;
        return is_sign ? unary_precedence : primary_precedence;
      },
      [](const OneOf<Literal, Var, Id, Load, Fma, Select, Convert, Bitcast, Splat, Vector, Lane,
                     Reduce> auto&) { return primary_precedence; });
}

bool is_bitwise(int p) {
  return p < comparison_precedence || p == sign_of(BinaryOp::shl).precedence;
}

class Printer {
 public:
  void text(std::string_view text) { out_ += text; }
  std::string take() && { return std::move(out_); }

  void expr(const Expr& e) {
    match(
        e, [&](const Literal& n) { out_ += literal_text(n); },
        [&](const Var& n) { out_ += n.name; },
        [&](const Id& n) {
          out_ += word_of(n.kind);
          out_ += '.';
          out_ += dimension_names[n.dim];
        },
        [&](const Load& n) { element(n.buffer, n.index, n.lanes); },
        [&](const Unary& n) { unary(n); }, [&](const Binary& n) { binary(n); },
        [&](const Fma& n) { call("fma", {n.a, n.b, n.c}); },
        [&](const Select& n) { call("select", {n.cond, n.yes, n.no}); },
        [&](const Convert& n) { call(name_of(n.to), {n.arg}); },
        [&](const Bitcast& n) { call(fmt::format("as_{}", name_of(n.to)), {n.arg}); },
        [&](const Splat& n) { call(fmt::format("splat{}", n.lanes), {n.arg}); },
        [&](const Vector& n) {
          out_ += '[';
          list(n.lanes);
          out_ += ']';
        },
        [&](const Reduce& n) { call(reduction_word(n.op), {n.vector}); },
        [&](const Lane& n) {
          wrapped(n.vector, precedence(n.vector) < primary_precedence);
          out_ += fmt::format(".{}", n.lane);
        });
  }

  void head(const Stmt& stmt) {
    match(
        stmt,
        [&](const Let& s) {
          out_ += s.is_mutable ? "var " : "let ";
          out_ += s.name;
          out_ += " = ";
          expr(s.value);
        },
        [&](const Assign& s) {
          out_ += s.name;
          out_ += " = ";
          expr(s.value);
        },
        [&](const Store& s) {
          element(s.buffer, s.index, s.value.type().lanes);
          out_ += " = ";
          expr(s.value);
        },
        [&](const AtomicAdd& s) {
          out_ += "atomic ";
          element(s.buffer, s.index, 1);
          out_ += " += ";
          expr(s.value);
        },
        [&](const If& s) {
          out_ += "if ";
          expr(s.cond);
        },
        [&](const For& s) { for_head(s); },
        [&](const While& s) {
          out_ += "while ";
          expr(s.cond);
        },
        [&](const Break&) { out_ += "break"; }, [&](const Barrier&) { out_ += "barrier"; },
        [&](const Region& s) { out_ += fmt::format("region \"{}\"", s.name); });
  }

  void block(const Block& body, int indent) {
    out_ += "{\n";
    for (const Stmt& stmt : body) statement(stmt, indent + 1);
    indented(indent);
    out_ += '}';
  }

  void statement(const Stmt& stmt, int indent) {
    indented(indent);
    body(stmt, indent);
    out_ += '\n';
  }

  void declarations(const Program& p) {
    for (const Uniform& u : p.uniforms) {
      out_ += fmt::format("  uniform {}: {} = {}\n", u.name, name_of(u.value.scalar),
                          literal_text(u.value));
    }
    for (const Buffer& b : p.buffers) buffer(b);
    out_ += "  ";
    grid(p.grid);
    out_ += "\n  workgroup ";
    extents(p.workgroup);
    for (const Extent& other : p.other_workgroups) {
      out_ += " or ";
      extents(other);
    }
    out_ += p.reassociate ? "\n  reassociate\n" : "\n";
  }

  void stage(const Stage& stage) {
    out_ += "\n  then ";
    grid(stage.grid);
    out_ += " workgroup ";
    extents(stage.workgroup);
    inner(stage.body, 1);
    out_ += '\n';
  }

 private:
  std::string out_;

  void indented(int indent) { out_.append(static_cast<std::size_t>(indent) * 2, ' '); }

  void body(const Stmt& stmt, int indent) {
    head(stmt);
    match(
        stmt, [](const OneOf<Let, Assign, Store, AtomicAdd, Break, Barrier> auto&) {},
        [&](const If& s) {
          inner(s.then, indent);
          if (!s.otherwise.empty()) otherwise(s.otherwise, indent);
        },
        [&](const OneOf<For, While, Region> auto& s) { inner(s.body, indent); });
  }

  void inner(const Block& body, int indent) {
    out_ += ' ';
    block(body, indent);
  }

  void otherwise(const Block& block, int indent) {
    out_ += " else";
    if (block.size() != 1 || !is<If>(block[0])) return inner(block, indent);
    out_ += ' ';
    body(block[0], indent);
  }

  void grid(const std::array<Expr, 3>& grid) {
    std::size_t dims = 3;
    while (dims > 1 && grid[dims - 1] == literal(1U)) --dims;
    out_ += "grid ";
    list({grid.begin(), grid.begin() + static_cast<std::ptrdiff_t>(dims)});
  }

  void extents(const Extent& extent) {
    const auto [x, y, z] = extent;
    out_ += fmt::format("{}", x);
    if (y != 1 || z != 1) out_ += fmt::format(", {}", y);
    if (z != 1) out_ += fmt::format(", {}", z);
  }

  void buffer(const Buffer& b) {
    constexpr std::array<std::string_view, 3> access = {" read", " write", " read_write"};
    constexpr std::array<std::string_view, 4> memory = {"buffer", "shared", "private", "scratch"};
    out_ += fmt::format("  {} {}: {}[", memory[static_cast<std::size_t>(b.memory)], b.name,
                        name_of(b.element));
    expr(b.count);
    out_ += ']';
    if (b.memory == Memory::global) out_ += access[static_cast<std::size_t>(b.access)];
    if (b.nontemporal) out_ += " nontemporal";
    out_ += '\n';
  }

  void for_head(const For& s) {
    out_ += fmt::format("for {} in ", s.name);
    expr(s.begin);
    out_ += " .. ";
    expr(s.end);
    const auto* step = as<Literal>(s.step);
    if (step != nullptr && step->bits == 1 && is_integer(step->scalar) &&
        step->scalar == s.begin.type().scalar) {
      return;
    }
    out_ += " step ";
    expr(s.step);
  }

  void element(const std::string& buffer, const Expr& index, std::uint8_t lanes) {
    out_ += buffer;
    out_ += '[';
    expr(index);
    if (lanes > 1) out_ += fmt::format(" : {}", lanes);
    out_ += ']';
  }

  void unary(const Unary& n) {
    if (n.op != UnaryOp::neg && n.op != UnaryOp::bit_not) return call(word_of(n.op), {n.arg});
    const bool boolean = n.arg.type().scalar == Scalar::boolean;
    out_ += n.op == UnaryOp::neg ? '-' : (boolean ? '!' : '~');
    // A minus directly before a number or another minus would be read as one with it.
    const bool literal_arg = is<Literal>(n.arg);
    const bool nested = precedence(n.arg) == unary_precedence;
    wrapped(n.arg, literal_arg || nested || precedence(n.arg) < unary_precedence);
  }

  void binary(const Binary& n) {
    const BinarySign& sign = sign_of(n.op);
    if (sign.precedence == 0) return call(sign.text, {n.left, n.right});
    const auto needs = [&](const Expr& child, bool right) {
      const int p = precedence(child);
      if (p >= unary_precedence) return false;
      if (p == sign.precedence) return right || p == comparison_precedence;
      return p < sign.precedence || (is_bitwise(sign.precedence) && p != comparison_precedence);
    };
    wrapped(n.left, needs(n.left, false));
    out_ += ' ';
    out_ += sign.text;
    out_ += ' ';
    wrapped(n.right, needs(n.right, true));
  }

  void wrapped(const Expr& e, bool parentheses) {
    if (parentheses) out_ += '(';
    expr(e);
    if (parentheses) out_ += ')';
  }

  void call(std::string_view function, const std::vector<Expr>& arguments) {
    out_ += function;
    out_ += '(';
    list(arguments);
    out_ += ')';
  }

  void list(const std::vector<Expr>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      expr(items[i]);
    }
  }
};

}  // namespace

std::string print(const Expr& expr) {
  Printer printer;
  printer.expr(expr);
  return std::move(printer).take();
}

std::string print_head(const Stmt& stmt) {
  Printer printer;
  printer.head(stmt);
  if (any_block(stmt, [](const Block&) { return true; })) printer.text(" { ... }");
  return std::move(printer).take();
}

std::string print(const Program& program) {
  Printer printer;
  printer.text(fmt::format("program {} {{\n", program.name));
  printer.declarations(program);
  printer.text("\n");
  for (const Stmt& stmt : program.body) printer.statement(stmt, 1);
  for (const Stage& stage : program.then) printer.stage(stage);
  printer.text("}\n");
  return std::move(printer).take();
}

}  // namespace vyre::ir
