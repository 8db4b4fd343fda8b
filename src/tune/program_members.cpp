#include "tune/program_members.h"

#include <utility>

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

Result<trial::Reference> ProgramMembers::reference(const Workload& workload,
                                                   trial::Reference::Options options) const {
  if (!options.tolerance) options.tolerance = programs_.tolerance;
  options.scratch = programs_.scratch;
  const auto data =
      programs_.data ? programs_.data(programs_.baseline, workload) : MemberData{workload.buffers};
  return trial::Reference::make({baseline_, workload.uniforms}, data.buffers, options);
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
