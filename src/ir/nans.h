// Which floats can be a nan. Of a number and a nan, `min` and `max` give the number, so a running
// minimum that begins with a number always is one; what arithmetic computes may be a nan, also of
// numbers (0 / 0, inf - inf).
#pragma once

#include <cstdint>
#include <string>

#include "ir/names.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

enum class Loaded : std::uint8_t { may_be_nan, numbers };  // what buffers hold but private ones

class Nans {
 public:
  // Requires: unique names, one stage.
  Nans(const Program& program, Loaded loaded);

  // Of an expression of the program; false where it is no float.
  [[nodiscard]] bool may_be(const Expr& expr) const;

 private:
  [[nodiscard]] bool add_doubtful(const Block& body);

  Loaded loaded_;
  NameSet private_;
  NameSet doubtful_;  // values and private buffers that may be a nan
};

}  // namespace vyre::ir
