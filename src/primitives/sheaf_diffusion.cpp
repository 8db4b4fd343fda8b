// Diffusion on a sheaf, driven from the host: it reads one counter between launches.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "primitives/checks.h"
#include "primitives/sheaf_layout.h"
#include "primitives/sheaf_programs.h"

namespace vyre::primitives {
namespace {

constexpr std::string_view sheaf_diffusion_name = "sheaf_diffusion";

enum StageIndex : std::size_t {
  coboundary_stage,
  laplacian_stage,
  diffuse_stage,
  disagreement_stage
};

Literal literal_of(float value) { return {Scalar::f32, std::bit_cast<std::uint32_t>(value)}; }

Result<void> upload(Pipeline& pipeline, const std::string& which, const Sparse& sparse) {
  if (auto done = pipeline.array(which + "_start").write<std::uint32_t>(sparse.start); !done) {
    return done;
  }
  if (auto done = pipeline.array(which + "_column").write<std::uint32_t>(sparse.column); !done) {
    return done;
  }
  return pipeline.array(which + "_value").write<float>(sparse.value);
}

double dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](double x, double y) { return x * y; });
}

// A part of every eigenvector: numbers of both signs without pattern, the same everywhere.
void fill_start(std::span<float> vector) {
  std::uint32_t state = 1;
  for (float& value : vector) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(std::ldexp(static_cast<double>(state), -31) - 1);
  }
}

void scale_into(std::span<const float> from, double factor, std::span<float> to) {
  std::ranges::transform(from, to.begin(),
                         [=](float value) { return static_cast<float>(factor * value); });
}

}  // namespace

SheafDiffusion::SheafDiffusion(Pipeline pipeline, std::uint32_t nodes, std::uint32_t rows,
                               std::uint32_t edges, double bound)
    : pipeline_(std::move(pipeline)),
      rows_(rows),
      edges_(edges),
      bound_(bound),
      vector_(nodes),
      image_(nodes) {}

Result<SheafDiffusion> SheafDiffusion::make(device::Device& device, const Sheaf& sheaf) {
  const auto programs = sheaf_diffusion_programs(sheaf);
  if (!programs) return Unexpected(programs.error());
  auto pipeline = Pipeline::make(device, *programs);
  if (!pipeline) return Unexpected(pipeline.error());
  const SheafLayout layout = lay_out(sheaf);
  if (auto done = upload(*pipeline, "d", layout.d); !done) return Unexpected(done.error());
  if (auto done = upload(*pipeline, "t", layout.transposed); !done) {
    return Unexpected(done.error());
  }
  if (auto done = pipeline->array("edge_start").write<std::uint32_t>(layout.edge_start); !done) {
    return Unexpected(done.error());
  }
  return SheafDiffusion(*std::move(pipeline), layout.columns(), edge_space(sheaf),
                        static_cast<std::uint32_t>(sheaf.edges.size()), eigenvalue_bound(layout));
}

Result<void> SheafDiffusion::load(std::span<const float> x) {
  Array& array = pipeline_.array("x");
  if (auto fits = check_fits(sheaf_diffusion_name, array, x); !fits) return fits;
  if (auto finite = check_finite(sheaf_diffusion_name, "x", x); !finite) return finite;
  return array.write(x);
}

Result<void> SheafDiffusion::coboundary(std::span<const float> x, std::span<float> dx) {
  if (auto fits = check_length(sheaf_diffusion_name, "dx", dx.size(), rows_); !fits) return fits;
  if (auto done = load(x); !done || rows_ == 0) return done;
  if (auto done = pipeline_.stage(coboundary_stage).launch(); !done) return done;
  return pipeline_.array("dx").read(dx);
}

Result<void> SheafDiffusion::apply_laplacian() {
  if (auto done = pipeline_.stage(coboundary_stage).launch(); !done) return done;
  return pipeline_.stage(laplacian_stage).launch();
}

Result<void> SheafDiffusion::laplacian(std::span<const float> x, std::span<float> lx) {
  if (auto fits = check_fits(sheaf_diffusion_name, pipeline_.array("lx"), lx); !fits) return fits;
  if (auto done = load(x); !done) return done;
  if (auto done = apply_laplacian(); !done) return done;
  return pipeline_.array("lx").read(lx);
}

