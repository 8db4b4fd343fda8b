#include "tune/shares_family.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>

#include "primitives/programs.h"
#include "primitives/reduce.h"
#include "primitives/scan.h"
#include "run/sizes.h"

namespace vyre::tune {
namespace {

using primitives::ReduceOptions;
using primitives::ScanOptions;

constexpr std::array<std::string_view, 2> orders = {"contiguous", "strided"};
constexpr std::uint64_t most_shares = 1U << 20U;

// An eighth of what is automatic to eight times that. More shares than elements are of no use.
std::vector<std::uint32_t> share_counts(std::uint32_t automatic, std::uint32_t n) {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t shift = 0; shift < 7; ++shift) {
    const std::uint64_t count = (std::uint64_t{automatic} << shift) >> 3U;
    if (count == automatic || (count > 0 && count <= std::min<std::uint64_t>(n, most_shares))) {
      counts.push_back(static_cast<std::uint32_t>(count));
    }
  }
  return counts;
}

space::Parameter items_parameter(std::span<const std::uint32_t> counts) {
  space::Parameter made{"items", {}};
  for (const std::uint32_t count : counts) made.values.emplace_back(std::int64_t{count});
  return made;
}

// Numbers as a buffer holds them, and back. Requires: f32, i32 or u32, and numbers that these have.
worker::Data encoded(Scalar element, std::span<const double> numbers) {
  std::vector<std::byte> bytes(numbers.size() * storage_bytes(element));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto real = static_cast<float>(numbers[i]);
    const auto integer = static_cast<std::int32_t>(numbers[i]);
    std::memcpy(&bytes[i * 4], element == Scalar::f32 ? static_cast<const void*>(&real) : &integer,
                4);
  }
  return worker::data(std::move(bytes));
}
std::vector<double> decoded(Scalar element, const std::vector<std::byte>& bytes) {
  std::vector<double> numbers(bytes.size() / 4);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float real = 0;
    std::int32_t integer = 0;
    std::memcpy(&real, &bytes[i * 4], 4);
    std::memcpy(&integer, &bytes[i * 4], 4);
    numbers[i] = element == Scalar::f32 ? static_cast<double>(real) : integer;
  }
  return numbers;
}

std::vector<double> small_integers(Scalar element, std::uint32_t n) {
  std::minstd_rand random(1);
  const double least = element == Scalar::u32 ? 0 : -1;
  std::vector<double> numbers(n);
  for (double& number : numbers) number = least + static_cast<double>(random() % 3);
  return numbers;
}

Result<ir::Program> shares_program(const ReduceOptions& options) {
  VYRE_TRY(auto programs, reduce_programs(options));
  return std::move(programs.front());
}
Result<ir::Program> shares_program(const ScanOptions& options) {
  VYRE_TRY(auto programs, scan_programs(options));
  return std::move(programs.back());
}

// Each member has its own parts.
MemberData parts_of(const ReduceOptions& options, const Workload& workload) {
  const auto x = decoded(options.element, *workload.buffers[0]);
  const auto parts = reduce_parts_reference(x, options);
  trial::Expected expected{.argument = 1,
                           .buffer = "parts",
                           .element = options.element,
                           .content = encoded(options.element, parts),
                           .tolerance = {}};
  const worker::Data before = trial::canary(expected.content->size());
  return {.buffers = {workload.buffers[0], before}, .expected = {std::move(expected)}};
}

// What the elements before each share add up to, as the programs before the last leave it.
std::vector<double> sums_before(std::span<const double> x, std::uint32_t items) {
  const std::size_t share = (x.size() + items - 1) / items;
  std::vector<double> sums(items);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % share == 0) sums[i / share] = sum;
    sum += x[i];
  }
  for (std::size_t i = (x.size() + share - 1) / share; i < items; ++i) sums[i] = sum;
  return sums;
}

MemberData sums_of(const ScanOptions& options, const Workload& workload) {
  const auto x = decoded(options.element, *workload.buffers[0]);
  return {.buffers = {workload.buffers[0], encoded(options.element, sums_before(x, options.items)),
                      workload.buffers[2]},
          .expected = {}};
}

