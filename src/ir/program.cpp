#include "vyre/ir/program.h"

#include <algorithm>

namespace vyre::ir {

bool If::operator==(const If&) const = default;
bool For::operator==(const For&) const = default;
bool While::operator==(const While&) const = default;
bool Region::operator==(const Region&) const = default;

const Buffer* find_buffer(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.buffers, name, &Buffer::name);
  return found == program.buffers.end() ? nullptr : &*found;
}

const Uniform* find_uniform(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.uniforms, name, &Uniform::name);
  return found == program.uniforms.end() ? nullptr : &*found;
}

}  // namespace vyre::ir
