#include "cli/run_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "vyre/ir/text.h"

namespace vyre::cli {
namespace {

using Given = RunInputs::Given;

Result<Given> named(const std::vector<std::string>& options, std::string_view option) {
  Given given;
  for (const std::string& text : options) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::input, fmt::format("{} {}: write NAME=...", option, text));
    }
    if (!given.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
      return fail(ErrorKind::input,
                  fmt::format("{} {}: '{}' is given twice", option, text, text.substr(0, equals)));
    }
  }
  return given;
}

Failure with_option(const Error& error, std::string_view option, std::string_view name) {
  return fail(error.kind, fmt::format("{} {}: {}", option, name, error.message));
}

Result<ir::Uniforms> read_uniforms(const ir::Program& program, const Given& given) {
  ir::Uniforms made;
  for (const auto& [name, text] : given) {
    const ir::Uniform* declared = ir::find_uniform(program, name);
    if (declared == nullptr) {
      return fail(ErrorKind::input,
                  fmt::format("--set {}: program {} has no such uniform", name, program.name));
    }
    const Scalar scalar = declared->value.scalar;
    const auto bits = run::value_bits(text, scalar);
    if (!bits) return with_option(bits.error(), "--set", name);
    made[name] = Literal{scalar, *bits};
  }
  return made;
}

// A count that is just a uniform takes its value from the data, unless that was set.
Result<void> deduce(const ir::Buffer& buffer, std::uint32_t count, const Given& set,
                    ir::Uniforms& uniforms) {
  const auto* var = ir::as<ir::Var>(buffer.count);
  if (var == nullptr || set.contains(var->name)) return {};
  const Literal value{Scalar::u32, count};
  const auto [at, added] = uniforms.emplace(var->name, value);
  if (!added && at->second != value) {
    return fail(ErrorKind::input,
                fmt::format("--in {}: {} elements make {} = {}, but another buffer makes it {}",
                            buffer.name, count, var->name, count, at->second.bits));
  }
  return {};
}

}  // namespace

Result<ir::Uniforms> parse_uniforms(const ir::Program& program,
                                    const std::vector<std::string>& options) {
  VYRE_TRY(const auto given, named(options, "--set"));
  return read_uniforms(program, given);
}

Result<RunInputs> RunInputs::make(const ir::Program& program,
                                  const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& uniforms) {
  const auto given = named(inputs, "--in");
  if (!given) return Unexpected(given.error());
  const auto set = named(uniforms, "--set");
  if (!set) return Unexpected(set.error());
  auto values = read_uniforms(program, *set);
  if (!values) return Unexpected(values.error());
  RunInputs made;
  made.uniforms_ = *std::move(values);
  for (const ir::Buffer& b : program.buffers) {
    if (b.memory == ir::Memory::global) made.buffers_.push_back({&b, {}});
  }
  // Sizes first: a buffer that is not given is as long as the others make it.
  auto data = made.read_data(program, *given, *set);
  if (!data) return Unexpected(data.error());
  if (auto filled = made.fill(program, *data); !filled) return Unexpected(filled.error());
  return made;
}

Result<RunInputs::Described> RunInputs::read_data(const ir::Program& program, const Given& given,
                                                  const Given& set) {
  Described made;
  for (const auto& [name, description] : given) {
    const Buffer* buffer = find(name);
    if (buffer == nullptr) {
      return fail(ErrorKind::input, fmt::format("--in {}: program {} has no such buffer; it has {}",
                                                name, program.name, names()));
    }
    auto data = run::Data::read(description, buffer->declared->element);
    if (!data) return with_option(data.error(), "--in", name);
    if (const auto count = data->count()) {
      const auto fits = deduce(*buffer->declared, *count, set, uniforms_);
      if (!fits) return Unexpected(fits.error());
    }
    made.emplace(name, *std::move(data));
  }
  return made;
}

Result<void> RunInputs::fill(const ir::Program& program, Described& data) {
  for (Buffer& buffer : buffers_) {
    const ir::Buffer& b = *buffer.declared;
    const auto count = ir::evaluate_size(program, b.count, uniforms_);
    if (!count) return Unexpected(count.error());
    const auto given = data.find(b.name);
    if (given != data.end() && given->second.count().value_or(*count) != *count) {
      return fail(ErrorKind::input,
                  fmt::format("--in {}: {} elements given, but {} = {}; --set changes it", b.name,
                              *given->second.count(), ir::print(b.count), *count));
    }
    auto bytes = given != data.end() ? std::move(given->second).bytes(*count)
                                     : run::make_data(not_given(b, *count), b.element, *count);
    if (!bytes) return with_option(bytes.error(), "--in", b.name);
    buffer.bytes = *std::move(bytes);
  }
  return {};
}

std::string RunInputs::not_given(const ir::Buffer& buffer, std::uint32_t count) {
  if (buffer.access == Access::write) return "fill:0";
  notes_.push_back(fmt::format("{} is not given: random:0:{}", buffer.name, count));
  return "random:0";
}

std::vector<std::span<std::byte>> RunInputs::spans() {
  std::vector<std::span<std::byte>> made;
  for (Buffer& b : buffers_) made.emplace_back(b.bytes);
  return made;
}

const RunInputs::Buffer* RunInputs::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(buffers_, [&](const Buffer& b) { return b.declared->name == name; });
  return found == buffers_.end() ? nullptr : &*found;
}

std::string RunInputs::names() const {
  std::string list;
  for (const Buffer& b : buffers_) list += (list.empty() ? "" : ", ") + b.declared->name;
  return list.empty() ? "none" : list;
}

}  // namespace vyre::cli
