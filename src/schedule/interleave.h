// Vectors of memory for records: accesses whose items are two, three or four elements apart, such
// as the real and the imaginary parts of complex numbers; or eight or sixteen, if all of those are
// accessed. Four of which all are, and those, are shuffled: schedule/long_records.h.
//
//   re = z[2 * i]                    lo = z[2 * i : 4]   hi = z[2 * i + 4 : 4]
//   im = z[2 * i + 1]                re = [lo.0, lo.2, hi.0, hi.2]   im = [lo.1, lo.3, hi.1, hi.3]
//
//   out[2 * i] = a                   out[2 * i : 4] = [a.0, b.0, a.1, b.1]
//   out[2 * i + 1] = b               out[2 * i + 4 : 4] = [a.2, b.2, a.3, b.3]
//
// Loads touch what lies between the elements, so they are only of buffers that the program declares
// as read: nobody writes those. Stores must be all of a record's, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/names.h"
#include "schedule/lanes.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// Such loads inside expressions get names, which `picked_load` can then hold in vectors. Requires:
// unique names.
[[nodiscard]] ir::Block with_named_loads(const ir::Block& body, const Lanes::Options& options,
                                         ir::Names& names);

// Records all parts of which are loaded, and the vectors that hold them.
struct Record {
  std::vector<ir::Expr> loads;
  std::vector<std::uint32_t> places;  // of each load in the record
  std::vector<ir::Expr> pieces;
  std::vector<ir::Expr> parts = {};  // of a long one
};
// Loads the records of all items into `into`, if the first statements name all parts of one.
[[nodiscard]] std::optional<Record> loaded_record(std::span<const ir::Stmt> stmts,
                                                  const Lanes& lanes, ir::Names& names,
                                                  ir::Block& into);

// What all items load, as a vector of what the record holds, or of pieces that are loaded in
// `into`; nothing where the load is not such a one.
[[nodiscard]] std::optional<ir::Expr> picked_load(const ir::Expr& load,
                                                  const std::optional<Record>& record,
                                                  const Lanes& lanes, ir::Names& names,
                                                  ir::Block& into);

// Puts the stores of all items into `into`, if the first statements store the parts of a record.
// How many they are; 0 where they do not.
[[nodiscard]] std::size_t interleaved_stores(std::span<const ir::Stmt> stmts, const Lanes& lanes,
                                             ir::Names& names, ir::Block& into);

}  // namespace vyre::schedule
