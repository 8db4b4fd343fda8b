#include "primitives/scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::constant;
using ir::Value;
using ir::Variable;

constexpr std::string_view scan_name = "scan";
constexpr std::uint32_t max_scan = 1U << 31U;  // a share's end stays within u32
constexpr std::uint32_t max_items = 1U << 20U;

Value zero(const ScanOptions& options) { return constant(0, {options.element}); }

// The elements of an invocation's share, in order.
void each_of_share(Builder& k, const Value& n, const Value& items,
                   const std::function<void(Value)>& body) {
  k.grid(items);
  k.workgroup(1);
  const Value share = k.let("share", (n + (items - 1)) / items);
  const Value begin = k.let("begin", min(ir::invocation(0) * share, n));
  k.loop("i", begin, min(begin + share, n), body);
}

ir::Program sum_shares(const ScanOptions& options) {
  Builder k("scan_shares");
  const Value n = k.uniform("n", options.n);
  const Value items = k.uniform("items", options.items);
  const auto x = k.read("x", options.element, n);
  const auto sums = k.write("sums", options.element, items);
  const Variable sum = k.var("sum", zero(options));
  each_of_share(k, n, items, [&](const Value& i) { sum += x[i]; });
  sums[ir::invocation(0)] = Value(sum);
  return finished(k);
}

ir::Program scan_sums(const ScanOptions& options) {
  Builder k("scan_sums");
  const Value items = k.uniform("items", options.items);
  const auto sums = k.read_write("sums", options.element, items);
  k.grid(constant(1U));
  k.workgroup(1);
  const Variable before = k.var("before", zero(options));
  k.loop("i", constant(0U), items, [&](const Value& i) {
    const Value sum = k.let("sum", sums[i]);
    sums[i] = Value(before);
    before += sum;
  });
  return finished(k);
}

ir::Program scan_shares(const ScanOptions& options) {
  Builder k(options.exclusive ? "scan_exclusive" : "scan_inclusive");
  const Value n = k.uniform("n", options.n);
  const Value items = k.uniform("items", options.items);
  const auto x = k.read("x", options.element, n);
  const auto sums = k.read("sums", options.element, items);
  const auto y = k.write("y", options.element, n);
  const Variable sum = k.var("sum", sums[ir::invocation(0)]);
  each_of_share(k, n, items, [&](const Value& i) {
    const Value next = k.let("next", sum + x[i]);
    y[i] = options.exclusive ? Value(sum) : next;
    sum = next;
  });
  return finished(k);
}

}  // namespace

Result<std::vector<ir::Program>> scan_programs(const ScanOptions& options) {
  for (const Factor& factor : {Factor{"n", options.n}, Factor{"items", options.items}}) {
    if (auto count = element_count(scan_name, {factor}); !count) {
      return Unexpected(count.error());
    }
  }
  if (options.n > max_scan || options.items > max_items) {
    return refuse(scan_name, fmt::format("n is {} and items {}; they go up to {} and {}", options.n,
                                         options.items, max_scan, max_items));
  }
  if (!is_word(options.element) && options.element != Scalar::f32) {
    return refuse(scan_name,
                  fmt::format("works on f32, i32 and u32, not {}", name_of(options.element)));
  }
  return std::vector{sum_shares(options), scan_sums(options), scan_shares(options)};
}

void scan_reference(std::span<const double> x, bool exclusive, std::span<double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = exclusive ? sum : sum + x[i];
    sum += x[i];
  }
}

Result<Operation> scan(device::Device& device, const ScanOptions& options) {
  ScanOptions chosen = options;
  if (chosen.items == 0 && options.decisions != nullptr) {
    chosen = options.decisions->decided(options, device.adapter());
  }
  if (chosen.items == 0) chosen.items = automatic_shares(device.adapter());
  auto programs = scan_programs(chosen);
  if (!programs) return Unexpected(programs.error());
  return Operation::make(device, {.name = std::string(scan_name),
                                  .programs = *std::move(programs),
                                  .inputs = {"x"},
                                  .output = "y"});
}

}  // namespace vyre::primitives
