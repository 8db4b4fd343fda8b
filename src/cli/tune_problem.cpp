#include "cli/tune_problem.h"

#include <fmt/format.h>

#include "cli/run_inputs.h"
#include "tune/reordering.h"

namespace vyre::cli {
namespace {

// The uniforms that sizes may be made of.
std::string sizes_text(const ir::Program& program, const ir::Uniforms& given) {
  std::string text;
  for (const ir::Uniform& uniform : program.uniforms) {
    const auto found = given.find(uniform.name);
    const Literal& value = found == given.end() ? uniform.value : found->second;
    if (value.scalar != Scalar::u32) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", uniform.name, value.bits);
  }
  return text;
}

}  // namespace

Expected<Problem, Reported> problem_of(const ProblemFile& file,
                                       const std::vector<std::string>& inputs,
                                       const std::vector<std::string>& set,
                                       const device::Limits& limits) {
  if (!file.program) return Unexpected(file.program.error());
  const auto made = RunInputs::make(*file.program, inputs, set);
  if (!made) return Unexpected(report_failure(file.name, {made.error()}));
  auto family = tune::family_of(*file.program, made->uniforms(), limits);
  if (!family) return Unexpected(report_failure(file.name, {family.error()}));
  std::vector<worker::Data> buffers;
  for (const RunInputs::Buffer& buffer : made->buffers()) {
    buffers.push_back(worker::data(buffer.bytes));
  }
  return Problem{.name = file.name,
                 .label = file.label,
                 .sizes = sizes_text(*file.program, made->uniforms()),
                 .family = *std::move(family),
                 .workload = {made->uniforms(), std::move(buffers)},
                 .reordered = tune::reordered_family(*file.program, made->uniforms(), limits),
                 .is_file = true};
}

Result<ProblemPrimitives> parse_primitives(const std::vector<std::string>& texts) {
  ProblemPrimitives made;
  for (const std::string& text : texts) {
    if (text == "all") {
      made.standard = tune::standard_primitives();
      continue;
    }
    auto shape = tune::parse_primitive(text);
    if (!shape) {
      return fail(ErrorKind::input,
                  fmt::format("--primitive {}: {}, and all", text, shape.error().message));
    }
    made.named.push_back(*std::move(shape));
  }
  return made;
}

Result<Problem> problem_of(const tune::PrimitiveShape& shape, const device::Adapter& adapter) {
  VYRE_TRY(auto made, tune::tunable(shape, adapter));
  return Problem{.name = made.family.name,
                 .label = made.family.name,
                 .sizes = {},
                 .family = std::move(made.family),
                 .workload = std::move(made.workload)};
}

std::string primitive_forms() {
  std::string text;
  for (const tune::PrimitiveKind& kind : tune::primitive_kinds()) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", kind.name, kind.form);
  }
  return text;
}

}  // namespace vyre::cli
