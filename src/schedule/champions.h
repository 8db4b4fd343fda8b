// What a loop looks for: the best value, and what goes with it, such as its place.
//
//   if x[i] > best { best = x[i]  at = i }
//
// where nothing else in the loop reads `best` or `at`. Several iterations may look at once, each
// with a best of its own; of equals the first counts (with >= and <= the last), so each also keeps
// the number of its iteration. The result has the same bits, also of floats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

struct Champion {
  ir::Var best;
  ir::BinaryOp op = ir::BinaryOp::gt;  // `value op best` makes it the best: gt, ge, lt or le
  ir::Var place;                       // the iteration, a name that is free
  std::vector<ir::Var> followers;
};

struct Contest {
  ir::For loop;                     // as it was, but that it also assigns the places
  ir::Block rest;                   // its body without what looks for champions
  std::vector<Champion> champions;  // perhaps none
};
[[nodiscard]] Contest contest_of(const ir::For& loop, ir::Names& names);

// What the place is before there is one.
[[nodiscard]] ir::Expr no_place(const Champion& champion);
// All that is carried from iteration to iteration: the best, the place, the followers.
[[nodiscard]] std::vector<ir::Var> carried(const Champion& champion);

// Puts into `into` what makes the best of all parts and lanes the champion. `parts` has the names
// of vectors of `width` lanes, in the order of `carried`.
void crown(const Champion& champion, std::span<const std::vector<std::string>> parts,
           std::uint32_t width, ir::Names& names, ir::Block& into);

}  // namespace vyre::schedule
