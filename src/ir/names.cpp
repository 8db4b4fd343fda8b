#include "ir/names.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "ir/rewrite.h"
#include "ir/visit.h"
#include "ir/words.h"

namespace vyre::ir {
namespace {

constexpr std::size_t longest_root = 52;  // so that a name with a number is no longer than 64

// Sibling blocks may use the same name for different things, so names are looked up by scope.
class Renamer {
 public:
  explicit Renamer(const Renaming& renaming) : renaming_(renaming) {}

  Program program(const Program& from) {
    Program made{.name = from.name,
                 .workgroup = from.workgroup,
                 .other_workgroups = from.other_workgroups,
                 .reassociate = from.reassociate,
                 .body = block(from.body)};
    for (const Uniform& u : from.uniforms) {
      made.uniforms.push_back({renaming_.uniform(u.name), u.value, u.place});
    }
    for (Buffer b : from.buffers) {
      b.name = renaming_.buffer(b.name);
      b.count = expr(b.count);
      made.buffers.push_back(std::move(b));
    }
    for (std::size_t d = 0; d < 3; ++d) made.grid[d] = expr(from.grid[d]);
    for (const Stage& stage : from.then) made.then.push_back(this->stage(stage));
    return made;
  }

  Stage stage(const Stage& from) {
    Stage made{.workgroup = from.workgroup, .body = block(from.body)};
    for (std::size_t d = 0; d < 3; ++d) made.grid[d] = expr(from.grid[d]);
    return made;
  }

  Block block(const Block& body) {
    scopes_.emplace_back();
    Block made;
    made.reserve(body.size());
    for (const Stmt& stmt : body) made.push_back({statement(stmt), stmt.place});
    scopes_.pop_back();
    return made;
  }

 private:
  using Node = decltype(Stmt::node);

  Node statement(const Stmt& stmt) {
    return match(
        stmt,
        [&](const Let& s) -> Node {
          Expr value = expr(s.value);
          return Let{declare(s.name), std::move(value), s.is_mutable};
        },
        [&](const Assign& s) -> Node { return Assign{look_up(s.name), expr(s.value)}; },
        [&](const Store& s) -> Node {
          return Store{renaming_.buffer(s.buffer), expr(s.index), expr(s.value)};
        },
        [&](const AtomicAdd& s) -> Node {
          return AtomicAdd{renaming_.buffer(s.buffer), expr(s.index), expr(s.value)};
        },
        [&](const If& s) -> Node { return If{expr(s.cond), block(s.then), block(s.otherwise)}; },
        [&](const For& s) -> Node { return loop(s); },
        [&](const While& s) -> Node { return While{expr(s.cond), block(s.body)}; },
        [](const OneOf<Break, Barrier> auto& s) -> Node { return s; },
        [&](const Region& s) -> Node { return Region{s.name, block(s.body)}; });
  }

  // The loop's variable is not visible in its head.
  For loop(const For& s) {
    For made{.begin = expr(s.begin), .end = expr(s.end), .step = expr(s.step)};
    scopes_.emplace_back();
    made.name = declare(s.name);
    made.body = block(s.body);
    scopes_.pop_back();
    return made;
  }

  Expr expr(const Expr& e) {
    return match(
        e, [&](const Var& n) { return Expr(Var{look_up(n.name), n.type}, e.place()); },
        [&](const Load& n) {
          return Expr(Load{renaming_.buffer(n.buffer), n.element, expr(n.index), n.lanes},
                      e.place());
        },
        [&](const OneOf<Literal, Id, Unary, Binary, Fma, Select, Convert, Bitcast, Splat, Vector,
                        Lane, Reduce> auto&) {
          return with_operands(e, [&](const Expr& operand) { return expr(operand); });
        });
  }

  std::string declare(const std::string& name) {
    return scopes_.back()[name] = renaming_.local(name);
  }

  // Uniforms are declared outside the body.
  std::string look_up(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(name); found != scope->end()) return found->second;
    }
    return renaming_.uniform(name);
  }

  const Renaming& renaming_;
  std::vector<std::map<std::string, std::string>> scopes_;
};

}  // namespace

Names::Names(const Program& program) : taken_(declared_names(program.body)) {
  for (const Uniform& uniform : program.uniforms) take(uniform.name);
  for (const Buffer& buffer : program.buffers) take(buffer.name);
  for (const Stage& stage : program.then) taken_.merge(declared_names(stage.body));
}

std::string Names::fresh(const std::string& like) {
  std::string name = like;
  for (std::size_t n = 2; !is_name(name) || !taken_.insert(name).second; ++n) {
    name = fmt::format("{}_{}", like.substr(0, longest_root), n);
  }
  return name;
}

const std::string* declared_name(const Stmt& stmt) {
  using Name = const std::string*;
  return match(
      stmt, [](const OneOf<Let, For> auto& s) -> Name { return &s.name; },
      [](const OneOf<Assign, Store, AtomicAdd, If, While, Break, Barrier, Region> auto&) -> Name {
        return nullptr;
      });
}

NameSet declared_names(const Block& block) {
  NameSet names;
  for_each_stmt(block, [&](const Stmt& stmt) {
    if (const std::string* name = declared_name(stmt)) names.insert(*name);
  });
  return names;
}

NameSet assigned_names(const Block& block) {
  NameSet names;
  for_each_stmt(block, [&](const Stmt& stmt) {
    if (const auto* assign = as<Assign>(stmt)) names.insert(assign->name);
  });
  return names;
}

NameSet mutable_names(const Block& block) {
  NameSet names;
  for_each_stmt(block, [&](const Stmt& stmt) {
    const auto* let = as<Let>(stmt);
    if (let != nullptr && let->is_mutable) names.insert(let->name);
  });
  return names;
}

NameSet private_names(const Program& program) {
  NameSet names;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.memory == Memory::own) names.insert(buffer.name);
  }
  return names;
}

bool mentions(const Expr& expr, const NameSet& names) {
  return any_expr(expr, [&](const Expr& e) {
    const auto* var = as<Var>(e);
    return var != nullptr && names.contains(var->name);
  });
}

bool has_load(const Expr& expr) {
  return any_expr(expr, [](const Expr& e) { return is<Load>(e); });
}

Block renamed(const Block& block, const Renaming& renaming) {
  return Renamer(renaming).block(block);
}

Program renamed(const Program& program, const Renaming& renaming) {
  return Renamer(renaming).program(program);
}

Program with_unique_names(Program program) {
  Names names(program);
  NameSet seen;
  const auto first_keeps_it = [&](const std::string& name) {
    return seen.insert(name).second ? name : names.fresh(name);
  };
  program.body = renamed(program.body, {.local = first_keeps_it});
  for (Stage& stage : program.then) stage.body = renamed(stage.body, {.local = first_keeps_it});
  return program;
}

Block copy_of(const Block& block, Names& names) {
  const auto fresh = [&](const std::string& name) { return names.fresh(name); };
  return renamed(block, {.local = fresh});
}

}  // namespace vyre::ir
