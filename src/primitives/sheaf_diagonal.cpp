#include "vyre/primitives/sheaf_diagonal.h"

#include <array>
#include <utility>

#include "base/fixed.h"
#include "primitives/arguments.h"
#include "primitives/fixed_math.h"
#include "primitives/programs.h"
#include "primitives/shape.h"
#include "vyre/ir/build.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

constexpr std::string_view name = "sheaf_diffusion_diagonal";

}  // namespace

Result<ir::Program> sheaf_diagonal_program(std::uint32_t cells) {
  const auto count = element_count(name, {{"cells", cells}});
  if (!count) return std::unexpected(count.error());
  Builder k("sheaf_diagonal");
  const Value n = k.uniform("cells", cells);
  const Value damping = k.uniform("damping", std::int32_t{0});
  const Value tolerance = k.uniform("tolerance", 0U);
  const auto stalks = k.read_write("stalks", Scalar::i32, n);
  const auto restriction = k.read("restriction", Scalar::i32, n);
  const auto moving = k.read_write("moving", Scalar::u32, ir::constant(1U));
  k.grid(n);
  const Value i = k.let("i", ir::invocation(0));
  const Value before = k.let("before", stalks[i]);
  const Value rate = fixed_multiply(k, "rate", damping, restriction[i]);
  const Value flow = fixed_multiply(k, "flow", rate, before);
  const Value after = fixed_subtract(k, "after", before, flow);
  stalks[i] = after;
  k.when(distance(before, after) > tolerance, [&] { moving[0U].atomic_add(ir::constant(1U)); });
  return finished(k);
}

Result<ir::Program> sheaf_flags_program(std::uint32_t cells) {
  const auto count = element_count(name, {{"cells", cells}});
  if (!count) return std::unexpected(count.error());
  Builder k("sheaf_flags");
  const Value n = k.uniform("cells", cells);
  const Value threshold = k.uniform("threshold", 0U);
  const auto before = k.read("before", Scalar::i32, n);
  const auto after = k.read("after", Scalar::i32, n);
  const auto flags = k.write("flags", Scalar::u32, n);
  k.grid(n);
  const Value i = k.let("i", ir::invocation(0));
  flags[i] = ir::convert(Scalar::u32, distance(before[i], after[i]) > threshold);
  return finished(k);
}

void sheaf_diagonal_reference(std::span<const double> stalks, std::span<const double> restriction,
                              double damping, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = stalks[i] - damping * restriction[i] * stalks[i];
  }
}

void sheaf_diagonal_reference(std::span<const std::int32_t> stalks,
                              std::span<const std::int32_t> restriction, std::int32_t damping,
                              std::span<std::int32_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int32_t rate = vyre::fixed_multiply(damping, restriction[i]);
    out[i] = vyre::fixed_subtract(stalks[i], vyre::fixed_multiply(rate, stalks[i]));
  }
}

Result<SheafDiagonal> SheafDiagonal::make(device::Device& device, std::uint32_t cells) {
  auto step = sheaf_diagonal_program(cells);
  if (!step) return std::unexpected(step.error());
  auto flags = sheaf_flags_program(cells);
  if (!flags) return std::unexpected(flags.error());
  const std::array programs = {*std::move(step), *std::move(flags)};
  auto pipeline = Pipeline::make(device, programs);
  if (!pipeline) return std::unexpected(pipeline.error());
  return SheafDiagonal(*std::move(pipeline));
}

Result<void> SheafDiagonal::operator()(std::span<const std::int32_t> stalks,
                                       std::span<const std::int32_t> restriction,
                                       std::int32_t damping, std::span<std::int32_t> out) {
  const auto done = equilibrium(stalks, restriction, damping, out, {.max_iters = 1});
  if (!done) return std::unexpected(done.error());
  return {};
}

Result<Equilibrium> SheafDiagonal::equilibrium(std::span<const std::int32_t> stalks,
                                               std::span<const std::int32_t> restriction,
                                               std::int32_t damping, std::span<std::int32_t> out,
                                               const EquilibriumOptions& options) {
  Array& cells = pipeline_.array("stalks");
  Array& maps = pipeline_.array("restriction");
  const auto failed = [](Result<void> bad) { return std::unexpected(std::move(bad).error()); };
  if (auto fits = check_fits(name, cells, stalks); !fits) return failed(fits);
  if (auto fits = check_fits(name, maps, restriction); !fits) return failed(fits);
  if (auto fits = check_length(name, "out", out.size(), cells.count()); !fits) return failed(fits);
  if (auto done = cells.write(stalks); !done) return failed(done);
  if (auto done = maps.write(restriction); !done) return failed(done);
  Stage& step = pipeline_.stage(0);
  const Literal rate{Scalar::i32, static_cast<std::uint32_t>(damping)};
  if (auto set = step.set("damping", rate); !set) return failed(set);
  const Literal tolerance{Scalar::u32, options.tolerance};
  if (auto set = step.set("tolerance", tolerance); !set) return failed(set);

  Equilibrium reached;
  while (!reached.converged && reached.iterations < options.max_iters) {
    std::array<std::uint32_t, 1> moving = {0};
    if (auto done = pipeline_.array("moving").write<std::uint32_t>(moving); !done)
      return failed(done);
    if (auto done = step.launch(); !done) return failed(done);
    if (auto done = pipeline_.array("moving").read<std::uint32_t>(moving); !done)
      return failed(done);
    ++reached.iterations;
    reached.converged = moving[0] == 0;
  }
  if (auto done = cells.read(out); !done) return failed(done);
  return reached;
}

Result<void> SheafDiagonal::flags(std::span<const std::int32_t> before,
                                  std::span<const std::int32_t> after, std::uint32_t threshold,
                                  std::span<std::uint32_t> out) {
  Array& from = pipeline_.array("before");
  Array& to = pipeline_.array("after");
  if (auto fits = check_fits(name, from, before); !fits) return fits;
  if (auto fits = check_fits(name, to, after); !fits) return fits;
  if (auto fits = check_fits(name, pipeline_.array("flags"), out); !fits) return fits;
  if (auto done = from.write(before); !done) return done;
  if (auto done = to.write(after); !done) return done;
  Stage& stage = pipeline_.stage(1);
  if (auto set = stage.set("threshold", {Scalar::u32, threshold}); !set) return set;
  if (auto done = stage.launch(); !done) return done;
  return pipeline_.array("flags").read(out);
}

}  // namespace vyre::primitives
