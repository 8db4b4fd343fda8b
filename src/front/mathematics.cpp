// Products and inverses of matrices as chains.
#include "vyre/front/mathematics.h"

#include <utility>

#include "base/memory.h"
#include "front/chain_state.h"
#include "front/mathematics_chains.h"
#include "primitives/gemm_programs.h"
#include "primitives/kfac_program.h"
#include "tune/gemm_family.h"
#include "tune/kfac_family.h"

namespace vyre {
namespace detail {

Result<std::shared_ptr<ChainState>> gemm_chain(std::shared_ptr<ContextState> context,
                                               const GemmSizes& sizes) {
  primitives::GemmOptions options{
      .m = sizes.m, .n = sizes.n, .k = sizes.k, .alpha = sizes.alpha, .beta = sizes.beta};
  const device::Adapter& adapter = context->device().adapter();
  options.schedule.layout = primitives::automatic_layout(adapter);
  VYRE_TRY(auto programs, gemm_programs(options));
  std::vector<ChainLink> links;
  for (ir::Program& program : programs) links.push_back({.program = std::move(program)});
  VYRE_TRY(links.back().family, tune::gemm_family(options, adapter));
  return ChainState::make(
      std::move(context), "gemm", std::move(links),
      {{"a"}, {"b"}, {"c", sizes.beta == 0 ? Access::write : Access::read_write}});
}

Result<std::shared_ptr<ChainState>> inverse_chain(std::shared_ptr<ContextState> context,
                                                  const InverseSizes& sizes) {
  primitives::KfacOptions options{
      .num_blocks = sizes.blocks, .n = sizes.n, .damping = sizes.damping};
  VYRE_TRY(auto family, tune::kfac_family(options, context->device().adapter()));
  options.schedule.layout = primitives::KfacLayout::item;
  VYRE_TRY(auto program, primitives::kfac_block_inverse_program(options));
  std::vector<ChainLink> links;
  links.push_back({.program = std::move(program), .family = std::move(family)});
  return ChainState::make(std::move(context), "batched inverse", std::move(links),
                          {{"blocks_in"}, {"blocks_out", Access::write}});
}

}  // namespace detail

Result<std::vector<BlockReport>> BatchedInverse<float>::reports() const {
  if (state() == nullptr) return fail(ErrorKind::input, detail::never_made("inverse"));
  return within_memory([&]() -> Result<std::vector<BlockReport>> {
    const Array<const std::uint32_t> states(detail::AnyArray(state()->own("state")));
    const Array<const float> conditions(detail::AnyArray(state()->own("condition")));
    VYRE_TRY(const auto state_of, states.to_host());
    VYRE_TRY(const auto condition_of, conditions.to_host());
    std::vector<BlockReport> reports;
    for (std::uint32_t b = 0; b < state_of.size(); ++b) {
      const auto found = static_cast<BlockState>(state_of[b]);
      if (found != BlockState::good) reports.push_back({b, found, condition_of[b]});
    }
    return reports;
  });
}

}  // namespace vyre
