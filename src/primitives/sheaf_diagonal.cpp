// Diffusion on a diagonal sheaf, driven from the host: it reads one counter between launches.
#include <array>
#include <utility>

#include "primitives/checks.h"
#include "primitives/sheaf_programs.h"

namespace vyre::primitives {
namespace {

constexpr std::string_view sheaf_diagonal_name = "sheaf_diffusion_diagonal";

}  // namespace

Result<SheafDiagonal> SheafDiagonal::make(device::Device& device, std::uint32_t cells) {
  auto step = sheaf_diagonal_program(cells);
  if (!step) return Unexpected(step.error());
  auto flags = sheaf_flags_program(cells);
  if (!flags) return Unexpected(flags.error());
  const std::array programs = {*std::move(step), *std::move(flags)};
  auto pipeline = Pipeline::make(device, programs);
  if (!pipeline) return Unexpected(pipeline.error());
  return SheafDiagonal(*std::move(pipeline));
}

Result<void> SheafDiagonal::operator()(std::span<const std::int32_t> stalks,
                                       std::span<const std::int32_t> restriction,
                                       std::int32_t damping, std::span<std::int32_t> out) {
  const auto done = equilibrium(stalks, restriction, damping, out, {.max_iters = 1});
  if (!done) return Unexpected(done.error());
  return {};
}

Result<Equilibrium> SheafDiagonal::equilibrium(std::span<const std::int32_t> stalks,
                                               std::span<const std::int32_t> restriction,
                                               std::int32_t damping, std::span<std::int32_t> out,
                                               const EquilibriumOptions& options) {
  Array& cells = pipeline_.array("stalks");
  Array& maps = pipeline_.array("restriction");
  const auto failed = [](Result<void> bad) { return Unexpected(std::move(bad).error()); };
  if (auto fits = check_fits(sheaf_diagonal_name, cells, stalks); !fits) return failed(fits);
  if (auto fits = check_fits(sheaf_diagonal_name, maps, restriction); !fits) return failed(fits);
  if (auto fits = check_length(sheaf_diagonal_name, "out", out.size(), cells.count()); !fits)
    return failed(fits);
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
  if (auto fits = check_fits(sheaf_diagonal_name, from, before); !fits) return fits;
  if (auto fits = check_fits(sheaf_diagonal_name, to, after); !fits) return fits;
  if (auto fits = check_fits(sheaf_diagonal_name, pipeline_.array("flags"), out); !fits)
    return fits;
  if (auto done = from.write(before); !done) return done;
  if (auto done = to.write(after); !done) return done;
  Stage& stage = pipeline_.stage(1);
  if (auto set = stage.set("threshold", {Scalar::u32, threshold}); !set) return set;
  if (auto done = stage.launch(); !done) return done;
  return pipeline_.array("flags").read(out);
}

}  // namespace vyre::primitives
