#include "vyre/ir/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/validate.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// Follows names bound by let outside loops and branches, so that `let i = invocation.x` is seen
// through. Only lets at the top of a part (or of its regions) are followed.
using Bindings = std::map<std::string, Expr>;

void collect_bindings(const Block& block, Bindings& into) {
  for (const Stmt& stmt : block) {
    if (const auto* let = as<Let>(stmt); let != nullptr && !let->is_mutable) {
      into.emplace(let->name, let->value);
    } else if (const auto* region = as<Region>(stmt)) {
      collect_bindings(region->body, into);
    }
  }
}

Expr resolved(const Expr& expr, const Bindings& bindings) {
  if (const auto* var = as<Var>(expr)) {
    const auto found = bindings.find(var->name);
    if (found != bindings.end()) return resolved(found->second, bindings);
  }
  return with_operands(expr, [&](const Expr& e) { return resolved(e, bindings); });
}

// Whether this index is a different element for each invocation of the grid, the same in all parts.
bool is_own_place(const Expr& index, const Program& program) {
  const Expr x = Id{IdKind::invocation, 0};
  const bool flat_z = program.grid[2] == literal(1U);
  const bool flat_y = program.grid[1] == literal(1U);
  if (flat_y && flat_z && index == x) return true;
  const auto* sum = as<Binary>(index);
  if (!flat_z || sum == nullptr || sum->op != BinaryOp::add || sum->right != x) return false;
  const auto* row = as<Binary>(sum->left);
  return row != nullptr && row->op == BinaryOp::mul &&
         row->left == Expr(Id{IdKind::invocation, 1}) &&
         (row->right == program.grid[0] || row->right == Expr(Id{IdKind::grid, 0}));
}

// How one part uses a buffer.
struct Use {
  bool writes = false;
  bool own_place = true;
};
using Uses = std::map<std::string, Use>;

class UseCollector {
 public:
  explicit UseCollector(const Program& program) : program_(program) {
    collect_bindings(program.body, bindings_);
    block(program.body);
  }
  Uses take() && { return std::move(uses_); }

 private:
  void access(const std::string& buffer, const Expr& index, std::uint8_t lanes, bool writes) {
    Use& use = uses_[buffer];
    use.writes |= writes;
    use.own_place &= lanes == 1 && is_own_place(resolved(index, bindings_), program_);
  }

  void block(const Block& body) {
    for_each_expr(body, [&](const Expr& e) {
      if (const auto* load = as<Load>(e)) access(load->buffer, load->index, load->lanes, false);
    });
    for_each_stmt(body, [&](const Stmt& stmt) {
      match(
          stmt,
          [&](const OneOf<Store, AtomicAdd> auto& s) {
            access(s.buffer, s.index, s.value.type().lanes, true);
          },
          [](const OneOf<Let, Assign, If, For, Barrier, Region> auto&) {});
    });
  }

  const Program& program_;
  Bindings bindings_;
  Uses uses_;
};

class Composer {
 public:
  Composer(std::string name, std::span<const Program> parts) : parts_(parts) {
    whole_.name = std::move(name);
  }

  std::expected<Program, Problems> run() {
    if (parts_.empty()) return std::unexpected(Problems{{ErrorKind::input, "nothing to compose"}});
    whole_.grid = parts_[0].grid;
    whole_.workgroup = parts_[0].workgroup;
    for (const Program& part : parts_) interface(part);
    for (const Program& part : parts_) body(part);
    hazards();
    if (problems_.empty()) problems_ = validate(whole_);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    return std::move(whole_);
  }

 private:
  void problem(std::string message) { problems_.push_back({ErrorKind::input, std::move(message)}); }

  void interface(const Program& part) {
    if (part.grid != whole_.grid || part.workgroup != whole_.workgroup) {
      problem(fmt::format("'{}' and '{}' differ in grid or workgroup", parts_[0].name, part.name));
    }
    for (const Uniform& u : part.uniforms) {
      const Uniform* present = find_uniform(whole_, u.name);
      if (present == nullptr) {
        whole_.uniforms.push_back(u);
      } else if (*present != u) {
        problem(fmt::format("uniform '{}' has another type or default in '{}'", u.name, part.name));
      }
      taken_.insert(u.name);
    }
    for (const Buffer& b : part.buffers) {
      if (b.memory == Memory::global) global_buffer(b, part);
    }
  }

  void global_buffer(const Buffer& b, const Program& part) {
    taken_.insert(b.name);
    const auto present = std::ranges::find(whole_.buffers, b.name, &Buffer::name);
    if (present == whole_.buffers.end()) {
      whole_.buffers.push_back(b);
    } else if (present->element != b.element || present->count != b.count) {
      problem(fmt::format("buffer '{}' has another type or count in '{}'", b.name, part.name));
    } else if (present->access != b.access) {
      present->access = Access::read_write;
    }
  }

  std::string fresh(const std::string& name) {
    std::string made = name;
    for (int n = 2; taken_.contains(made); ++n) made = fmt::format("{}_{}", name, n);
    taken_.insert(made);
    return made;
  }

  void body(const Program& part) {
    std::map<std::string, std::string> shared;
    for (const Buffer& b : part.buffers) {
      if (b.memory != Memory::shared) continue;
      Buffer mine = b;
      mine.name = shared[b.name] = fresh(b.name);
      whole_.buffers.push_back(std::move(mine));
    }
    Block inside = renamed(part.body, {.local = [&](const std::string& n) { return fresh(n); },
                                       .buffer =
                                           [&](const std::string& n) {
                                             const auto found = shared.find(n);
                                             return found == shared.end() ? n : found->second;
                                           }});
    whole_.body.push_back({Region{part.name, std::move(inside)}});
  }

  void hazards() {
    std::vector<Uses> uses;
    for (const Program& part : parts_) uses.push_back(UseCollector(part).take());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t j = i + 1; j < parts_.size(); ++j) hazard(i, uses[i], j, uses[j]);
    }
  }

  void hazard(std::size_t i, const Uses& first, std::size_t j, const Uses& second) {
    for (const auto& [buffer, a] : first) {
      const auto found = second.find(buffer);
      const Buffer* declared = find_buffer(parts_[i], buffer);
      if (found == second.end() || declared->memory == Memory::shared) continue;
      const Use& b = found->second;
      if ((a.writes || b.writes) && !(a.own_place && b.own_place)) {
        problem(
            fmt::format("'{}' and '{}' share buffer '{}' between invocations: one dispatch "
                        "cannot order them; run them one after the other",
                        parts_[i].name, parts_[j].name, buffer));
      }
    }
  }

  std::span<const Program> parts_;
  Program whole_;
  Problems problems_;
  std::set<std::string> taken_;
};

}  // namespace

std::expected<Program, Problems> compose(std::string name, std::span<const Program> parts) {
  return Composer(std::move(name), parts).run();
}

}  // namespace vyre::ir
