// Counted loops: how often they run, and where the last of several iterations at a time ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

[[nodiscard]] bool has_loop(const ir::Block& block);

// How often a loop with literal bounds runs, if its variable does not wrap.
[[nodiscard]] std::optional<std::uint64_t> trips(const ir::For& loop);

// Where the last whole turn ends, if a turn covers this much of the way from begin to end: begin
// plus the greatest multiple of `turn` that does not lead beyond the end; begin if that is not
// before the end.
[[nodiscard]] ir::Expr end_of_turns(const ir::Expr& begin, const ir::Expr& end, std::uint32_t turn);

// A name for the value, declared in `into`, so that it is evaluated once; a literal stays.
[[nodiscard]] ir::Expr named(const ir::Expr& value, const std::string& like, ir::Names& names,
                             ir::Block& into);

}  // namespace vyre::schedule
