#include "primitives/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::constant;
using ir::Value;
using ir::Variable;

constexpr std::string_view reduce_name = "reduce";
constexpr std::uint8_t lanes = 8;
constexpr std::uint32_t accumulators = 8;
constexpr std::uint32_t max_n = 1U << 31U;  // a share's end stays within u32

Value combined(ReduceOp op, const Value& a, const Value& b) {
  switch (op) {
    case ReduceOp::min:
      return min(a, b);
    case ReduceOp::max:
      return max(a, b);
    case ReduceOp::sum:
      break;
  }
  return a + b;
}

// What leaves every number as it is.
template <class T>
double neutral_of(ReduceOp op) {
  using Limits = std::numeric_limits<T>;
  if (op == ReduceOp::sum) return 0;
  if constexpr (Limits::has_infinity) {
    return op == ReduceOp::min ? Limits::infinity() : -Limits::infinity();
  }
  return op == ReduceOp::min ? Limits::max() : Limits::lowest();
}
double neutral(ReduceOp op, Scalar element) {
  if (element == Scalar::f32) return neutral_of<float>(op);
  return element == Scalar::i32 ? neutral_of<std::int32_t>(op) : neutral_of<std::uint32_t>(op);
}

class Shares {
 public:
  explicit Shares(const ReduceOptions& options)
      : options_(options),
        k_(fmt::format("reduce_{}_{}", name_of(options.op),
                       options.strided ? "strided" : "contiguous")),
        n_(k_.uniform("n", options.n)),
        items_(k_.uniform("items", options.items)),
        x_(k_.read("x", options.element, n_)),
        parts_(k_.write("parts", options.element, items_)) {}

  ir::Program build() {
    k_.grid(items_);
    k_.workgroup(options_.strided ? 64 : 1);
    for (std::uint32_t i = 0; i < accumulators; ++i) {
      vectors_.push_back(k_.var("vector", none(lanes)));
    }
    const Variable single = k_.var("single", none(1));
    if (options_.strided) {
      strided(single);
    } else {
      contiguous(single);
    }
    Value all = vectors_[0];
    for (std::uint32_t i = 1; i < accumulators; ++i) all = combined(options_.op, all, vectors_[i]);
    const Value vector = k_.let("all", all);
    for (std::uint8_t lane = 0; lane < lanes; ++lane) take(single, vector.lane(lane));
    parts_[ir::invocation(0)] = single;
    return finished(k_);
  }

 private:
  [[nodiscard]] Value none(std::uint8_t width) const {
    return constant(neutral(options_.op, options_.element), {options_.element, width});
  }
  void take(const Variable& into, const Value& value) { into = combined(options_.op, into, value); }
  // A share is read in as many streams as there are accumulators: one alone does not keep the
  // memory busy. What is left over after equal shares goes to the first invocation.
  void contiguous(const Variable& single) {
    const Value stream = k_.let("stream", n_ / items_ / (lanes * accumulators) * lanes);
    const Value share = k_.let("share", stream * accumulators);
    const Value begin = k_.let("begin", ir::invocation(0) * share);
    k_.loop("at", begin, begin + stream, constant(std::uint32_t{lanes}), [&](const Value& at) {
      for (std::uint32_t i = 0; i < accumulators; ++i) {
        take(vectors_[i], x_.at(at + stream * i, lanes));
      }
    });
    k_.when(ir::invocation(0) == 0U, [&] {
      k_.loop("at", share * items_, n_, [&](const Value& at) { take(single, x_[at]); });
    });
  }

  void strided(const Variable& single) {
    const std::uint32_t width = lanes;
    const Value row = k_.let("row", items_ * width);
    const Value whole = k_.let("whole", n_ / width * width);
    k_.loop("at", ir::invocation(0) * width, whole, row,
            [&](const Value& at) { take(vectors_[0], x_.at(at, lanes)); });
    k_.when(ir::invocation(0) == 0U,
            [&] { k_.loop("at", whole, n_, [&](const Value& at) { take(single, x_[at]); }); });
  }

  ReduceOptions options_;
  Builder k_;
  Value n_;
  Value items_;
  ir::BufferRef x_, parts_;
  std::vector<Variable> vectors_;
};

ir::Program finish(const ReduceOptions& options) {
  Builder k(fmt::format("reduce_{}_finish", name_of(options.op)));
  const Value items = k.uniform("items", options.items);
  const auto parts = k.read("parts", options.element, items);
  const auto result = k.write("result", options.element, constant(1U));
  k.grid(constant(1U));
  k.workgroup(1);
  const Variable all = k.var("all", parts[0]);
  k.loop("i", constant(1U), items,
         [&](const Value& i) { all = combined(options.op, all, parts[i]); });
  result[0] = Value(all);
  return finished(k);
}

Result<void> check_options(const ReduceOptions& options) {
  for (const Factor& factor : {Factor{"n", options.n}, Factor{"items", options.items}}) {
    if (auto count = element_count(reduce_name, {factor}); !count) {
      return Unexpected(count.error());
    }
  }
  if (options.n > max_n || options.items > 1U << 20U) {
    return refuse(reduce_name, fmt::format("n is {} and items {}; they go up to {} and {}",
                                           options.n, options.items, max_n, 1U << 20U));
  }
  if (!is_word(options.element) && options.element != Scalar::f32) {
    return refuse(reduce_name,
                  fmt::format("works on f32, i32 and u32, not {}", name_of(options.element)));
  }
  return {};
}

}  // namespace

std::string_view name_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return "sum";
    case ReduceOp::min:
      return "min";
    case ReduceOp::max:
      return "max";
  }
  return "unknown";
}

Result<std::vector<ir::Program>> reduce_programs(const ReduceOptions& options) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  return std::vector{Shares(options).build(), finish(options)};
}

std::vector<double> reduce_parts_reference(std::span<const double> x,
                                           const ReduceOptions& options) {
  const std::size_t items = options.items;
  const std::size_t run =
      options.strided ? lanes : x.size() / items / (lanes * accumulators) * (lanes * accumulators);
  const std::size_t even = options.strided ? x.size() / lanes * lanes : run * items;
  std::vector<double> parts(items, neutral(options.op, options.element));
  for (std::size_t i = 0; i < x.size(); ++i) {
    double& part = parts[i < even ? i / run % items : 0];
    part = options.op == ReduceOp::sum   ? part + x[i]
           : options.op == ReduceOp::min ? std::min(part, x[i])
                                         : std::max(part, x[i]);
  }
  return parts;
}

double reduce_reference(std::span<const double> x, ReduceOp op) {
  if (op == ReduceOp::min) return std::ranges::min(x);
  if (op == ReduceOp::max) return std::ranges::max(x);
  return std::accumulate(x.begin(), x.end(), 0.0);
}

// A CPU wants a few long shares per core; a GPU wants all its lanes busy.
ReduceOptions automatic_shares(ReduceOptions options, const device::Adapter& adapter) {
  if (options.items != 0) return options;
  options.strided = !adapter.is_cpu;
  options.items = automatic_shares(adapter);
  return options;
}

Result<Operation> reduce(device::Device& device, const ReduceOptions& options) {
  ReduceOptions chosen = options;
  if (chosen.items == 0 && options.decisions != nullptr) {
    chosen = options.decisions->decided(options, device.adapter());
  }
  auto programs = reduce_programs(automatic_shares(chosen, device.adapter()));
  if (!programs) return Unexpected(programs.error());
  return Operation::make(device, {.name = std::string(reduce_name),
                                  .programs = *std::move(programs),
                                  .inputs = {"x"},
                                  .output = "result"});
}

}  // namespace vyre::primitives
