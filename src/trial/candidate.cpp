#include "trial/candidate.h"

#include <fmt/format.h>

#include "run/sizes.h"
#include "trial/reference.h"
#include "worker/message.h"

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

// The kernels of all stages, with their scalars and without buffers.
Result<worker::Job> job_of(const run::Request& request, Language language) {
  const auto& [program, uniforms] = request;
  const auto stages = ir::stages(program);
  std::vector<emit::Unit> units;
  for (const ir::Program& stage : stages) {
    units.push_back({stage, run::size_uniforms(stage, uniforms)});
  }
  VYRE_TRY(const auto source, emit::emit(units, language));
  worker::Job job{.source = source.text};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    VYRE_TRY(const Shape shape, ir::launch_shape(stages[i], uniforms));
    worker::JobStage stage{.entry = source.entries[i].name, .scalars = {}, .shape = shape};
    for (const std::string& name : source.entries[i].uniforms) {
      stage.scalars.push_back(ir::uniform_value(program, name, uniforms));
    }
    if (i > 0) {
      job.then.push_back(std::move(stage));
      continue;
    }
    job.entry = std::move(stage.entry);
    job.shape = stage.shape;
    job.arguments.assign(stage.scalars.begin(), stage.scalars.end());
  }
  return job;
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
  VYRE_TRY(auto kernel, job_of(request, language));
  Candidate made{.name = program.name, .kernel = std::move(kernel)};
  const auto contents = options.canaries ? initial(declared, buffers) : buffers;
  std::vector<worker::Argument> arguments;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    arguments.emplace_back(worker::BufferArgument{contents[i], declared[i].access});
  }
  for (const ir::Buffer& buffer : ir::scratch_buffers(program)) {
    VYRE_TRY(const auto bytes, run::bytes_of(program, buffer, uniforms));
    if (bytes > worker::max_content_bytes) {
      return fail(ErrorKind::limit,
                  fmt::format("scratch buffer '{}' of program {} has {} bytes; {} are the most for "
                              "a worker",
                              buffer.name, program.name, bytes, worker::max_content_bytes));
    }
    arguments.emplace_back(worker::BufferArgument{canary(bytes), Access::write});
  }
  arguments.insert(arguments.end(), made.kernel.arguments.begin(), made.kernel.arguments.end());
  made.kernel.arguments = std::move(arguments);
  if (!options.expect) return made;
  VYRE_TRY(const Reference reference,
           Reference::make(request, buffers, {.steps = all_steps, .tolerance = options.tolerance}));
  made.expected = reference.expected();
  return made;
}

}  // namespace vyre::trial
