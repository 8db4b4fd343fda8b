#include "vyre/ir/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/memory.h"
#include "ir/access.h"
#include "ir/grouping.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/validate.h"

namespace vyre::ir {
namespace {

const std::string& new_name(const PartNames::Map& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

Expr size_in_whole(const Expr& size, const PartNames& names) {
  return map_exprs(size, [&](const Expr& e) {
    const auto* var = as<Var>(e);
    return var == nullptr ? e : Expr(Var{new_name(names.uniforms, var->name), var->type});
  });
}

class Composer {
 public:
  Composer(std::string name, std::span<const Program> parts, ComposeOptions options)
      : parts_(parts), options_(options) {
    whole().name = std::move(name);
    made_.parts.resize(parts.size());
  }

  Result<Composition> run() {
    if (parts_.empty()) return fail(ErrorKind::input, "nothing to compose");
    whole().grid = parts_[0].grid;
    whole().workgroup = parts_[0].workgroup;
    whole().other_workgroups = common_workgroups();
    whole().reassociate = std::ranges::all_of(parts_, &Program::reassociate);
    for (const Program& part : parts_) take_interface_names(part);
    for (std::size_t i = 0; i < parts_.size(); ++i) interface(parts_[i], made_.parts[i]);
    for (std::size_t i = 0; i < parts_.size(); ++i) body(parts_[i], made_.parts[i]);
    hazards();
    if (problems_.empty()) problems_ = validate(whole());
    if (!problems_.empty()) return Failure(one_error(std::move(problems_)));
    return std::move(made_);
  }

 private:
  // The names in the whole of what the parts declare under one name.
  using Origins = std::multimap<std::string, std::string>;

  Program& whole() { return made_.program; }

  void problem(std::string message) { problems_.push_back({ErrorKind::input, std::move(message)}); }

  // What all parts that can tell their workgroups apart list.
  [[nodiscard]] std::vector<Extent> common_workgroups() const {
    std::optional<std::vector<Extent>> common;
    for (const Program& part : parts_) {
      if (!depends_on_workgroup(part)) continue;
      if (!common) common = part.other_workgroups;
      std::erase_if(*common, [&](const Extent& one) {
        return std::ranges::find(part.other_workgroups, one) == part.other_workgroups.end();
      });
    }
    return common.value_or(std::vector<Extent>());
  }

  // Before any new name is given, so that none is that of a part still to come.
  void take_interface_names(const Program& part) {
    for (const Uniform& u : part.uniforms) names_.take(u.name);
    for (const Buffer& b : part.buffers) {
      if (b.memory == Memory::global) names_.take(b.name);
    }
  }

  void interface(const Program& part, PartNames& names) {
    if (has_stages(part)) {
      problem(fmt::format("'{}' has stages or scratch: run the programs one after the other",
                          part.name));
    }
    for (const Uniform& u : part.uniforms) names.uniforms[u.name] = uniform(u, part);
    for (const Buffer& b : part.buffers) {
      if (b.memory != Memory::global) continue;
      Buffer mine = b;
      mine.count = size_in_whole(b.count, names);
      names.buffers[b.name] = global_buffer(std::move(mine), part);
    }
    const bool same_grid = std::ranges::equal(part.grid, whole().grid, [&](const auto& a, auto& b) {
      return size_in_whole(a, names) == b;
    });
    if (!same_grid || part.workgroup != whole().workgroup) {
      problem(fmt::format("'{}' and '{}' differ in grid or workgroup", parts_[0].name, part.name));
    }
  }

  // The name in the whole, where the uniform is added if none of the parts before declared it.
  std::string uniform(Uniform mine, const Program& part) {
    const auto [begin, end] = uniforms_.equal_range(mine.name);
    for (auto known = begin; known != end; ++known) {
      if (find_uniform(whole(), known->second)->value == mine.value) return known->second;
    }
    if (begin != end && !options_.rename) {
      problem(
          fmt::format("uniform '{}' has another type or default in '{}'", mine.name, part.name));
      return mine.name;
    }
    mine.name = added(mine.name, uniforms_);
    whole().uniforms.push_back(mine);
    return mine.name;
  }

  std::string global_buffer(Buffer mine, const Program& part) {
    const auto [begin, end] = buffers_.equal_range(mine.name);
    for (auto known = begin; known != end; ++known) {
      Buffer& buffer = *std::ranges::find(whole().buffers, known->second, &Buffer::name);
      if (buffer.element != mine.element || buffer.count != mine.count) continue;
      if (buffer.access != mine.access) buffer.access = Access::read_write;
      buffer.nontemporal = buffer.nontemporal && mine.nontemporal;
      return known->second;
    }
    if (begin != end && !options_.rename) {
      problem(fmt::format("buffer '{}' has another type or count in '{}'", mine.name, part.name));
      return mine.name;
    }
    mine.name = added(mine.name, buffers_);
    whole().buffers.push_back(mine);
    return mine.name;
  }

  // The name under which a declaration is added. Without `rename`, a uniform and a buffer of one
  // name are left to validation.
  std::string added(const std::string& name, Origins& origins) {
    const bool is_declared =
        find_uniform(whole(), name) != nullptr || find_buffer(whole(), name) != nullptr;
    std::string made = is_declared && options_.rename ? names_.fresh(name) : name;
    origins.emplace(name, made);
    return made;
  }

  void body(const Program& part, PartNames& names) {
    for (const Buffer& b : part.buffers) {
      if (b.memory != Memory::global) names.buffers[b.name] = names_.fresh(b.name);
    }
    const auto local = [&](const std::string& name) {
      return names.locals.emplace_back(name, names_.fresh(name)).second;
    };
    const auto buffer = [&](const std::string& name) { return new_name(names.buffers, name); };
    const auto uniform = [&](const std::string& name) { return new_name(names.uniforms, name); };
    Program mine = renamed(part, {.local = local, .buffer = buffer, .uniform = uniform});
    std::ranges::copy_if(mine.buffers, std::back_inserter(whole().buffers),
                         [](const Buffer& b) { return b.memory != Memory::global; });
    whole().body.push_back({Region{part.name, mine.body}});
    renamed_.push_back(std::move(mine));
  }

  void hazards() {
    std::vector<std::map<std::string, BufferUse>> uses;
    for (const Program& part : renamed_) uses.push_back(buffer_uses(part));
    for (std::size_t i = 0; i < renamed_.size(); ++i) {
      for (std::size_t j = i + 1; j < renamed_.size(); ++j) {
        for (const auto& [buffer, a] : uses[i]) {
          const auto b = uses[j].find(buffer);
          if (b != uses[j].end()) hazard(buffer, renamed_[i], a, renamed_[j], b->second);
        }
      }
    }
  }

  // Shared and private buffers have distinct names by now.
  void hazard(const std::string& buffer, const Program& first, const BufferUse& a,
              const Program& second, const BufferUse& b) {
    if ((!a.writes && !b.writes) || (a.own_place && b.own_place)) return;
    problem(
        fmt::format("'{}' and '{}' share buffer '{}' between invocations: one dispatch "
                    "cannot order them; run them one after the other",
                    first.name, second.name, buffer));
  }

  std::span<const Program> parts_;
  ComposeOptions options_;
  Composition made_;
  std::vector<Program> renamed_;  // the parts with their names in the whole
  Problems problems_;
  Names names_;
  Origins uniforms_;
  Origins buffers_;
};

}  // namespace

Result<Composition> compose(std::string name, std::span<const Program> parts,
                            ComposeOptions options) {
  return within_memory([&] { return Composer(std::move(name), parts, options).run(); });
}

}  // namespace vyre::ir
