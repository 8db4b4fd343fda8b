#include "vyre/ir/program.h"

#include <algorithm>
#include <iterator>

#include "ir/visit.h"

namespace vyre::ir {
namespace {

bool is_used(const std::string& buffer, const Block& body) {
  return any_expr(body,
                  [&](const Expr& e) {
                    const auto* load = as<Load>(e);
                    return load != nullptr && load->buffer == buffer;
                  }) ||
         any_stmt(body, [&](const Stmt& stmt) {
           const auto* store = as<Store>(stmt);
           const auto* add = as<AtomicAdd>(stmt);
           return (store != nullptr && store->buffer == buffer) ||
                  (add != nullptr && add->buffer == buffer);
         });
}

// Scratch is one more argument to a stage by itself.
std::vector<Buffer> buffers_of_stage(const Program& program, const Block& body) {
  std::vector<Buffer> made;
  for (const Buffer& b : program.buffers) {
    const bool of_group = b.memory == Memory::shared || b.memory == Memory::own;
    if (b.memory == Memory::global || (of_group && is_used(b.name, body))) made.push_back(b);
  }
  for (Buffer& b : scratch_buffers(program)) {
    b.memory = Memory::global;
    made.push_back(std::move(b));
  }
  return made;
}

}  // namespace

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

std::vector<Buffer> scratch_buffers(const Program& program) {
  std::vector<Buffer> made;
  std::ranges::copy_if(program.buffers, std::back_inserter(made),
                       [](const Buffer& b) { return b.memory == Memory::scratch; });
  return made;
}

bool has_stages(const Program& program) {
  return !program.then.empty() || std::ranges::find(program.buffers, Memory::scratch,
                                                    &Buffer::memory) != program.buffers.end();
}

std::vector<Program> stages(const Program& program) {
  if (!has_stages(program)) return {program};
  std::vector<Program> made;
  Program first = program;
  first.then.clear();
  made.push_back(first);
  for (const Stage& stage : program.then) {
    made.push_back(first);
    made.back().grid = stage.grid;
    made.back().workgroup = stage.workgroup;
    made.back().body = stage.body;
  }
  for (Program& one : made) one.buffers = buffers_of_stage(program, one.body);
  return made;
}

}  // namespace vyre::ir
