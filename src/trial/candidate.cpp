#include "trial/candidate.h"

#include <fmt/format.h>

#include "run/sizes.h"
#include "trial/reference.h"

namespace vyre::trial {
namespace {

Result<void> check_lengths(const run::Request& request, const std::vector<ir::Buffer>& declared,
                           const std::vector<worker::Data>& buffers) {
  if (buffers.size() != declared.size()) {
    return fail(ErrorKind::input,
                fmt::format("program {} has {} buffers, {} were given", request.program.name,
                            declared.size(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto bytes = run::bytes_of(request.program, declared[i], request.uniforms);
    if (!bytes) return Unexpected(bytes.error());
    if (*bytes != buffers[i]->size()) {
      return run::wrong_length(request.program.name, declared[i], *bytes, buffers[i]->size());
    }
  }
  return {};
}

// What buffers hold before a launch: those that are only written start as canaries.
std::vector<worker::Data> initial(const std::vector<ir::Buffer>& declared,
                                  const std::vector<worker::Data>& buffers) {
  std::vector<worker::Data> contents = buffers;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::write) contents[i] = canary(buffers[i]->size());
  }
  return contents;
}

Result<void> check_contents(const run::Request& request, const std::vector<ir::Buffer>& declared,
                            const std::vector<worker::Data>& buffers) {
  if (auto known = ir::check_uniforms(request.program, request.uniforms); !known) return known;
  return check_lengths(request, declared, buffers);
}

}  // namespace

worker::Data canary(std::size_t bytes) {
  // As a number of any type it is unlikely to be a result: -2.9e-16 as f32, 2779096485 as u32.
  return worker::data(std::vector<std::byte>(bytes, std::byte{0xa5}));
}

Result<std::vector<worker::Data>> initial_contents(const run::Request& request,
                                                   const std::vector<worker::Data>& buffers) {
  const auto declared = run::global_buffers(request.program);
  if (auto fit = check_contents(request, declared, buffers); !fit) return Unexpected(fit.error());
  return initial(declared, buffers);
}

Result<Candidate> candidate(const run::Request& request, const std::vector<worker::Data>& buffers,
                            Language language, const ProgramOptions& options) {
  const auto& [program, uniforms] = request;
  const auto declared = run::global_buffers(program);
  if (auto fit = check_contents(request, declared, buffers); !fit) return Unexpected(fit.error());
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  const emit::Unit unit{program, run::size_uniforms(program, uniforms)};
  const auto source = emit::emit(std::span(&unit, 1), language);
  if (!source) return Unexpected(source.error());

  const emit::Entry& entry = source->entries.front();
  Candidate made{.name = program.name,
                 .kernel = {.source = source->text, .entry = entry.name, .shape = *shape}};
  const auto contents = options.canaries ? initial(declared, buffers) : buffers;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    made.kernel.arguments.emplace_back(worker::BufferArgument{contents[i], declared[i].access});
  }
  for (const std::string& name : entry.uniforms) {
    made.kernel.arguments.emplace_back(ir::uniform_value(program, name, uniforms));
  }
  if (!options.expect) return made;
  VYRE_TRY(const Reference reference,
           Reference::make(request, buffers, {.steps = all_steps, .tolerance = options.tolerance}));
  made.expected = reference.expected();
  return made;
}

}  // namespace vyre::trial
