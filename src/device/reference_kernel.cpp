#include "device/reference_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/launch_shape.h"
#include "interpret/interpret.h"
#include "ir/grouping.h"
#include "ir/visit.h"

namespace vyre::device {
namespace {

bool sizes_depend_on(const ir::Program& program, const ir::Uniform& uniform) {
  return ir::any_size_expr(program, [&](const ir::Expr& e) {
    const auto* var = ir::as<ir::Var>(e);
    return var != nullptr && var->name == uniform.name;
  });
}

}  // namespace

ReferenceKernel::ReferenceKernel(ir::Program program)
    : program_(std::move(program)), any_workgroup_(!ir::depends_on_workgroup(program_)) {
  for (const ir::Buffer& buffer : program_.buffers) {
    if (buffer.memory == ir::Memory::global) ++buffer_count_;
  }
  for (const ir::Uniform& uniform : program_.uniforms) {
    if (!sizes_depend_on(program_, uniform)) free_uniforms_.push_back(uniform);
  }
}

Result<void> ReferenceKernel::gather_buffer(std::size_t index, const Argument& argument) {
  Buffer* const* given = std::get_if<Buffer*>(&argument);
  auto* own = given == nullptr ? nullptr : dynamic_cast<ReferenceBuffer*>(*given);
  if (own == nullptr) {
    return fail(ErrorKind::input,
                fmt::format("argument {} of kernel '{}' is not a buffer of the reference device",
                            index, program_.name));
  }
  buffers_.emplace_back(own->content());
  return {};
}

Result<void> ReferenceKernel::gather_uniform(std::size_t index, const Argument& argument,
                                             const ir::Uniform& declared) {
  const auto* given = std::get_if<Literal>(&argument);
  if (given == nullptr || given->scalar != declared.value.scalar) {
    return fail(ErrorKind::input,
                fmt::format("argument {} of kernel '{}' is the uniform '{}' of type {}", index,
                            program_.name, declared.name, name_of(declared.value.scalar)));
  }
  uniforms_[declared.name] = *given;
  return {};
}

Result<void> ReferenceKernel::gather(std::span<const Argument> arguments) {
  const bool all = arguments.size() == buffer_count_ + program_.uniforms.size();
  const auto& uniforms = all ? program_.uniforms : free_uniforms_;
  const std::size_t expected = buffer_count_ + uniforms.size();
  if (arguments.size() != expected) {
    return fail(ErrorKind::input, fmt::format("kernel '{}' takes {} arguments, {} were given",
                                              program_.name, expected, arguments.size()));
  }
  buffers_.clear();
  uniforms_.clear();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto gathered = i < buffer_count_
                        ? gather_buffer(i, arguments[i])
                        : gather_uniform(i, arguments[i], uniforms[i - buffer_count_]);
    if (!gathered) return gathered;
  }
  return {};
}

Result<void> ReferenceKernel::fit(const Shape& shape) {
  if (shape.workgroup != program_.workgroup && !any_workgroup_) {
    return fail(
        ErrorKind::input,
        fmt::format("program {} computes with workgroups of {}: it cannot run with {}",
                    program_.name, to_string(program_.workgroup), to_string(shape.workgroup)));
  }
  program_.workgroup = shape.workgroup;
  const auto own = ir::launch_shape(program_, uniforms_);
  if (!own) return Unexpected(own.error());
  if (own->grid != shape.grid) {
    return fail(ErrorKind::input,
                fmt::format("program {} has a grid of {}, the launch one of {}", program_.name,
                            to_string(own->grid), to_string(shape.grid)));
  }
  return {};
}

Result<void> ReferenceKernel::run(std::span<const Argument> arguments, const Shape& shape) {
  if (auto gathered = gather(arguments); !gathered) return gathered;
  if (auto fits = fit(shape); !fits) return fits;
  const auto ran = interpret::run(program_, uniforms_, buffers_);
  if (!ran) return Unexpected(ran.error());
  return {};
}

}  // namespace vyre::device
