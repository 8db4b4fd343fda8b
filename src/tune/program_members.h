// Members of a family that are programs of vyre's: emitted as candidates, compiled as executables.
#pragma once

#include <optional>
#include <vector>

#include "tune/family.h"

namespace vyre::tune {

class ProgramMembers final : public Members {
 public:
  ProgramMembers(Programs programs, ir::Program baseline)
      : programs_(std::move(programs)), baseline_(std::move(baseline)) {}

  [[nodiscard]] Result<trial::Candidate> candidate(space::Index index, const Workload& workload,
                                                   Language language) const override;
  [[nodiscard]] Result<Extent> workgroup(space::Index index) const override;
  [[nodiscard]] Result<trial::Reference> reference(
      const Workload& workload, trial::Reference::Options options) const override;
  [[nodiscard]] Result<run::Executable> load(device::Device& device, space::Index index,
                                             const ir::Uniforms& uniforms) const override;
  [[nodiscard]] Result<run::Executable> load(device::Device& device, const Extent& workgroup,
                                             const ir::Uniforms& uniforms) const override;
  [[nodiscard]] std::vector<Access> accesses() const override;
  [[nodiscard]] const ir::Program& baseline() const override { return baseline_; }

 private:
  Programs programs_;
  ir::Program baseline_;
};

}  // namespace vyre::tune
