#include "vyre/ir/fingerprint.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "ir/rewrite.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// Regions only group: their statements move up. Names are distinct by now, so nothing can clash.
void dissolve(Block& body) {
  Block flat;
  for (Stmt& stmt : body) {
    if (auto* region = std::get_if<Region>(&stmt.node)) {
      dissolve(region->body);
      std::ranges::move(region->body, std::back_inserter(flat));
      continue;
    }
    if (auto* branch = std::get_if<If>(&stmt.node)) {
      dissolve(branch->then);
      dissolve(branch->otherwise);
    } else if (auto* loop = std::get_if<For>(&stmt.node)) {
      dissolve(loop->body);
    }
    flat.push_back(std::move(stmt));
  }
  body = std::move(flat);
}

// Names that cannot be mistaken for one that stays.
class FreshNames {
 public:
  explicit FreshNames(const Program& program) {
    for (const Uniform& u : program.uniforms) taken_.insert(u.name);
    for (const Buffer& b : program.buffers) {
      if (b.memory == Memory::global) taken_.insert(b.name);
    }
  }
  std::string next(std::string_view prefix) {
    std::string name;
    do {
      name = fmt::format("{}{}", prefix, count_++);
    } while (taken_.contains(name));
    return name;
  }

 private:
  std::set<std::string, std::less<>> taken_;
  std::size_t count_ = 0;
};

}  // namespace

Program canonical(const Program& program) {
  Program made{.name = "canonical",
               .uniforms = program.uniforms,
               .buffers = program.buffers,
               .grid = program.grid,
               .workgroup = program.workgroup,
               .body = {}};
  for (Uniform& u : made.uniforms) u.value.bits = 0;

  FreshNames names(program);
  std::map<std::string, std::string> shared;
  for (Buffer& b : made.buffers) {
    if (b.memory == Memory::shared) b.name = shared[b.name] = names.next("s");
  }
  made.body = renamed(program.body, {.local = [&](const std::string&) { return names.next("v"); },
                                     .buffer =
                                         [&](const std::string& name) {
                                           const auto found = shared.find(name);
                                           return found == shared.end() ? name : found->second;
                                         }});
  dissolve(made.body);
  return made;
}

Digest fingerprint(const Program& program) {
  constexpr std::string_view domain("vyre program v1\0", 16);
  return blake2b(std::string(domain) + print(canonical(program)));
}

}  // namespace vyre::ir
