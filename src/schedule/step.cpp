#include "schedule/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "ir/validate.h"
#include "schedule/rewrite.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

bool sees_group(const ir::Expr& expr) {
  const auto* id = get_if<ir::Id>(expr);
  return id != nullptr && id->kind != ir::IdKind::invocation && id->kind != ir::IdKind::grid;
}

// What the statement itself does with the group, its blocks apart.
std::optional<std::string> use_of_group(const ir::Stmt& stmt) {
  if (std::holds_alternative<ir::Barrier>(stmt.node)) return "all of a workgroup wait here";
  std::optional<std::string> found;
  for (const ir::Expr& operand : operands(stmt)) {
    (void)any_of(operand, [&](const ir::Expr& e) {
      if (sees_group(e)) found = fmt::format("it reads {}", print(e));
      return found.has_value();
    });
  }
  return found;
}

Result<void> check_declarations(const ir::Program& program, std::string_view what) {
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == ir::Memory::shared) {
      return refuse(what, fmt::format("'{}' is shared by a workgroup", buffer.name), buffer.place);
    }
    if (any_of(buffer.count, sees_group)) {
      return refuse(what,
                    fmt::format("the size {} of '{}' depends on the workgroup", print(buffer.count),
                                buffer.name),
                    buffer.place);
    }
  }
  for (const ir::Expr& extent : program.grid) {
    if (any_of(extent, sees_group)) {
      return refuse(what, fmt::format("the grid {} depends on the workgroup", print(extent)));
    }
  }
  return {};
}

}  // namespace

std::size_t statement_count(const ir::Block& block) {
  std::size_t count = 0;
  for_each(block, [&](const ir::Stmt&) { ++count; });
  return count;
}

std::unexpected<Error> refuse(std::string_view what, std::string_view why, Place place) {
  return fail(ErrorKind::input, fmt::format("cannot {}: {}", what, why), place);
}

std::unexpected<Error> refuse(std::string_view what, const ir::Stmt& stmt, std::string_view why) {
  return refuse(what, fmt::format("in `{}`, {}", print_head(stmt), why), stmt.place);
}

Result<void> check_independent(const ir::Program& program, std::string_view what) {
  if (auto fine = check_declarations(program, what); !fine) return fine;
  Result<void> fine;
  for_each(program.body, [&](const ir::Stmt& stmt) {
    const auto use = fine ? use_of_group(stmt) : std::nullopt;
    if (use) fine = refuse(what, stmt, *use);
  });
  return fine;
}

Result<ir::Program> finished(ir::Program program, std::string_view what) {
  if (const std::size_t count = statement_count(program.body); count > max_statements) {
    return refuse(what, fmt::format("the body would have {} statements, more than {}", count,
                                    max_statements));
  }
  if (const Problems problems = validate(program); !problems.empty()) {
    return refuse(what, problems.front().message, problems.front().place);
  }
  return program;
}

}  // namespace vyre::schedule
