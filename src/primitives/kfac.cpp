#include "vyre/primitives/kfac.h"

#include "primitives/checks.h"
#include "primitives/kfac_program.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {

// On a CPU one block per lane is best while that is possible; above that, vectors along rows. A GPU
// wants many invocations on one block.
KfacSchedule automatic_schedule(const KfacOptions& options, const device::Adapter& adapter) {
  const std::uint64_t n = options.n;
  const std::uint64_t panels_bytes = (n + 16) * (n + 16 + 8) * sizeof(float);
  if (!adapter.is_cpu) return {.layout = KfacLayout::group};
  if (n <= max_registers_n) return {.layout = KfacLayout::registers};
  if (n <= max_interleaved_n) return {.layout = KfacLayout::interleaved};
  if (panels_bytes <= adapter.limits.shared_bytes) return {.layout = KfacLayout::panels};
  return {.layout = KfacLayout::item};
}

std::string_view name_of(KfacLayout layout) {
  switch (layout) {
    case KfacLayout::automatic:
      return "automatic";
    case KfacLayout::item:
      return "item";
    case KfacLayout::group:
      return "group";
    case KfacLayout::interleaved:
      return "interleaved";
    case KfacLayout::registers:
      return "registers";
    case KfacLayout::panels:
      return "panels";
  }
  return "unknown";
}

std::string_view name_of(BlockState state) {
  switch (state) {
    case BlockState::good:
      return "good";
    case BlockState::indefinite:
      return "indefinite";
    case BlockState::asymmetric:
      return "asymmetric";
    case BlockState::ill_conditioned:
      return "ill-conditioned";
    case BlockState::singular:
      return "singular";
    case BlockState::not_finite:
      return "not finite";
  }
  return "unknown";
}

Result<KfacBlockInverse> KfacBlockInverse::make(device::Device& device,
                                                const KfacOptions& options) {
  KfacOptions chosen = options;
  const auto is_open = [&] { return chosen.schedule.layout == KfacLayout::automatic; };
  if (is_open() && options.decisions != nullptr) {
    chosen = options.decisions->decided(options, device.adapter());
  }
  if (is_open()) chosen.schedule = automatic_schedule(options, device.adapter());
  auto program = kfac_block_inverse_program(chosen);
  if (!program) return Unexpected(program.error());
  auto pipeline = Pipeline::make(device, std::span(&*program, 1));
  if (!pipeline) return Unexpected(pipeline.error());
  KfacBlockInverse made(*std::move(pipeline));
  made.schedule_ = chosen.schedule;
  made.states_.resize(options.num_blocks);
  made.conditions_.resize(options.num_blocks);
  return made;
}

Result<void> KfacBlockInverse::read_reports() {
  if (auto done = pipeline_.array("state").read(std::span(states_)); !done) return done;
  if (auto done = pipeline_.array("condition").read(std::span(conditions_)); !done) return done;
  reports_.clear();
  for (std::uint32_t b = 0; b < states_.size(); ++b) {
    const auto state = static_cast<BlockState>(states_[b]);
    if (state != BlockState::good) reports_.push_back({b, state, conditions_[b]});
  }
  return {};
}

Result<void> KfacBlockInverse::operator()(std::span<const float> in, std::span<float> out) {
  for (const auto& [array, given] :
       {std::pair(&blocks_in(), in.size()), std::pair(&blocks_out(), out.size())}) {
    auto good = check_length(kfac_name, array->name(), given, array->count());
    if (!good) return good;
  }
  if (auto done = blocks_in().write(in); !done) return done;
  if (auto done = launch(); !done) return done;
  if (auto done = blocks_out().read(out); !done) return done;
  return read_reports();
}

}  // namespace vyre::primitives