ScanOptions automatic_items(ScanOptions options, const device::Adapter& adapter) {
  if (options.items == 0) options.items = primitives::automatic_shares(adapter);
  return options;
}

}  // namespace

Result<ir::Program> reduce_baseline(const ReduceOptions& options, const device::Adapter& adapter) {
  return shares_program(automatic_shares(options, adapter));
}
Result<ir::Program> scan_baseline(const ScanOptions& options, const device::Adapter& adapter) {
  return shares_program(automatic_items(options, adapter));
}

Result<Family> reduce_family(const ReduceOptions& options, const device::Adapter& adapter) {
  const ReduceOptions automatic = automatic_shares(options, adapter);
  const auto counts = share_counts(automatic.items, options.n);
  space::Parameter order{"order", {}};
  auto members = std::make_shared<std::vector<ReduceOptions>>();
  std::vector<space::Digit> rows;
  space::Index baseline = 0;
  for (std::size_t o = 0; o < orders.size(); ++o) {
    order.values.emplace_back(std::string(orders[o]));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      ReduceOptions member = options;
      member.items = counts[i];
      member.strided = orders[o] == "strided";
      if (member.items == automatic.items && member.strided == automatic.strided) {
        baseline = static_cast<space::Index>(members->size());
      }
      rows.insert(rows.end(), {static_cast<space::Digit>(i), static_cast<space::Digit>(o)});
      members->push_back(member);
    }
  }
  VYRE_TRY(auto space, space::Space::of({items_parameter(counts), order}, rows));
  return family_of(
      {.name = "reduce",
       .space = std::move(space),
       .baseline = baseline,
       .member = [members](space::Index i) { return shares_program((*members)[i]); },
       .tolerance = {},
       .scratch = {},
       .data = [members](space::Index i,
                         const Workload& workload) { return parts_of((*members)[i], workload); }},
      {});
}

Result<Family> scan_family(const ScanOptions& options, const device::Adapter& adapter) {
  const std::uint32_t automatic = automatic_items(options, adapter).items;
  const auto counts = share_counts(automatic, options.n);
  std::vector<space::Digit> rows;
  for (std::size_t i = 0; i < counts.size(); ++i) rows.push_back(static_cast<space::Digit>(i));
  VYRE_TRY(auto space, space::Space::of({items_parameter(counts)}, rows));
  const auto member = [options, counts](space::Index index) {
    ScanOptions made = options;
    made.items = counts[index];
    return made;
  };
  const auto baseline = std::ranges::find(counts, automatic) - counts.begin();
  return family_of(
      {.name = "scan",
       .space = std::move(space),
       .baseline = static_cast<space::Index>(baseline),
       .member = [member](space::Index i) { return shares_program(member(i)); },
       .tolerance = {},
       .scratch = {},
       .data = [member](space::Index i,
                        const Workload& workload) { return sums_of(member(i), workload); }},
      {});
}

Result<Workload> reduce_workload(const ReduceOptions& options, const device::Adapter& adapter) {
  if (auto good = reduce_baseline(options, adapter); !good) return Unexpected(good.error());
  const ReduceOptions automatic = automatic_shares(options, adapter);
  const auto x = small_integers(options.element, options.n);
  const std::vector<double> parts(automatic.items);
  return Workload{.uniforms = {},
                  .buffers = {encoded(options.element, x), encoded(options.element, parts)}};
}

Result<Workload> scan_workload(const ScanOptions& options, const device::Adapter& adapter) {
  if (auto good = scan_baseline(options, adapter); !good) return Unexpected(good.error());
  const ScanOptions automatic = automatic_items(options, adapter);
  const auto x = small_integers(options.element, options.n);
  const std::vector<double> y(options.n);
  return Workload{.uniforms = {},
                  .buffers = {encoded(options.element, x),
                              encoded(options.element, sums_before(x, automatic.items)),
                              encoded(options.element, y)}};
}

}  // namespace vyre::tune
