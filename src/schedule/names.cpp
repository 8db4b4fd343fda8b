#include "schedule/names.h"

#include <fmt/format.h>

#include "ir/rewrite.h"
#include "ir/words.h"
#include "schedule/rewrite.h"

namespace vyre::schedule {
namespace {

using NameSet = std::unordered_set<std::string>;

constexpr std::size_t longest_root = 52;  // so that a name with a number is no longer than 64

std::string same(const std::string& name) { return name; }

}  // namespace

Names::Names(const ir::Program& program) : taken_(declared_names(program.body)) {
  for (const ir::Uniform& uniform : program.uniforms) taken_.insert(uniform.name);
  for (const ir::Buffer& buffer : program.buffers) taken_.insert(buffer.name);
}

std::string Names::fresh(const std::string& like) {
  const std::string root = like.substr(0, longest_root);
  std::string name = root;
  for (std::size_t n = 2; !ir::is_name(name) || !taken_.insert(name).second; ++n) {
    name = fmt::format("{}_{}", root, n);
  }
  return name;
}

NameSet declared_names(const ir::Block& block) {
  NameSet names;
  for_each(block, [&](const ir::Stmt& stmt) {
    if (const auto* let = std::get_if<ir::Let>(&stmt.node)) names.insert(let->name);
    if (const auto* loop = std::get_if<ir::For>(&stmt.node)) names.insert(loop->name);
  });
  return names;
}

NameSet assigned_names(const ir::Block& block) {
  NameSet names;
  for_each(block, [&](const ir::Stmt& stmt) {
    if (const auto* assign = std::get_if<ir::Assign>(&stmt.node)) names.insert(assign->name);
  });
  return names;
}

NameSet mutable_names(const ir::Block& block) {
  NameSet names;
  for_each(block, [&](const ir::Stmt& stmt) {
    const auto* let = std::get_if<ir::Let>(&stmt.node);
    if (let != nullptr && let->is_mutable) names.insert(let->name);
  });
  return names;
}

ir::Program with_unique_names(ir::Program program) {
  Names names(program);
  NameSet seen;
  const auto first_keeps_it = [&](const std::string& name) {
    return seen.insert(name).second ? name : names.fresh(name);
  };
  program.body = ir::renamed(program.body, {.local = first_keeps_it, .buffer = same});
  return program;
}

ir::Block copy_of(const ir::Block& block, Names& names) {
  const auto fresh = [&](const std::string& name) { return names.fresh(name); };
  return ir::renamed(block, {.local = fresh, .buffer = same});
}

}  // namespace vyre::schedule
