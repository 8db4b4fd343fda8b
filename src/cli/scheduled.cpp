#include "cli/scheduled.h"

#include <fmt/format.h>

#include "vyre/schedule/schedule.h"

namespace vyre::cli {
namespace {

Result<ir::Program> applied(const ir::Program& program, const std::string& text) {
  VYRE_TRY(const auto schedule,
           schedule::parse_schedule(text, schedule::default_schedule(program)));
  return schedule::apply(program, schedule);
}

}  // namespace

Result<ir::Program> scheduled(const ir::Program& program, const std::string& text) {
  if (text.empty()) return program;
  auto made = applied(program, text);
  if (made) return made;
  const Error& error = made.error();
  return fail(error.kind, fmt::format("--schedule \"{}\": {}", text, error.message), error.place);
}

}  // namespace vyre::cli
