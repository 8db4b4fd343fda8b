#include "cli/tune_problem.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/run_inputs.h"
#include "tune/kfac_family.h"

namespace vyre::cli {
namespace {

// A number and what follows it; 0 is as wrong as no number.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || number == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

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
                 .workload = {made->uniforms(), std::move(buffers)}};
}

Result<primitives::KfacOptions> parse_primitive(const std::string& text) {
  std::string_view rest = text;
  constexpr std::string_view kfac = "kfac:";
  if (rest.starts_with(kfac)) {
    rest.remove_prefix(kfac.size());
    const auto blocks = take_number(rest);
    const bool more = rest.starts_with('x');
    if (more) rest.remove_prefix(1);
    const auto n = more ? take_number(rest) : std::nullopt;
    if (blocks && n && rest.empty()) return primitives::KfacOptions{.num_blocks = *blocks, .n = *n};
  }
  return fail(ErrorKind::input,
              fmt::format("--primitive {}: write kfac:BLOCKSxN, for example kfac:1000x16", text));
}

Result<Problem> problem_of(const std::string& name, const primitives::KfacOptions& options) {
  auto family = tune::kfac_family(options);
  if (!family) return Unexpected(family.error());
  auto workload = tune::kfac_workload(options);
  if (!workload) return Unexpected(workload.error());
  family->name = name;
  return Problem{.name = name,
                 .label = name,
                 .sizes = {},
                 .family = *std::move(family),
                 .workload = *std::move(workload)};
}

}  // namespace vyre::cli
