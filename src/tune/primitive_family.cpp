#include "tune/primitive_family.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "base/check.h"
#include "primitives/convolution.h"
#include "primitives/gemm_programs.h"
#include "primitives/kfac_program.h"
#include "primitives/transpose.h"
#include "run/sizes.h"
#include "schedule/schedule_space.h"
#include "tune/gemm_family.h"
#include "tune/kfac_family.h"
#include "tune/shares_family.h"
#include "tune/transpose_family.h"

namespace vyre::tune {
namespace {

using device::Adapter;
using primitives::ConvolutionOptions;
using primitives::GemmOptions;
using primitives::KfacOptions;
using primitives::ReduceOptions;
using primitives::ScanOptions;
using primitives::TransposeOptions;

// The value that a member has of one of its family's parameters.
const space::Value& value_of(const Family& family, std::span<const space::Value> values,
                             std::string_view parameter) {
  const auto parameters = family.space.parameters();
  const auto found = std::ranges::find(parameters, parameter, &space::Parameter::name);
  check(found != parameters.end(), "a primitive's family has its parameters");
  return values[static_cast<std::size_t>(found - parameters.begin())];
}
std::uint32_t number_of(const Family& family, space::Index member, std::string_view parameter) {
  const auto values = family.space.values(member);
  return static_cast<std::uint32_t>(std::get<std::int64_t>(value_of(family, values, parameter)));
}
std::string word_of(const Family& family, space::Index member, std::string_view parameter) {
  const auto values = family.space.values(member);
  return std::get<std::string>(value_of(family, values, parameter));
}

// The steps that a member of a program's own family takes.
schedule::Schedule steps_of(const ir::Program& program, const Family& family, space::Index member) {
  return schedule::schedule_of(program, family.space, member);
}

// All buffers f32; from -1 to 1, the same in every run.
Result<Workload> random_workload(const Result<ir::Program>& program) {
  if (!program) return Unexpected(program.error());
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> any(-1, 1);
  Workload workload;
  for (const ir::Buffer& buffer : run::global_buffers(*program)) {
    VYRE_TRY(const std::size_t size, run::bytes_of(*program, buffer, {}));
    std::vector<float> numbers(size / sizeof(float));
    for (float& number : numbers) number = any(random);
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), numbers.data(), size);
    workload.buffers.push_back(worker::data(std::move(bytes)));
  }
  return workload;
}

Result<ir::Program> kfac_baseline(KfacOptions options) {
  options.schedule = {.layout = primitives::KfacLayout::item};
  return kfac_block_inverse_program(options);
}

KfacOptions kfac_with_member(const KfacOptions& from, const Family& family, space::Index member) {
  using primitives::KfacLayout;
  KfacOptions options = from;
  const std::string layout = word_of(family, member, "layout");
  for (const KfacLayout kind : {KfacLayout::item, KfacLayout::group, KfacLayout::interleaved,
                                KfacLayout::registers, KfacLayout::panels}) {
    if (name_of(kind) == layout) options.schedule.layout = kind;
  }
  options.schedule.lanes = number_of(family, member, "lanes");
  return options;
}

GemmOptions usual_gemm(GemmOptions options, const Adapter& adapter) {
  options.schedule = {.layout = primitives::automatic_layout(adapter)};
  return options;
}

Result<ir::Program> gemm_baseline(const GemmOptions& options) {
  VYRE_TRY(auto programs, gemm_programs(options));
  return std::move(programs.back());
}

// The tiled layout has no passes.
GemmOptions gemm_with_member(const GemmOptions& from, const Family& family, space::Index member) {
  GemmOptions options = from;
  const auto parameters = family.space.parameters();
  const bool packed = !parameters.empty() && parameters[0].name == "depth";
  options.schedule = {.layout =
                          packed ? primitives::GemmLayout::packed : primitives::GemmLayout::tiled};
  if (packed) {
    options.schedule.depth = number_of(family, member, "depth");
    options.schedule.row_panels = number_of(family, member, "row_panels");
    options.schedule.column_panels = number_of(family, member, "column_panels");
    return options;
  }
  const auto program = gemm_baseline(options);
  check(program.has_value(), "a family's options make its program");
  options.schedule.steps = steps_of(*program, family, member);
  return options;
}

