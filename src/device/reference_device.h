// The device kind `reference`: vyre's own text, run by the interpreter.
//
// It agrees with the definition of the IR because it is the definition. What a program must not do
// comes back as an error of kind `run`.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "vyre/device/device.h"

namespace vyre::device {

[[nodiscard]] Adapter reference_adapter();
[[nodiscard]] std::unique_ptr<Device> open_reference();

// One program of a source that holds several, one after the other.
struct ProgramText {
  std::string_view text;
  std::uint32_t first_line = 1;  // of this text in the whole
};

// Cuts after every closing brace that ends a program. What is not a program stays in its piece, for
// the parser to report.
[[nodiscard]] std::vector<ProgramText> program_texts(std::string_view source);

}  // namespace vyre::device
