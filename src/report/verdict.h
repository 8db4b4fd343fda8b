// What the tuning of one kernel came to, in words: a number alone would claim more than was found.
#pragma once

#include <string_view>

#include "report/run.h"

namespace vyre::report {

enum class Verdict { faster, tied, default_won, slower, no_default, no_race, nothing };
[[nodiscard]] Verdict verdict_of(const Run& run);

// For a cell of a table, and in full. Both empty for `faster`: there the numbers say it.
[[nodiscard]] std::string_view words_of(Verdict verdict);
[[nodiscard]] std::string_view sentence_of(Verdict verdict);

}  // namespace vyre::report
