// Reads files in the T1 format and enumerates what they define, for tools/attack: no command of the
// tool does. Ends with 0 if each was read or refused.
#include <fmt/format.h>

#include <span>

#include "formats/t1.h"
#include "vyre/space/enumerate.h"

int main(int argc, char** argv) {
  for (const char* path : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    const auto definition = vyre::formats::read_t1(path);
    if (!definition) {
      fmt::print("{}: {}\n", path, to_string(definition.error()));
      continue;
    }
    const auto made = vyre::space::enumerate(*definition);
    fmt::print("{}: {}\n", path,
               made ? fmt::format("{} configurations", made->space.size()) : made.error().message);
  }
  return 0;
}
