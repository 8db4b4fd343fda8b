#include "emit/names.h"

#include <fmt/format.h>

namespace vyre::emit {
namespace {

void add_names(const ir::Block& block, std::vector<std::string>& names) {
  for (const ir::Stmt& stmt : block) {
    if (const auto* let = std::get_if<ir::Let>(&stmt.node)) names.push_back(let->name);
    if (const auto* loop = std::get_if<ir::For>(&stmt.node)) names.push_back(loop->name);
    for (const ir::Block* inner : ir::blocks(stmt)) add_names(*inner, names);
  }
}

}  // namespace

std::vector<std::string> author_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Uniform& uniform : program.uniforms) names.push_back(uniform.name);
  for (const ir::Buffer& buffer : program.buffers) names.push_back(buffer.name);
  add_names(program.body, names);
  return names;
}

std::string Names::fresh(const std::string& wanted) {
  const std::string base = reserved_(wanted) ? wanted + "_" : wanted;
  std::string name = base;
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", base, n);
  return name;
}

void Names::map_all(const std::vector<std::string>& names) {
  // First come those that can stay, so that no changed name takes the place of one of them.
  for (const bool change : {false, true}) {
    for (const std::string& name : names) {
      if (reserved_(name) == change && !emitted_.contains(name)) emitted_[name] = fresh(name);
    }
  }
}

}  // namespace vyre::emit
