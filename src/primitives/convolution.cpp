#include "primitives/convolution.h"

#include <fmt/format.h>

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {
namespace {

using ir::constant;
using ir::Value;
using ir::Variable;

constexpr std::string_view convolution_name = "convolution";
constexpr std::uint32_t max_side = 1U << 30U;  // so that a place plus a filter stays within u32

Result<void> check_options(const ConvolutionOptions& options) {
  const Factor sides[] = {{"width", options.width},
                          {"height", options.height},
                          {"filter_width", options.filter_width},
                          {"filter_height", options.filter_height}};
  for (std::size_t i = 0; i < 4; i += 2) {
    const auto count = element_count(convolution_name, {sides[i], sides[i + 1]});
    if (!count) return Unexpected(count.error());
  }
  for (const auto& [name, value] : sides) {
    if (value > max_side) {
      return refuse(convolution_name,
                    fmt::format("{} is {}; it goes up to {}", name, value, max_side));
    }
  }
  return {};
}

}  // namespace

// Places are counted from half a filter before the image, so that they are never negative.
Result<ir::Program> convolution_program(const ConvolutionOptions& options) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  ir::Builder k("convolution");
  const Value width = k.uniform("width", options.width);
  const Value height = k.uniform("height", options.height);
  const std::uint32_t fw = options.filter_width;
  const std::uint32_t fh = options.filter_height;
  const auto image = k.read("image", Scalar::f32, width * height);
  const auto filter = k.read("filter", Scalar::f32, constant(fw * fh));
  const auto out = k.write("out", Scalar::f32, width * height);
  k.grid(width, height);

  const Value x = k.let("x", ir::invocation(0));
  const Value y = k.let("y", ir::invocation(1));
  const Variable sum = k.var("sum", constant(0.0F));
  const auto inside = [](const Value& place, std::uint32_t before, const Value& size) {
    return (place >= before) & (place - before < size);
  };
  k.loop("j", constant(0U), constant(fh), [&](const Value& j) {
    const Value row = k.let("row", y + j);
    k.when(inside(row, fh / 2, height), [&] {
      k.loop("i", constant(0U), constant(fw), [&](const Value& i) {
        const Value column = k.let("column", x + i);
        k.when(inside(column, fw / 2, width), [&] {
          const Value pixel = image[(row - fh / 2) * width + (column - fw / 2)];
          sum = fma(filter[j * fw + i], pixel, sum);
        });
      });
    });
  });
  out[y * width + x] = Value(sum);
  return scheduled(finished(k), options.schedule);
}

void convolution_reference(std::span<const double> image, std::span<const double> filter,
                           const ConvolutionOptions& options, std::span<double> out) {
  const auto width = static_cast<std::int64_t>(options.width);
  const auto height = static_cast<std::int64_t>(options.height);
  const auto fw = static_cast<std::int64_t>(options.filter_width);
  const auto fh = static_cast<std::int64_t>(options.filter_height);
  for (std::int64_t place = 0; place < width * height; ++place) {
    double sum = 0;
    for (std::int64_t tap = 0; tap < fw * fh; ++tap) {
      const std::int64_t x = place % width + tap % fw - fw / 2;
      const std::int64_t y = place / width + tap / fw - fh / 2;
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      sum += filter[static_cast<std::size_t>(tap)] * image[static_cast<std::size_t>(y * width + x)];
    }
    out[static_cast<std::size_t>(place)] = sum;
  }
}

Result<Operation> convolution(device::Device& device, const ConvolutionOptions& options) {
  const bool asks = !options.schedule && options.decisions != nullptr;
  auto program =
      convolution_program(asks ? options.decisions->decided(options, device.adapter()) : options);
  if (!program) return Unexpected(program.error());
  return Operation::make(device, {.name = std::string(convolution_name),
                                  .programs = {*std::move(program)},
                                  .inputs = {"image", "filter"},
                                  .output = "out"});
}

}  // namespace vyre::primitives
