#include "vyre/primitives/gemm.h"

#include "primitives/checks.h"
#include "primitives/gemm_programs.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {

std::string_view name_of(GemmLayout layout) {
  switch (layout) {
    case GemmLayout::automatic:
      return "automatic";
    case GemmLayout::plain:
      return "plain";
    case GemmLayout::tiled:
      return "tiled";
    case GemmLayout::packed:
      return "packed";
  }
  return "unknown";
}

GemmLayout automatic_layout(const device::Adapter& adapter) {
  return adapter.is_cpu ? GemmLayout::packed : GemmLayout::tiled;
}

Result<Gemm> Gemm::make(device::Device& device, const GemmOptions& options) {
  GemmOptions chosen = options;
  const auto is_open = [&] { return chosen.schedule.layout == GemmLayout::automatic; };
  if (is_open() && options.decisions != nullptr) {
    chosen = options.decisions->decided(options, device.adapter());
  }
  if (is_open()) chosen.schedule.layout = automatic_layout(device.adapter());
  const auto programs = gemm_programs(chosen);
  if (!programs) return Unexpected(programs.error());
  auto pipeline = Pipeline::make(device, *programs);
  if (!pipeline) return Unexpected(pipeline.error());
  return Gemm(*std::move(pipeline), std::move(chosen.schedule), options.beta != 0);
}

Result<void> Gemm::pack_a() { return packs() ? pipeline_.stage(0).launch() : Result<void>(); }
Result<void> Gemm::pack_b() { return packs() ? pipeline_.stage(1).launch() : Result<void>(); }
Result<void> Gemm::multiply() { return pipeline_.stage(packs() ? 2 : 0).launch(); }
Result<void> Gemm::launch() { return pipeline_.launch(); }

Result<void> Gemm::operator()(std::span<const float> a, std::span<const float> b,
                              std::span<float> c) {
  for (const auto& [array, given] :
       {std::pair(&this->a(), a.size()), std::pair(&this->b(), b.size()),
        std::pair(&this->c(), c.size())}) {
    auto good = check_length(gemm_name, array->name(), given, array->count());
    if (!good) return good;
  }
  if (auto done = this->a().write(a); !done) return done;
  if (auto done = this->b().write(b); !done) return done;
  if (reads_c_) {
    if (auto done = this->c().write(std::span<const float>(c)); !done) return done;
  }
  if (auto done = launch(); !done) return done;
  return this->c().read(c);
}

}  // namespace vyre::primitives
