#include "support/random_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "support/programs.h"
#include "support/random_source.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace vyre::testing {
namespace {

// Where random programs have the place of each invocation in their results.
constexpr std::uint32_t of_each = 16;

struct Kept {
  std::string type;
  std::string name;
};

std::string scratch_text(const Kept& kept, std::uint32_t count) {
  return fmt::format("  scratch {}: {}[{}]\n", kept.name, kept.type, count);
}

// Each invocation reads what another kept, and changes its own results.
std::string crossing(const Kept& kept, std::uint32_t count, RandomSource& random) {
  constexpr std::array<std::uint32_t, 4> workgroups = {1, 3, 8, 64};
  const std::uint32_t shift = random.below(count);
  return fmt::format(
      "  then grid {0} workgroup {1} {{\n    let other = {2}[(invocation.x + {3}) % {0}]\n"
      "    out_{4}[invocation.x * {5}] = out_{4}[invocation.x * {5}] + other\n  }}\n",
      count, random.pick(workgroups), kept.name, shift, kept.type, of_each);
}

// One invocation reads what all kept, which others may have changed before.
std::string total(const Kept& kept, std::uint32_t count) {
  return fmt::format(
      "  then grid 1 workgroup 1 {{\n    var all = out_{1}[0]\n"
      "    for i in 0 .. {0} {{\n      all = all + {2}[i]\n    }}\n    out_{1}[0] = all\n  }}\n",
      count, kept.type, kept.name);
}

std::string changed(const Kept& kept, std::uint32_t count) {
  return fmt::format(
      "  then grid {0} workgroup 5 {{\n    {1}[invocation.x] = {1}[invocation.x] * {1}"
      "[invocation.x]\n  }}\n",
      count, kept.name);
}

void be_read(ir::Program& program, std::string_view name) {
  const auto buffer = std::ranges::find(program.buffers, name, &ir::Buffer::name);
  buffer->access = Access::read_write;
  buffer->nontemporal = false;
}

}  // namespace

Generated with_random_stages(Generated from, std::uint64_t seed) {
  RandomSource random(seed);
  const Shape shape = ir::launch_shape(from.program).value();
  const std::uint32_t count = shape.grid[0] * shape.grid[1] * shape.grid[2];
  constexpr std::array types = {"u32", "i32", "u64"};
  for (const char* type : types) be_read(from.program, fmt::format("out_{}", type));
  std::string text = ir::print(from.program);
  text.resize(text.rfind('}'));
  std::string declared;
  std::string stages;
  for (const char* type : types) {
    if (!random.one_in(2)) continue;
    const Kept kept{type, fmt::format("kept_{}", type)};
    declared += scratch_text(kept, count);
    text += fmt::format("  {}[me] = out_{}[me * {}]\n", kept.name, type, of_each);
    if (random.one_in(2)) stages += changed(kept, count);
    stages += random.one_in(2) ? crossing(kept, count, random) : total(kept, count);
  }
  text.insert(text.find("  grid "), declared);
  from.program = parsed(text + stages + "}\n");
  return from;
}

}  // namespace vyre::testing