// For a unit vector v there is an eigenvalue within |L v - r v| of r = v . L v, and power iteration
// leads to the largest.
Result<double> SheafDiffusion::largest_eigenvalue() {
  if (lambda_ >= 0) return lambda_;
  constexpr int least_iterations = 16;
  constexpr int most_iterations = 300;
  constexpr double close = 1e-3;
  constexpr double rounding = 1 + 1e-6;
  fill_start(vector_);
  scale_into(vector_, 1 / std::sqrt(dot(vector_, vector_)), vector_);
  double upper = 0;
  for (int i = 0; i < most_iterations; ++i) {
    if (auto done = laplacian(vector_, image_); !done) return Unexpected(done.error());
    const double quotient = dot(vector_, image_);
    const double squared = dot(image_, image_);
    if (squared == 0) break;  // L is zero
    if (!std::isfinite(squared)) {
      return refuse(sheaf_diffusion_name, "the maps are so large that L x leaves the range of f32");
    }
    const double open = std::sqrt(std::max(0.0, squared - quotient * quotient));
    upper = (quotient + open) * rounding;
    scale_into(image_, 1 / std::sqrt(squared), vector_);
    if (i >= least_iterations && open <= close * quotient) break;
  }
  lambda_ = std::min(upper, bound_);
  return lambda_;
}

Result<float> SheafDiffusion::safe_step() {
  const auto lambda = largest_eigenvalue();
  if (!lambda) return Unexpected(lambda.error());
  return *lambda > 0 ? static_cast<float>(1 / *lambda) : 1.0F;
}

Result<Diffusion> SheafDiffusion::iterate(const DiffusionOptions& options, float step) {
  Diffusion reached{.step = step};
  Array& counter = pipeline_.array("moving");
  while (!reached.converged && reached.iterations < options.max_iters) {
    std::array<std::uint32_t, 1> moving = {0};
    if (auto done = counter.write<std::uint32_t>(moving); !done) return Unexpected(done.error());
    for (const StageIndex stage : {coboundary_stage, diffuse_stage}) {
      if (auto done = pipeline_.stage(stage).launch(); !done) return Unexpected(done.error());
    }
    if (auto done = counter.read<std::uint32_t>(moving); !done) return Unexpected(done.error());
    ++reached.iterations;
    reached.converged = moving[0] == 0;
  }
  return reached;
}

Result<Diffusion> SheafDiffusion::diffuse(std::span<const float> x, std::span<float> out,
                                          const DiffusionOptions& options) {
  const auto failed = [](const Error& error) { return Unexpected(error); };
  if (auto fits = check_length(sheaf_diffusion_name, "out", out.size(), vector_.size()); !fits) {
    return failed(fits.error());
  }
  if (auto fits = check_diffusion(options); !fits) return failed(fits.error());
  const auto step = options.step > 0 ? Result<float>(options.step) : safe_step();
  if (!step) return failed(step.error());
  Stage& stage = pipeline_.stage(diffuse_stage);
  if (auto set = stage.set("rate", literal_of(*step)); !set) return failed(set.error());
  if (auto set = stage.set("tolerance", literal_of(options.tolerance)); !set) {
    return failed(set.error());
  }
  if (auto done = load(x); !done) return failed(done.error());
  auto reached = iterate(options, *step);
  if (!reached) return reached;
  if (auto done = pipeline_.array("x").read(out); !done) return failed(done.error());
  if (std::ranges::all_of(out, [](float value) { return std::isfinite(value); })) return reached;
  const auto most = safe_step();
  if (!most) return failed(most.error());
  return refuse(sheaf_diffusion_name,
                fmt::format("a step of {:.4g} leaves the range of f32 in {} iterations; at "
                            "most {:.4g} is safe",
                            *step, reached->iterations, *most));
}

Result<void> SheafDiffusion::disagree(std::span<const float> x, float threshold) {
  if (auto done = load(x); !done) return done;
  Stage& stage = pipeline_.stage(disagreement_stage);
  if (auto set = stage.set("threshold", literal_of(threshold)); !set) return set;
  if (auto done = pipeline_.stage(coboundary_stage).launch(); !done) return done;
  return stage.launch();
}

Result<void> SheafDiffusion::disagreement(std::span<const float> x, std::span<float> out) {
  if (auto fits = check_length(sheaf_diffusion_name, "out", out.size(), edges_); !fits) return fits;
  if (auto done = disagree(x, 0); !done || edges_ == 0) return done;
  return pipeline_.array("disagreement").read(out);
}

Result<void> SheafDiffusion::flags(std::span<const float> x, float threshold,
                                   std::span<std::uint32_t> out) {
  if (auto fits = check_length(sheaf_diffusion_name, "out", out.size(), edges_); !fits) return fits;
  if (std::isnan(threshold))
    return refuse(sheaf_diffusion_name, "threshold is nan; it must be a number");
  if (auto done = disagree(x, threshold); !done || edges_ == 0) return done;
  return pipeline_.array("flags").read(out);
}

}  // namespace vyre::primitives
