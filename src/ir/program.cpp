#include "vyre/ir/program.h"

#include <algorithm>

namespace vyre::ir {

bool If::operator==(const If&) const = default;
bool For::operator==(const For&) const = default;
bool Region::operator==(const Region&) const = default;

const Buffer* find_buffer(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.buffers, name, &Buffer::name);
  return found == program.buffers.end() ? nullptr : &*found;
}

const Uniform* find_uniform(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.uniforms, name, &Uniform::name);
  return found == program.uniforms.end() ? nullptr : &*found;
}

std::vector<Expr> operands(const Stmt& stmt) {
  using List = std::vector<Expr>;
  return match(
      stmt, [](const Let& s) { return List{s.value}; },
      [](const Assign& s) { return List{s.value}; },
      [](const Store& s) { return List{s.index, s.value}; },
      [](const AtomicAdd& s) { return List{s.index, s.value}; },
      [](const If& s) { return List{s.cond}; },
      [](const For& s) { return List{s.begin, s.end, s.step}; },
      [](const Barrier&) { return List{}; }, [](const Region&) { return List{}; });
}

std::vector<const Block*> blocks(const Stmt& stmt) {
  using List = std::vector<const Block*>;
  return match(
      stmt, [](const Let&) { return List{}; }, [](const Assign&) { return List{}; },
      [](const Store&) { return List{}; }, [](const AtomicAdd&) { return List{}; },
      [](const If& s) { return List{&s.then, &s.otherwise}; },
      [](const For& s) { return List{&s.body}; }, [](const Barrier&) { return List{}; },
      [](const Region& s) { return List{&s.body}; });
}

}  // namespace vyre::ir
