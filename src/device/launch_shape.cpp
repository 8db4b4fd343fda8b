#include "device/launch_shape.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace vyre::device {
namespace {

constexpr std::array<char, 3> dim_names = {'x', 'y', 'z'};

Result<void> check_dimension(const Shape& shape, const Limits& limits, std::size_t d) {
  const std::uint32_t grid = shape.grid[d];
  const std::uint32_t group = shape.workgroup[d];
  if (grid == 0 || group == 0) {
    return fail(ErrorKind::input,
                fmt::format("nothing to launch: the grid is {} and the workgroup {}",
                            to_string(shape.grid), to_string(shape.workgroup)));
  }
  if (group > limits.max_workgroup_dims[d]) {
    return fail(
        ErrorKind::limit,
        fmt::format("the workgroup {} has {} invocations in {}; the device allows {}",
                    to_string(shape.workgroup), group, dim_names[d], limits.max_workgroup_dims[d]));
  }
  const std::uint32_t needed = (grid - 1) / group + 1;
  if (shape.groups[d] != needed) {
    return fail(ErrorKind::input,
                fmt::format("{} groups of {} do not fit a grid of {} in {}: it takes {}",
                            shape.groups[d], group, grid, dim_names[d], needed));
  }
  return {};
}

}  // namespace

std::string to_string(const Extent& extent) {
  return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
}

std::uint64_t volume(const Extent& extent) {
  std::uint64_t product = 1;
  for (const std::uint64_t n : extent) {
    if (n != 0 && product > std::numeric_limits<std::uint64_t>::max() / n) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    product *= n;
  }
  return product;
}

Result<void> check_shape(const Shape& shape, const Limits& limits) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (auto legal = check_dimension(shape, limits, d); !legal) return legal;
  }
  if (volume(shape.workgroup) > limits.max_workgroup) {
    return fail(
        ErrorKind::limit,
        fmt::format("the workgroup {} has {} invocations; the device allows {}",
                    to_string(shape.workgroup), volume(shape.workgroup), limits.max_workgroup));
  }
  return {};
}

}  // namespace vyre::device
