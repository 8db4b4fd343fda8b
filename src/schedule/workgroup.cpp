#include "schedule/workgroup.h"

#include <fmt/format.h>

#include "schedule/step.h"

namespace vyre::schedule {

Result<ir::Program> with_workgroup(const ir::Program& program, Extent workgroup) {
  const std::string what = fmt::format("set the workgroup to {}", fmt::join(workgroup, " x "));
  if (workgroup == program.workgroup) return program;
  if (auto fine = check_independent(program, what); !fine) return std::unexpected(fine.error());
  ir::Program made = program;
  made.workgroup = workgroup;
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
