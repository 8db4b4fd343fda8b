#include "schedule/private_arrays.h"

#include <fmt/format.h>

#include <optional>

#include "ir/names.h"
#include "ir/visit.h"
#include "schedule/step.h"
#include "vyre/ir/size.h"

namespace vyre::schedule {
namespace {

using ir::Buffer;
using ir::Expr;
using ir::Stmt;

ir::NameSet added_to(const ir::Block& body) {
  ir::NameSet names;
  for_each_stmt(body, [&](const Stmt& stmt) {
    if (const auto* add = ir::as<ir::AtomicAdd>(stmt)) names.insert(add->buffer);
  });
  return names;
}

// What the statement itself does with the buffer other than to add to it; empty: nothing.
std::string other_use(const Stmt& stmt, const std::string& buffer) {
  const auto* store = ir::as<ir::Store>(stmt);
  if (store != nullptr && store->buffer == buffer) return fmt::format("it stores to '{}'", buffer);
  const auto reads = [&](const Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    return load != nullptr && load->buffer == buffer;
  };
  const bool any = any_operand(stmt, [&](const Expr& e) { return any_expr(e, reads); });
  return any ? fmt::format("it reads '{}'", buffer) : "";
}

Result<void> check_small(const ir::Program& program, const Buffer& buffer, std::uint32_t most,
                         std::string_view what) {
  const auto count = ir::evaluate_size(program, buffer.count);
  if (!count) return Unexpected(count.error());
  if (*count <= most) return {};
  return refuse(
      what,
      fmt::format("'{}' has {} elements, and a copy has at most {}", buffer.name, *count, most),
      buffer.place);
}

}  // namespace

Result<void> check_only_added_to(const ir::Program& program, const Buffer& buffer,
                                 std::string_view what) {
  Result<void> fine;
  (void)any_stmt(program.body, [&](const Stmt& stmt) {
    const std::string use = other_use(stmt, buffer.name);
    if (!use.empty()) fine = refuse(what, stmt, use + ", to which others add");
    return !use.empty();
  });
  return fine;
}

Result<std::vector<Buffer>> private_arrays(const ir::Program& program, std::string_view what,
                                           std::uint32_t most) {
  const ir::NameSet added = added_to(program.body);
  if (added.empty()) return refuse(what, "nothing is added by atomics");
  std::vector<Buffer> found;
  std::optional<Error> reason;
  for (const Buffer& buffer : program.buffers) {
    if (!added.contains(buffer.name)) continue;
    auto fine = check_only_added_to(program, buffer, what);
    if (fine) fine = check_small(program, buffer, most, what);
    if (fine) found.push_back(buffer);
    if (!fine && !reason) reason = fine.error();
  }
  if (found.empty()) return Unexpected(*reason);
  return found;
}

}  // namespace vyre::schedule
