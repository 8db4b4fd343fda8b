#include "tune/primitive_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tune/primitive_family.h"

namespace vyre::tune {
namespace {

using Sizes = PrimitiveKind::Sizes;

template <class Options>
Result<Tunable> tunable_of(const PrimitiveFamily<Options>& primitive, const Options& options,
                           const device::Adapter& adapter) {
  VYRE_TRY(auto family, primitive.family(options, adapter));
  VYRE_TRY(auto workload, primitive.workload(options, adapter));
  return Tunable{std::move(family), std::move(workload)};
}

// A number of digits alone; 0 is as wrong as none.
std::optional<std::uint32_t> size_of(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || number == 0) return std::nullopt;
  if (end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "1000x16"; nothing if a size is no number above 0.
std::optional<std::vector<std::uint32_t>> sizes_of(std::string_view text) {
  std::vector<std::uint32_t> sizes;
  while (true) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const auto size = size_of(text.substr(0, end));
    if (!size) return std::nullopt;
    sizes.push_back(*size);
    if (end == text.size()) return sizes;
    text.remove_prefix(end + 1);
  }
}

Failure refuse_primitive(const std::string& why) {
  std::vector<std::string_view> names;
  for (const PrimitiveKind& kind : primitive_kinds()) names.push_back(kind.name);
  return fail(ErrorKind::input, fmt::format("{}; there are {}", why, fmt::join(names, ", ")));
}

}  // namespace

std::span<const PrimitiveKind> primitive_kinds() {
  static const std::vector<PrimitiveKind> kinds = {
      {.name = "kfac",
       .form = "BLOCKSxN",
       .meaning = "the inverses of blocks of N x N",
       .common = {1000, 16},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(kfac_primitive, {.num_blocks = sizes[0], .n = sizes[1]}, adapter);
           }},
      {.name = "gemm",
       .form = "MxNxK",
       .meaning = "the product of an M x K and a K x N matrix",
       .common = {512, 512, 512},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(gemm_primitive, {.m = sizes[0], .n = sizes[1], .k = sizes[2]},
                               adapter);
           }},
      {.name = "reduce",
       .form = "N",
       .meaning = "the sum of N numbers",
       .common = {1U << 20U},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(reduce_primitive, {.n = sizes[0]}, adapter);
           }},
      {.name = "scan",
       .form = "N",
       .meaning = "the running sums of N numbers",
       .common = {1U << 20U},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(scan_primitive, {.n = sizes[0]}, adapter);
           }},
      {.name = "transpose",
       .form = "ROWSxCOLUMNS",
       .meaning = "the transpose of a matrix",
       .common = {1024, 1024},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(transpose_primitive, {.rows = sizes[0], .columns = sizes[1]},
                               adapter);
           }},
      {.name = "convolution",
       .form = "WIDTHxHEIGHTxFWxFH",
       .meaning = "a filter of FW x FH over an image",
       .common = {1024, 1024, 3, 3},
       .make =
           [](Sizes sizes, const device::Adapter& adapter) {
             return tunable_of(convolution_primitive,
                               {.width = sizes[0],
                                .height = sizes[1],
                                .filter_width = sizes[2],
                                .filter_height = sizes[3]},
                               adapter);
           }},
  };
  return kinds;
}

Result<PrimitiveShape> parse_primitive(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const auto kinds = primitive_kinds();
  const auto kind = std::ranges::find(kinds, name, &PrimitiveKind::name);
  if (kind == kinds.end()) {
    return refuse_primitive(fmt::format("there is no '{}'; write NAME:SHAPE, for example {}", name,
                                        to_string(standard_primitives().front())));
  }
  auto sizes = sizes_of(text.substr(std::min(colon + 1, text.size())));
  if (sizes && sizes->size() == kind->common.size()) {
    return PrimitiveShape{&*kind, *std::move(sizes)};
  }
  return refuse_primitive(fmt::format("write {}:{} ({}), for example {}, with sizes from 1 to {}",
                                      name, kind->form, kind->meaning,
                                      to_string(PrimitiveShape{&*kind, kind->common}), UINT32_MAX));
}

std::string to_string(const PrimitiveShape& shape) {
  return fmt::format("{}:{}", shape.kind->name, fmt::join(shape.sizes, "x"));
}

Result<Tunable> tunable(const PrimitiveShape& shape, const device::Adapter& adapter) {
  VYRE_TRY(auto made, shape.kind->make(shape.sizes, adapter));
  made.family.name = to_string(shape);
  made.family.primitive = shape.kind->name;
  return made;
}

std::vector<PrimitiveShape> standard_primitives() {
  std::vector<PrimitiveShape> all;
  for (const PrimitiveKind& kind : primitive_kinds()) all.push_back({&kind, kind.common});
  return all;
}

}  // namespace vyre::tune
