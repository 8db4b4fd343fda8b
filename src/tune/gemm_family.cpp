#include "tune/gemm_family.h"

#include <array>
#include <memory>

#include "primitives/gemm_programs.h"

namespace vyre::tune {
namespace {

constexpr std::array<std::uint32_t, 6> depths = {128, 192, 256, 384, 512, 1024};
constexpr std::array<std::uint32_t, 5> panel_counts = {1, 2, 4, 8, 16};

template <std::size_t N>
space::Parameter gemm_parameter(const char* name, const std::array<std::uint32_t, N>& values) {
  space::Parameter made{name, {}};
  for (const std::uint32_t value : values) made.values.emplace_back(std::int64_t{value});
  return made;
}

Result<ir::Program> multiply_program(primitives::GemmOptions options,
                                     const primitives::GemmSchedule& schedule) {
  options.schedule = schedule;
  options.schedule.layout = primitives::GemmLayout::packed;
  VYRE_TRY(auto programs, gemm_programs(options));
  return std::move(programs.back());
}

Result<Family> packed_family(const primitives::GemmOptions& options) {
  std::vector<space::Digit> rows;
  auto members = std::make_shared<std::vector<primitives::GemmSchedule>>();
  space::Index baseline = 0;
  const primitives::GemmSchedule usual;
  for (std::size_t d = 0; d < depths.size(); ++d) {
    for (std::size_t r = 0; r < panel_counts.size(); ++r) {
      for (std::size_t c = 0; c < panel_counts.size(); ++c) {
        if (depths[d] == usual.depth && panel_counts[r] == usual.row_panels &&
            panel_counts[c] == usual.column_panels) {
          baseline = static_cast<space::Index>(members->size());
        }
        for (const std::size_t digit : {d, r, c}) rows.push_back(static_cast<space::Digit>(digit));
        members->push_back(
            {.depth = depths[d], .row_panels = panel_counts[r], .column_panels = panel_counts[c]});
      }
    }
  }
  VYRE_TRY(auto space, space::Space::of({gemm_parameter("depth", depths),
                                         gemm_parameter("row_panels", panel_counts),
                                         gemm_parameter("column_panels", panel_counts)},
                                        rows));
  return family_of(
      {.name = "gemm",
       .space = std::move(space),
       .baseline = baseline,
       .member = [options, members](
                     space::Index index) { return multiply_program(options, (*members)[index]); },
       .tolerance = trial::Tolerance{.absolute = 1e-5, .relative = 1e-4},
       .scratch = {}},
      {});
}

Result<Family> tiled_family(primitives::GemmOptions options, const device::Limits& limits) {
  options.schedule = {.layout = primitives::GemmLayout::tiled};
  VYRE_TRY(const auto programs, gemm_programs(options));
  return family_of(programs.back(), {}, limits);
}

}  // namespace

Result<Family> gemm_family(const primitives::GemmOptions& options, const device::Adapter& adapter) {
  const bool packs = primitives::automatic_layout(adapter) == primitives::GemmLayout::packed;
  return packs ? packed_family(options) : tiled_family(options, adapter.limits);
}

}  // namespace vyre::tune
