#include "vyre/primitives/gemm.h"

#include <fmt/format.h>

#include "primitives/gemm_parts.h"
#include "primitives/shape.h"

namespace vyre::primitives {
namespace {

constexpr std::string_view primitive = "gemm";

// The packed operands are padded to whole panels, so these are counted, not the matrices alone.
Result<void> check_options(const GemmOptions& options) {
  const auto padded = [](std::uint64_t count, std::uint64_t step) {
    return (count + step - 1) / step * step;
  };
  const Factor m{"m", options.m};
  const Factor n{"n", options.n};
  const Factor k{"k", options.k};
  for (const auto& [rows, columns] : {std::pair(m, k), std::pair(k, n), std::pair(m, n)}) {
    const auto count = element_count(primitive, {rows, columns});
    if (!count) return std::unexpected(count.error());
  }
  for (const auto& [name, count] : {std::pair("m", padded(options.m, 6) * options.k),
                                    std::pair("n", padded(options.n, 16) * options.k)}) {
    if (count <= UINT32_MAX) continue;
    return refuse(primitive, fmt::format("{}, padded to whole panels, times k = {} is {} elements, "
                                         "over {}",
                                         name, options.k, count, UINT32_MAX));
  }
  const auto& [layout, depth, row_panels, column_panels] = options.schedule;
  for (const auto& [name, value] :
       {Factor{"depth", depth}, {"row_panels", row_panels}, {"column_panels", column_panels}}) {
    if (value == 0 || value > 65536) {
      return refuse(primitive, fmt::format("{} is {}; it must be from 1 to 65536", name, value));
    }
  }
  return {};
}

}  // namespace

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

Result<std::vector<ir::Program>> gemm_programs(const GemmOptions& options) {
  if (auto good = check_options(options); !good) return std::unexpected(good.error());
  switch (options.schedule.layout) {
    case GemmLayout::automatic:
      break;
    case GemmLayout::plain:
      return std::vector{gemm_plain(options)};
    case GemmLayout::tiled:
      return std::vector{gemm_tiled(options)};
    case GemmLayout::packed:
      return gemm_packed(options);
  }
  return refuse(primitive, "programs need a layout of their own: name one");
}

void gemm_reference(std::span<const double> a, std::span<const double> b, std::uint32_t m,
                    std::uint32_t n, std::uint32_t k, std::span<double> c) {
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

Result<Gemm> Gemm::make(device::Device& device, const GemmOptions& options) {
  GemmOptions chosen = options;
  if (chosen.schedule.layout == GemmLayout::automatic) {
    chosen.schedule.layout = device.adapter().is_cpu ? GemmLayout::packed : GemmLayout::tiled;
  }
  const auto programs = gemm_programs(chosen);
  if (!programs) return std::unexpected(programs.error());
  auto pipeline = Pipeline::make(device, *programs);
  if (!pipeline) return std::unexpected(pipeline.error());
  return Gemm(*std::move(pipeline), chosen.schedule.layout == GemmLayout::packed,
              options.beta != 0);
}

Result<void> Gemm::pack_a() { return packs_ ? pipeline_.stage(0).launch() : Result<void>(); }
Result<void> Gemm::pack_b() { return packs_ ? pipeline_.stage(1).launch() : Result<void>(); }
Result<void> Gemm::multiply() { return pipeline_.stage(packs_ ? 2 : 0).launch(); }
Result<void> Gemm::launch() { return pipeline_.launch(); }

Result<void> Gemm::operator()(std::span<const float> a, std::span<const float> b,
                              std::span<float> c) {
  for (const auto& [array, given] :
       {std::pair(&this->a(), a.size()), std::pair(&this->b(), b.size()),
        std::pair(&this->c(), c.size())}) {
    auto good = check_length(primitive, array->name(), given, array->count());
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
