#include "tune/program_members.h"

#include <algorithm>
#include <utility>

#include "ir/facts.h"
#include "run/sizes.h"
#include "schedule/workgroup.h"

namespace vyre::tune {

Result<trial::Candidate> ProgramMembers::candidate(space::Index index, const Workload& workload,
                                                   Language language) const {
  auto program = programs_.member(index);
  if (!program) return Unexpected(program.error());
  auto data = programs_.data ? programs_.data(index, workload) : MemberData{workload.buffers};
  auto made = trial::candidate({*std::move(program), workload.uniforms}, data.buffers, language,
                               {.expect = false, .canaries = false});
  if (!made) return made;
  made->name = programs_.space.key(index);
  made->expected = std::move(data.expected);
  return made;
}

Result<Extent> ProgramMembers::workgroup(space::Index index) const {
  const auto program = programs_.member(index);
  if (!program) return Unexpected(program.error());
  return program->workgroup;
}

Result<std::vector<trial::Expected>> ProgramMembers::interpreted(const Workload& workload) const {
  auto all =
      trial::interpreted({baseline_, workload.uniforms}, workload.buffers, programs_.tolerance);
  if (!all) return all;
  return without_scratch(*std::move(all));
}

std::vector<trial::Expected> ProgramMembers::expected(worker::Output output) const {
  std::vector<trial::Expected> all;
  const auto declared = run::global_buffers(baseline_);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::read) continue;
    all.push_back({.argument = i,
                   .buffer = declared[i].name,
                   .element = declared[i].element,
                   .content = worker::data(std::move(output.buffers[i].bytes)),
                   .tolerance = programs_.tolerance});
  }
  return without_scratch(std::move(all));
}

std::vector<trial::Expected> ProgramMembers::without_scratch(
    std::vector<trial::Expected> all) const {
  std::erase_if(all, [&](const trial::Expected& one) {
    return std::ranges::find(programs_.scratch, one.buffer) != programs_.scratch.end();
  });
  return all;
}

std::optional<std::uint64_t> ProgramMembers::operations(const ir::Uniforms& uniforms) const {
  const auto facts = ir::facts(baseline_, uniforms);
  if (!facts) return std::nullopt;
  return facts->integer_ops + facts->float_ops + facts->special_ops + facts->comparisons +
         facts->loads + facts->stores;
}

Result<run::Executable> ProgramMembers::load(device::Device& device, space::Index index,
                                             const ir::Uniforms& uniforms) const {
  auto program = programs_.member(index);
  if (!program) return Unexpected(program.error());
  return run::compile(device, {*std::move(program), uniforms});
}

Result<run::Executable> ProgramMembers::load(device::Device& device, const Extent& workgroup,
                                             const ir::Uniforms& uniforms) const {
  auto program = schedule::with_workgroup(baseline_, workgroup);
  if (!program) return Unexpected(program.error());
  return run::compile(device, {*std::move(program), uniforms});
}

std::vector<Access> ProgramMembers::accesses() const {
  std::vector<Access> all;
  for (const ir::Buffer& buffer : run::global_buffers(baseline_)) all.push_back(buffer.access);
  return all;
}

}  // namespace vyre::tune
