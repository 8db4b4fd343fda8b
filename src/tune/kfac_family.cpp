#include "tune/kfac_family.h"

#include <array>
#include <cstring>
#include <memory>
#include <random>

#include "primitives/kfac_program.h"
#include "run/sizes.h"

namespace vyre::tune {
namespace {

struct KfacMember {
  primitives::KfacLayout layout;
  std::uint32_t lanes;
};

Result<ir::Program> kfac_member(primitives::KfacOptions options, const KfacMember& member) {
  options.schedule = {member.layout, member.lanes};
  return primitives::kfac_block_inverse_program(options);
}

std::vector<float> definite_blocks(std::uint32_t count, std::uint32_t n) {
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<float> blocks(std::size_t{count} * n * n);
  for (std::size_t b = 0; b < count; ++b) {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        const float value = i == j ? 2.0F * static_cast<float>(n) : any(random);
        blocks[(b * n + i) * n + j] = blocks[(b * n + j) * n + i] = value;
      }
    }
  }
  return blocks;
}

}  // namespace

Result<Family> kfac_family(const primitives::KfacOptions& options) {
  using primitives::KfacLayout;
  space::Parameter layout{"layout", {}};
  space::Parameter lanes{"lanes", {}};
  auto members = std::make_shared<std::vector<KfacMember>>();
  std::vector<space::Digit> rows;
  constexpr std::array<std::uint32_t, 4> counts = {2, 4, 8, 16};
  constexpr std::size_t usual = 2;
  for (const std::uint32_t count : counts) lanes.values.emplace_back(std::int64_t{count});
  for (const KfacLayout kind : {KfacLayout::item, KfacLayout::group, KfacLayout::interleaved,
                                KfacLayout::registers, KfacLayout::panels}) {
    layout.values.emplace_back(std::string(name_of(kind)));
    const bool has_lanes = kind == KfacLayout::interleaved || kind == KfacLayout::registers;
    for (std::size_t i = has_lanes ? 0 : usual; i < (has_lanes ? counts.size() : usual + 1); ++i) {
      const KfacMember member{kind, counts[i]};
      if (!kfac_member(options, member)) break;  // not for blocks of this size
      members->push_back(member);
      rows.push_back(static_cast<space::Digit>(layout.values.size() - 1));
      rows.push_back(static_cast<space::Digit>(i));
    }
  }
  // The baseline is the first: a block to each invocation.
  if (members->empty() || (*members)[0].layout != KfacLayout::item) {
    return Unexpected(kfac_member(options, {KfacLayout::item, 8}).error());
  }
  auto space = space::Space::of({layout, lanes}, rows);
  if (!space) return Unexpected(space.error());
  return family_of(
      {.name = "kfac_block_inverse",
       .space = *std::move(space),
       .baseline = 0,
       .member = [options,
                  members](space::Index index) { return kfac_member(options, (*members)[index]); },
       .tolerance = trial::Tolerance{.absolute = 1e-5, .relative = 1e-4},
       .scratch = {"scratch", "condition"}},
      {});
}

Result<Family> kfac_family(const primitives::KfacOptions& options, const device::Adapter& adapter) {
  VYRE_TRY(auto family, kfac_family(options));
  const auto usual = primitives::automatic_schedule(options, adapter);
  const std::vector<space::Value> values = {std::string(name_of(usual.layout)),
                                            std::int64_t{usual.lanes}};
  family.usual = family.space.find(values);
  return family;
}

Result<Workload> kfac_workload(const primitives::KfacOptions& options) {
  const auto program = kfac_member(options, {primitives::KfacLayout::item, 8});
  if (!program) return Unexpected(program.error());
  Workload workload;
  for (const ir::Buffer& buffer : run::global_buffers(*program)) {
    const auto size = run::bytes_of(*program, buffer, {});
    if (!size) return Unexpected(size.error());
    std::vector<std::byte> bytes(*size);
    if (buffer.name == "blocks_in") {
      const auto blocks = definite_blocks(options.num_blocks, options.n);
      std::memcpy(bytes.data(), blocks.data(), bytes.size());
    }
    workload.buffers.push_back(worker::data(std::move(bytes)));
  }
  return workload;
}

}  // namespace vyre::tune
