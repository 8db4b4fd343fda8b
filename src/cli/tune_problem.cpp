#include "cli/tune_problem.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <random>

#include "cli/program_file.h"
#include "cli/run_inputs.h"
#include "tune/remember.h"

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

// Symmetric blocks with eigenvalues near n and above, as damped Kronecker factors have.
std::vector<float> definite_blocks(std::uint32_t count, std::uint32_t n) {
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<float> blocks(std::size_t{count} * n * n);
  for (std::size_t b = 0; b < count; ++b) {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        const float value = i == j ? 2.0F * static_cast<float>(n) : any(random);
        blocks[(b * n + i) * n + j] = blocks[(b * n + j) * n + i] = value;
      }
    }
  }
  return blocks;
}

Result<std::vector<worker::Data>> kfac_contents(const ir::Program& program,
                                                const primitives::KfacOptions& options) {
  std::vector<worker::Data> contents;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == ir::Memory::shared) continue;
    const auto count = ir::evaluate_size(program, buffer.count);
    if (!count) return std::unexpected(count.error());
    std::vector<std::byte> bytes(std::size_t{*count} * storage_bytes(buffer.element));
    if (buffer.name == "blocks_in") {
      const auto blocks = definite_blocks(options.num_blocks, options.n);
      std::memcpy(bytes.data(), blocks.data(), bytes.size());
    }
    contents.push_back(worker::data(std::move(bytes)));
  }
  return contents;
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

std::expected<Problem, ExitStatus> problem_of(const ProblemFile& file,
                                              const std::vector<std::string>& inputs,
                                              const std::vector<std::string>& set,
                                              const device::Limits& limits) {
  const auto made = RunInputs::make(file.program, inputs, set);
  if (!made) return std::unexpected(report(file.name, {made.error()}));
  auto family = tune::family_of(file.program, made->uniforms(), limits);
  if (!family) return std::unexpected(report(file.name, {family.error()}));
  const auto dispatch = tune::dispatch_of(file.program, made->uniforms());
  if (!dispatch) return std::unexpected(report(file.name, {dispatch.error()}));
  std::vector<worker::Data> buffers;
  for (const RunInputs::Buffer& buffer : made->buffers()) {
    buffers.push_back(worker::data(buffer.bytes));
  }
  return Problem{.name = file.name,
                 .label = file.label,
                 .sizes = sizes_text(file.program, made->uniforms()),
                 .family = *std::move(family),
                 .workload = {made->uniforms(), std::move(buffers)},
                 .dispatch = *dispatch};
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
  if (!family) return std::unexpected(family.error());
  const auto original = family->member(family->original);
  if (!original) return std::unexpected(original.error());
  const auto dispatch = tune::dispatch_of(*original, {});
  if (!dispatch) return std::unexpected(dispatch.error());
  auto contents = kfac_contents(*original, options);
  if (!contents) return std::unexpected(contents.error());
  family->name = name;
  return Problem{.name = name,
                 .label = name,
                 .sizes = {},
                 .family = *std::move(family),
                 .workload = {{}, *std::move(contents)},
                 .dispatch = *dispatch};
}

}  // namespace vyre::cli
