// A text of several programs, one after the other, cut into one text per program.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vyre::device {

struct ProgramText {
  std::string_view text;
  std::uint32_t first_line = 1;  // of this text in the whole
};

// Cuts after every closing brace that ends a program. What is not a program stays in its piece, for
// the parser to report.
[[nodiscard]] std::vector<ProgramText> program_texts(std::string_view source);

}  // namespace vyre::device
