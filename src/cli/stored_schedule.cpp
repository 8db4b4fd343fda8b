#include "cli/stored_schedule.h"

#include <fmt/format.h>

#include "schedule/schedule_space.h"
#include "tune/decide.h"

namespace vyre::cli {
namespace {

// The short form of a decision is a workgroup, whether or not the family has it.
std::string schedule_text(const tune::Family& family, const ir::Program& program,
                          const tune::Decided& decided) {
  const store::Decision& decision = *decided.decision;
  if (decision.evidence) {
    return decided.member == family.baseline ? "" : tune::changed_text(family, decided.member);
  }
  if (decision.workgroup == program.workgroup) return {};
  return schedule::workgroup_text(decision.workgroup);
}

}  // namespace

Result<StoredSchedule> stored_schedule(store::Store& store, const ir::Program& program,
                                       const ir::Uniforms& uniforms, const device::Limits& limits) {
  VYRE_TRY(const auto family, tune::family_of(program, uniforms, limits));
  VYRE_TRY(auto decided, tune::decide(family, {}, {.mode = tune::Mode::stored, .store = &store}));
  if (!decided.decision) {
    for (const std::string& note : decided.notes) return fail(ErrorKind::input, note);
    return fail(ErrorKind::input,
                fmt::format("nothing is stored for program {}: `vyre tune` decides, with the same "
                            "sizes and on the same device",
                            program.name));
  }
  return StoredSchedule{.text = schedule_text(family, program, decided),
                        .origin = std::string(to_string(decided.origin)),
                        .notes = std::move(decided.notes)};
}

}  // namespace vyre::cli
