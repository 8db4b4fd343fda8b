// What all steps have in common: when the workgroup stands in their way, and how they end.
#pragma once

#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// More statements than this is no program that a compiler should be given.
inline constexpr std::size_t max_statements = 4096;

[[nodiscard]] std::size_t statement_count(const ir::Block& block);

// "cannot <what>: <why>", in the place of a statement, which is quoted.
[[nodiscard]] std::unexpected<Error> refuse(std::string_view what, std::string_view why,
                                            Place place = {});
[[nodiscard]] std::unexpected<Error> refuse(std::string_view what, const ir::Stmt& stmt,
                                            std::string_view why);

// Refuses a program whose result can depend on how invocations are grouped: barriers, shared
// memory, local and group ids, sizes that name the workgroup. Where it does not, invocations are
// independent of each other: they share no element that one of them writes, but by atomic adds,
// which commute. Then any order and any interleaving of them gives the same result.
[[nodiscard]] Result<void> check_independent(const ir::Program& program, std::string_view what);

// The program, if it is valid and not too long.
[[nodiscard]] Result<ir::Program> finished(ir::Program program, std::string_view what);

}  // namespace vyre::schedule
