#include "schedule/slice.h"

#include <algorithm>

#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/visit.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::NameSet;
using ir::Stmt;

// The buffer that the statement itself writes, or null.
const std::string* written_buffer(const Stmt& stmt) {
  if (const auto* store = ir::as<ir::Store>(stmt)) return &store->buffer;
  const auto* add = ir::as<ir::AtomicAdd>(stmt);
  return add == nullptr ? nullptr : &add->buffer;
}

// What a statement needs is needed, until nothing more is.
class Slicer {
 public:
  Slicer(const ir::Program& program, const Outputs& outputs)
      : program_(program), buffers_(outputs.begin(), outputs.end()) {
    while (grow(program.body)) {
    }
  }

  [[nodiscard]] bool is_needed(const Stmt& stmt) const {
    if (const std::string* buffer = written_buffer(stmt)) return buffers_.contains(*buffer);
    return match(
        stmt, [&](const ir::OneOf<ir::Let, ir::Assign> auto& s) { return names_.contains(s.name); },
        [&](const ir::OneOf<ir::If, ir::For, ir::While, ir::Region> auto&) {
          return any_block(stmt, [&](const Block& block) {
            return std::ranges::any_of(block, [&](const Stmt& s) { return is_needed(s); });
          });
        },
        [](const ir::OneOf<ir::Store, ir::AtomicAdd, ir::Break, ir::Barrier> auto&) {
          return false;
        });
  }

 private:
  // Whether anything became needed.
  bool grow(const Block& block) {
    bool grown = false;
    for (const Stmt& stmt : block) {
      if (!is_needed(stmt)) continue;
      if (ir::is<ir::While>(stmt)) {
        grown |= need_all(stmt);
        continue;
      }
      for_each_operand(stmt, [&](const Expr& e) { grown |= need(e); });
      for_each_block(stmt, [&](const Block& inner) { grown |= grow(inner); });
    }
    return grown;
  }

  // Anything in a while may say when it ends.
  bool need_all(const Stmt& loop) {
    bool grown = false;
    for_each_expr(loop, [&](const Expr& e) { grown |= need(e); });
    for (const std::string& name : ir::assigned_names({loop})) grown |= names_.insert(name).second;
    return grown;
  }

  bool need(const Expr& expr) {
    bool grown = false;
    for_each_expr(expr, [&](const Expr& e) {
      if (const auto* var = ir::as<ir::Var>(e)) grown |= names_.insert(var->name).second;
      if (const auto* load = ir::as<ir::Load>(e)) grown |= need_memory(load->buffer);
    });
    return grown;
  }
  // What stands in an invocation's own memory is computed by it, as variables are.
  bool need_memory(const std::string& name) {
    const ir::Buffer* buffer = find_buffer(program_, name);
    return buffer->memory != ir::Memory::global && buffers_.insert(name).second;
  }

  const ir::Program& program_;
  NameSet buffers_;
  NameSet names_;
};

Block kept(const Block& block, const Slicer& slicer) {
  Block made;
  for (const Stmt& stmt : block) {
    if (!slicer.is_needed(stmt)) continue;
    const bool whole = ir::is<ir::While>(stmt);
    made.push_back(
        with_blocks(stmt, [&](const Block& inner) { return whole ? inner : kept(inner, slicer); }));
  }
  return made;
}

NameSet accessed_buffers(const Block& body) {
  NameSet names = written_buffers(body);
  for_each_expr(body, [&](const Expr& e) {
    if (const auto* load = ir::as<ir::Load>(e)) names.insert(load->buffer);
  });
  return names;
}

bool accesses_any(const ir::Program& slice, const Outputs& outputs) {
  return std::ranges::any_of(
      outputs, [&](const std::string& name) { return find_buffer(slice, name) != nullptr; });
}

// Puts groups together of which one needs another; whether there were any.
bool merge_one(const ir::Program& program, std::vector<Outputs>& groups) {
  for (auto& group : groups) {
    const ir::Program slice = slice_of(program, group);
    const auto other = std::ranges::find_if(
        groups, [&](const Outputs& o) { return &o != &group && accesses_any(slice, o); });
    if (other == groups.end()) continue;
    group.insert(group.end(), other->begin(), other->end());
    std::ranges::sort(group, {}, [&](const std::string& name) {
      return std::ranges::find(program.buffers, name, &ir::Buffer::name);
    });
    groups.erase(other);
    return true;
  }
  return false;
}

}  // namespace

NameSet written_buffers(const Block& block) {
  NameSet names;
  for_each_stmt(block, [&](const Stmt& stmt) {
    if (const std::string* buffer = written_buffer(stmt)) names.insert(*buffer);
  });
  return names;
}

ir::Program slice_of(const ir::Program& program, const Outputs& outputs) {
  ir::Program made = program;
  made.body = kept(program.body, Slicer(program, outputs));
  const NameSet used = accessed_buffers(made.body);
  std::erase_if(made.buffers, [&](const ir::Buffer& b) { return !used.contains(b.name); });
  return made;
}

std::vector<Outputs> independent_outputs(const ir::Program& program) {
  const NameSet written = written_buffers(program.body);
  std::vector<Outputs> groups;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == ir::Memory::global && written.contains(buffer.name)) {
      groups.push_back({buffer.name});
    }
  }
  while (merge_one(program, groups)) {
  }
  return groups;
}

}  // namespace vyre::schedule
