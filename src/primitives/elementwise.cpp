#include "primitives/elementwise.h"

#include <fmt/format.h>

#include "primitives/checks.h"
#include "primitives/programs.h"

namespace vyre::primitives {
namespace {

using ir::BufferRef;
using ir::constant;
using ir::Value;

constexpr std::string_view elementwise_name = "elementwise";

Result<void> check_options(const ElementwiseOptions& options) {
  if (auto count = element_count(elementwise_name, {{"n", options.n}}); !count) {
    return Unexpected(count.error());
  }
  if (options.inputs.empty())
    return refuse(elementwise_name, "has no inputs; it needs at least one");
  if (options.steps.empty()) return refuse(elementwise_name, "has no steps; it needs at least one");
  if (!ir::is_lane_count(options.lanes)) {
    return refuse(elementwise_name,
                  fmt::format("lanes is {}; it must be 1, 2, 4, 8 or 16", options.lanes));
  }
  return {};
}

// The chain on `lanes` elements from `at`.
Result<void> apply(ir::Builder& k, const ElementwiseOptions& options,
                   const std::vector<BufferRef>& inputs, const BufferRef& y, const Value& at,
                   std::uint8_t lanes) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(k.let(options.inputs[i] + "_in", inputs[i].at(at, lanes)));
  }
  for (const ElementwiseStep& step : options.steps) {
    std::vector<Value> results;
    for (const Value& value : step.apply(values)) {
      if (value.expr().type() != ir::Type{Scalar::f32, lanes}) {
        return refuse(elementwise_name, fmt::format("step {} returned {}; it must return {}",
                                                    step.name, to_string(value.expr().type()),
                                                    to_string(ir::Type{Scalar::f32, lanes})));
      }
      results.push_back(k.let(step.name, value));
    }
    values = std::move(results);
    if (values.empty())
      return refuse(elementwise_name, fmt::format("step {} returned nothing", step.name));
  }
  if (values.size() != 1) {
    return refuse(elementwise_name,
                  fmt::format("the last step, {}, returned {} values; it must return 1",
                              options.steps.back().name, values.size()));
  }
  y.at(at, lanes) = values[0];
  return {};
}

}  // namespace

Result<ir::Program> elementwise_program(const ElementwiseOptions& options) {
  if (auto good = check_options(options); !good) return Unexpected(good.error());
  const auto lanes = static_cast<std::uint8_t>(options.lanes);
  ir::Builder k(options.steps.front().name);
  const Value n = k.uniform("n", options.n);
  std::vector<BufferRef> inputs;
  for (const std::string& name : options.inputs) inputs.push_back(k.read(name, Scalar::f32, n));
  const BufferRef y = k.write("y", Scalar::f32, n);
  k.grid((n + (options.lanes - 1)) / options.lanes);
  const Value at = k.let("at", ir::invocation(0) * options.lanes);
  Result<void> good;
  if (lanes == 1) {
    good = apply(k, options, inputs, y, at, 1);
  } else {
    k.when(
        at + (options.lanes - 1) < n, [&] { good = apply(k, options, inputs, y, at, lanes); },
        [&] {
          k.loop("i", at, n, [&](const Value& i) {
            if (good) good = apply(k, options, inputs, y, i, 1);
          });
        });
  }
  if (!good) return Unexpected(good.error());
  auto program = k.finish();
  if (!program) return refuse(elementwise_name, to_string(program.error()));
  return *std::move(program);
}

void elementwise_reference(std::span<const std::vector<double>> inputs,
                           const std::function<double(std::span<const double>)>& function,
                           std::span<double> y) {
  std::vector<double> values(inputs.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < inputs.size(); ++j) values[j] = inputs[j][i];
    y[i] = function(values);
  }
}

Result<Operation> elementwise(device::Device& device, const ElementwiseOptions& options) {
  auto program = elementwise_program(options);
  if (!program) return Unexpected(program.error());
  return Operation::make(device, {.name = std::string(elementwise_name),
                                  .programs = {*std::move(program)},
                                  .inputs = options.inputs,
                                  .output = "y"});
}

}  // namespace vyre::primitives
