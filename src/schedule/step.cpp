#include "schedule/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "ir/grouping.h"
#include "ir/validate.h"
#include "ir/visit.h"
#include "vyre/ir/text.h"

namespace vyre::schedule {
namespace {

// What the statement itself does with the group, its blocks apart.
std::optional<std::string> use_of_group(const ir::Stmt& stmt) {
  if (ir::is<ir::Barrier>(stmt)) return "all of a workgroup wait here";
  std::optional<std::string> found;
  const auto test = [&](const ir::Expr& e) {
    if (ir::is_group_id(e)) found = fmt::format("it reads {}", print(e));
    return found.has_value();
  };
  (void)any_operand(stmt, [&](const ir::Expr& e) { return any_expr(e, test); });
  return found;
}

Result<void> check_declarations(const ir::Program& program, std::string_view what) {
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == ir::Memory::shared) {
      return refuse(what, fmt::format("'{}' is shared by a workgroup", buffer.name), buffer.place);
    }
    if (any_expr(buffer.count, ir::is_group_id)) {
      return refuse(what,
                    fmt::format("the size {} of '{}' depends on the workgroup", print(buffer.count),
                                buffer.name),
                    buffer.place);
    }
  }
  for (const ir::Expr& extent : program.grid) {
    if (any_expr(extent, ir::is_group_id)) {
      return refuse(what, fmt::format("the grid {} depends on the workgroup", print(extent)));
    }
  }
  return {};
}

}  // namespace

std::size_t statement_count(const ir::Block& block) {
  std::size_t count = 0;
  for_each_stmt(block, [&](const ir::Stmt&) { ++count; });
  return count;
}

Failure refuse(std::string_view what, std::string_view why, Place place) {
  return fail(ErrorKind::input, fmt::format("cannot {}: {}", what, why), place);
}

Failure refuse(std::string_view what, const ir::Stmt& stmt, std::string_view why) {
  return refuse(what, fmt::format("in `{}`, {}", print_head(stmt), why), stmt.place);
}

Result<void> check_one_stage(const ir::Program& program, std::string_view what) {
  if (!ir::has_stages(program)) return {};
  return refuse(what, "the program has stages or scratch memory of its own");
}

Result<void> check_independent(const ir::Program& program, std::string_view what) {
  if (auto fine = check_one_stage(program, what); !fine) return fine;
  if (auto fine = check_declarations(program, what); !fine) return fine;
  Result<void> fine;
  (void)any_stmt(program.body, [&](const ir::Stmt& stmt) {
    const auto use = use_of_group(stmt);
    if (use) fine = refuse(what, stmt, *use);
    return use.has_value();
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
