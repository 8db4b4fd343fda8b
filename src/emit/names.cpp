#include "emit/names.h"

#include <fmt/format.h>

#include "ir/names.h"
#include "ir/visit.h"

namespace vyre::emit {

std::vector<std::string> author_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (const ir::Uniform& uniform : program.uniforms) names.push_back(uniform.name);
  for (const ir::Buffer& buffer : program.buffers) names.push_back(buffer.name);
  ir::for_each_stmt(program.body, [&](const ir::Stmt& stmt) {
    if (const std::string* name = ir::declared_name(stmt)) names.push_back(*name);
  });
  return names;
}

std::string Names::fresh(const std::string& requested) {
  const std::string base = reserved_(requested) ? requested + "_" : requested;
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
