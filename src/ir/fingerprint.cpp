#include "vyre/ir/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "ir/names.h"
#include "ir/rewrite.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

// Regions only group: their statements move up. Names are distinct by now, so nothing can clash.
Block without_regions(Block body) {
  return map_stmts(std::move(body), [](Stmt stmt, Block& into) {
    if (auto* region = as<Region>(stmt)) {
      std::ranges::move(region->body, std::back_inserter(into));
    } else {
      into.push_back(std::move(stmt));
    }
  });
}

// Numbered names that cannot be mistaken for one that stays.
class NumberedNames {
 public:
  explicit NumberedNames(const Program& program) {
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
  NumberedNames names(program);
  std::map<std::string, std::string> inner;
  for (const Buffer& b : program.buffers) {
    if (b.memory != Memory::global) inner[b.name] = names.next("s");
  }
  const auto local = [&](const std::string&) { return names.next("v"); };
  const auto buffer = [&](const std::string& name) {
    const auto found = inner.find(name);
    return found == inner.end() ? name : found->second;
  };
  Program made = renamed(program, {.local = local, .buffer = buffer});
  made.name = "canonical";
  for (Uniform& u : made.uniforms) u.value.bits = 0;
  made.body = without_regions(std::move(made.body));
  for (Stage& stage : made.then) stage.body = without_regions(std::move(stage.body));
  return made;
}

Digest fingerprint(const Program& program) {
  constexpr std::string_view domain("vyre program v1\0", 16);
  return blake2b(std::string(domain) + print(canonical(program)));
}

}  // namespace vyre::ir
