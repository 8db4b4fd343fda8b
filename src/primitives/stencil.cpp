#include "primitives/stencil.h"

#include <fmt/format.h>

#include <array>

#include "primitives/checks.h"
#include "primitives/programs.h"

namespace vyre::primitives {
namespace {

using ir::constant;
using ir::Value;

constexpr std::string_view stencil_name = "stencil";
constexpr std::uint32_t max_radius = 8;

std::uint32_t radius_of(const StencilOptions& options) {
  return static_cast<std::uint32_t>(options.weights.size() - 1);
}

Result<void> check_options(const StencilOptions& options) {
  const auto& [x, y, z] = options.extent;
  const auto count = element_count(stencil_name, {{"x", x}, {"y", y}, {"z", z}});
  if (!count) return Unexpected(count.error());
  if (options.weights.empty() || radius_of(options) > max_radius) {
    return refuse(stencil_name, fmt::format("was given {} weights; it takes from 1 to {}",
                                            options.weights.size(), max_radius + 1));
  }
  return {};
}

}  // namespace

Result<ir::Program> stencil_program(const StencilOptions& options) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  const std::uint32_t radius = radius_of(options);
  ir::Builder k(fmt::format("stencil_{}", radius));
  constexpr std::array<const char*, 3> axes = {"x", "y", "z"};
  std::vector<Value> extent;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    extent.push_back(k.uniform(fmt::format("n{}", axes[axis]), options.extent[axis]));
  }
  std::vector<Value> weights;
  for (std::size_t d = 0; d <= radius; ++d) {
    weights.push_back(k.uniform(fmt::format("w{}", d), options.weights[d]));
  }
  const Value cells = extent[0] * extent[1] * extent[2];
  const auto u = k.read("u", Scalar::f32, cells);
  const auto v = k.write("v", Scalar::f32, cells);
  k.grid(extent[0], extent[1], extent[2]);

  std::vector<Value> at;
  for (std::uint8_t axis = 0; axis < 3; ++axis)
    at.push_back(k.let(axes[axis], ir::invocation(axis)));
  const Value here = k.let("here", (at[2] * extent[1] + at[1]) * extent[0] + at[0]);
  const std::array<Value, 3> stride = {constant(1U), extent[0], extent[0] * extent[1]};
  Value inside = constant(true);
  Value sum = weights[0] * u[here];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (options.extent[axis] == 1) continue;
    inside = inside & (at[axis] >= radius) & (at[axis] + radius < extent[axis]);
  }
  for (std::uint32_t d = 1; d <= radius; ++d) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (options.extent[axis] == 1) continue;
      const Value away = stride[axis] * d;
      sum = fma(weights[d], u[here - away] + u[here + away], sum);
    }
  }
  k.when(inside, [&] { v[here] = sum; }, [&] { v[here] = Value(u[here]); });
  return finished(k);
}

void stencil_reference(std::span<const double> u, const StencilOptions& options,
                       std::span<double> v) {
  const std::uint32_t radius = radius_of(options);
  const auto& [nx, ny, nz] = options.extent;
  const std::array<std::size_t, 3> stride = {1, nx, std::size_t{nx} * ny};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::array<std::size_t, 3> at = {i % nx, i / nx % ny, i / nx / ny};
    bool inside = true;
    double sum = options.weights[0] * u[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (options.extent[axis] == 1) continue;
      inside = inside && at[axis] >= radius && at[axis] + radius < options.extent[axis];
      for (std::size_t d = 1; inside && d <= radius; ++d) {
        sum += options.weights[d] * (u[i - d * stride[axis]] + u[i + d * stride[axis]]);
      }
    }
    v[i] = inside ? sum : u[i];
  }
}

Result<Operation> stencil(device::Device& device, const StencilOptions& options) {
  auto program = stencil_program(options);
  if (!program) return Unexpected(program.error());
  return Operation::make(device, {.name = std::string(stencil_name),
                                  .programs = {*std::move(program)},
                                  .inputs = {"u"},
                                  .output = "v"});
}

}  // namespace vyre::primitives