ReduceOptions reduce_with_member(const ReduceOptions& from, const Family& family,
                                 space::Index member) {
  ReduceOptions options = from;
  options.items = number_of(family, member, "items");
  options.strided = word_of(family, member, "order") == "strided";
  return options;
}

ScanOptions scan_with_member(const ScanOptions& from, const Family& family, space::Index member) {
  ScanOptions options = from;
  options.items = number_of(family, member, "items");
  return options;
}

ConvolutionOptions as_it_is(ConvolutionOptions options) {
  options.schedule.reset();
  return options;
}
TransposeOptions as_it_is(TransposeOptions options) {
  options.tile = 0;
  options.schedule.reset();
  return options;
}

TransposeOptions transpose_with_member(const TransposeOptions& options, const Family& family,
                                       space::Index member) {
  return transpose_member(options, family.space, member);
}

ConvolutionOptions convolution_with_member(const ConvolutionOptions& options, const Family& family,
                                           space::Index member) {
  ConvolutionOptions made = as_it_is(options);
  const auto program = convolution_program(made);
  check(program.has_value(), "a family's options make its program");
  made.schedule = steps_of(*program, family, member);
  return made;
}

Result<Family> convolution_family(const ConvolutionOptions& options, const Adapter& adapter) {
  VYRE_TRY(const auto program, convolution_program(as_it_is(options)));
  return family_of(program, {}, adapter.limits);
}

}  // namespace

const PrimitiveFamily<KfacOptions> kfac_primitive = {
    .baseline = [](const KfacOptions& options, const Adapter&) { return kfac_baseline(options); },
    .family = [](const KfacOptions& options,
                 const Adapter& adapter) { return kfac_family(options, adapter); },
    .workload = [](const KfacOptions& options, const Adapter&) { return kfac_workload(options); },
    .with_member = kfac_with_member};

// The sizes of its operands are those of the program that multiplies.
const PrimitiveFamily<GemmOptions> gemm_primitive = {
    .baseline = [](const GemmOptions& options,
                   const Adapter& adapter) { return gemm_baseline(usual_gemm(options, adapter)); },
    .family = [](const GemmOptions& options,
                 const Adapter& adapter) { return gemm_family(options, adapter); },
    .workload =
        [](const GemmOptions& options, const Adapter& adapter) {
          return random_workload(gemm_baseline(usual_gemm(options, adapter)));
        },
    .with_member = gemm_with_member};

const PrimitiveFamily<ReduceOptions> reduce_primitive = {.baseline = reduce_baseline,
                                                         .family = reduce_family,
                                                         .workload = reduce_workload,
                                                         .with_member = reduce_with_member};

const PrimitiveFamily<ScanOptions> scan_primitive = {.baseline = scan_baseline,
                                                     .family = scan_family,
                                                     .workload = scan_workload,
                                                     .with_member = scan_with_member};

const PrimitiveFamily<TransposeOptions> transpose_primitive = {
    .baseline = [](const TransposeOptions& options,
                   const Adapter&) { return transpose_program(as_it_is(options)); },
    .family = transpose_family,
    .workload =
        [](const TransposeOptions& options, const Adapter&) {
          return random_workload(transpose_program(as_it_is(options)));
        },
    .with_member = transpose_with_member};

const PrimitiveFamily<ConvolutionOptions> convolution_primitive = {
    .baseline = [](const ConvolutionOptions& options,
                   const Adapter&) { return convolution_program(as_it_is(options)); },
    .family = convolution_family,
    .workload =
        [](const ConvolutionOptions& options, const Adapter&) {
          return random_workload(convolution_program(as_it_is(options)));
        },
    .with_member = convolution_with_member};

}  // namespace vyre::tune
