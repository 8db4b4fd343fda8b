// Programs as text for tests, and short ways to parse them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::testing {

// The program; throws, which fails the test, with the problems listed if the text is not valid.
ir::Program parsed(std::string_view text);

// The problems of a text; throws if there are none.
Problems problems_of(std::string_view text);

// One problem per line.
std::string listed(const Problems& problems);
std::string listed(const Error& error);

// A program around these statements: buffers u (u32), s (i32), y (f32), d (f64), b (bool) and v
// (f32, read only) of 64 elements each, a uniform n = 64, a shared f32 buffer tile, one workgroup
// of 64. The statements start in line 11, column 1.
std::string in_body(std::string_view statements);

// Named programs that together use every construct of the language.
std::vector<std::pair<std::string, std::string>> sample_programs();

}  // namespace vyre::testing
