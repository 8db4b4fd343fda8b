#include "primitives/kfac_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "primitives/checks.h"
#include "primitives/kfac_builder.h"
#include "primitives/programs.h"

namespace vyre::primitives {
namespace {

Result<void> check_options(const KfacOptions& options) {
  const auto count = element_count(
      kfac_name, {{"num_blocks", options.num_blocks}, {"n", options.n}, {"n", options.n}});
  if (!count) return Unexpected(count.error());
  if (!std::isfinite(options.damping) || options.damping < 0) {
    return refuse(kfac_name,
                  fmt::format("damping is {}; it must be finite and at least 0", options.damping));
  }
  const KfacLayout layout = options.schedule.layout;
  if (layout != KfacLayout::interleaved && layout != KfacLayout::registers) return {};
  const std::uint32_t most = layout == KfacLayout::registers ? max_registers_n : max_interleaved_n;
  if (options.n > most) {
    return refuse(kfac_name, fmt::format("n is {}; the layout `{}` goes up to {}", options.n,
                                         name_of(layout), most));
  }
  const std::uint32_t lanes = options.schedule.lanes;
  if (lanes == 1 || !ir::is_lane_count(lanes)) {
    return refuse(kfac_name, fmt::format("lanes is {}; it must be 2, 4, 8 or 16", lanes));
  }
  return {};
}

Result<ir::Program> inverse_program(const KfacOptions& options, const KfacNames& names,
                                    bool reports) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  ir::Builder k(fmt::format("kfac_block_inverse_{}", name_of(options.schedule.layout)));
  KfacBuilder kfac(k, options, names, reports);
  switch (options.schedule.layout) {
    case KfacLayout::automatic:
      return refuse(kfac_name, "a program needs a layout of its own: name one");
    case KfacLayout::item:
      kfac_item(kfac);
      break;
    case KfacLayout::group:
      kfac_group(kfac);
      break;
    case KfacLayout::interleaved:
      kfac_interleaved(kfac, static_cast<std::uint8_t>(options.schedule.lanes));
      break;
    case KfacLayout::registers:
      kfac_registers(kfac, static_cast<std::uint8_t>(options.schedule.lanes));
      break;
    case KfacLayout::panels:
      kfac_panels(kfac);
      break;
  }
  return finished(kfac_name, k);
}

}  // namespace

Result<ir::Program> kfac_block_inverse_program(const KfacOptions& options, const KfacNames& names) {
  return inverse_program(options, names, true);
}

Result<ir::Program> kfac_block_inverse_plain_program(const KfacOptions& options,
                                                     const KfacNames& names) {
  return inverse_program(options, names, false);
}

bool kfac_block_inverse_reference(std::span<const double> in, std::uint32_t n,
                                  std::span<double> out) {
  std::vector<double> a(in.begin(), in.end());
  std::ranges::fill(out, 0.0);
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] = 1;
  const auto row = [n](auto& of, std::size_t r) { return of.begin() + static_cast<long>(r * n); };
  for (std::size_t p = 0; p < n; ++p) {
    std::size_t pivot = p;
    for (std::size_t r = p + 1; r < n; ++r) {
      if (std::abs(a[r * n + p]) > std::abs(a[pivot * n + p])) pivot = r;
    }
    const double value = a[pivot * n + p];
    if (value == 0 || !std::isfinite(value)) return false;
    std::swap_ranges(row(a, p), row(a, p + 1), row(a, pivot));
    std::swap_ranges(row(out, p), row(out, p + 1), row(out, pivot));
    for (std::size_t c = 0; c < n; ++c) {
      a[p * n + c] /= value;
      out[p * n + c] /= value;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = a[r * n + p];
      if (r == p || factor == 0) continue;
      for (std::size_t c = 0; c < n; ++c) {
        a[r * n + c] -= factor * a[p * n + c];
        out[r * n + c] -= factor * out[p * n + c];
      }
    }
  }
  return true;
}

}  // namespace vyre::primitives
