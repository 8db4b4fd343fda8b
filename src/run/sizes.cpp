#include "run/sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "ir/grouping.h"
#include "ir/visit.h"

namespace vyre::run {
namespace {

void collect(const ir::Expr& size, const ir::Program& program, const ir::Uniforms& given,
             ir::Uniforms& into) {
  ir::for_each_expr(size, [&](const ir::Expr& e) {
    if (const auto* var = ir::as<ir::Var>(e)) {
      into[var->name] = ir::uniform_value(program, var->name, given);
    }
  });
}

Result<void> check_workgroup(const ir::Program& program, const device::Adapter& adapter) {
  const auto& [x, y, z] = program.workgroup;
  const std::uint64_t most = adapter.limits.max_workgroup;
  // Divided, not multiplied: the product of three sizes may leave 64 bits.
  if (x > most || y > most / x || z > most / x / y) {
    return fail(ErrorKind::limit,
                fmt::format("program {} has workgroups of {} x {} x {}; {} allows {} invocations "
                            "in one: choose a smaller workgroup",
                            program.name, x, y, z, adapter.name, most));
  }
  for (std::size_t d = 0; d < 3; ++d) {
    if (program.workgroup[d] <= adapter.limits.max_workgroup_dims[d]) continue;
    return fail(ErrorKind::limit,
                fmt::format("program {} has workgroups of {} x {} x {}; {} allows {} in {}: choose "
                            "a smaller workgroup",
                            program.name, x, y, z, adapter.name,
                            adapter.limits.max_workgroup_dims[d], "xyz"[d]));
  }
  return {};
}

// What is private lives across a barrier for all invocations of a group at a time. Drivers for CPUs
// keep that on the stack of one thread, which they do not ask for more than it has.
constexpr std::uint64_t most_private_bytes = 2U << 20U;

Result<void> check_kept(const ir::Program& program, const ir::Uniforms& uniforms) {
  if (!ir::has_barrier(program.body)) return {};
  std::uint64_t each = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::own) continue;
    const auto bytes = bytes_of(program, buffer, uniforms);
    if (!bytes) return Unexpected(bytes.error());
    each += *bytes;
  }
  const auto& [x, y, z] = program.workgroup;
  const std::uint64_t invocations = std::uint64_t{x} * y * z;
  if (each <= most_private_bytes / invocations) return {};
  return fail(ErrorKind::limit,
              fmt::format("the {} invocations of a workgroup of program {} keep {} bytes each in "
                          "private buffers while they wait for the others; at most {} in all are "
                          "accepted: choose a smaller workgroup",
                          invocations, program.name, each, most_private_bytes));
}

}  // namespace

ir::Uniforms size_uniforms(const ir::Program& program, const ir::Uniforms& given) {
  ir::Uniforms sized;
  for (const ir::Expr& extent : program.grid) collect(extent, program, given, sized);
  for (const ir::Stage& stage : program.then) {
    for (const ir::Expr& extent : stage.grid) collect(extent, program, given, sized);
  }
  for (const ir::Buffer& buffer : program.buffers) collect(buffer.count, program, given, sized);
  return sized;
}

std::vector<ir::Buffer> global_buffers(const ir::Program& program) {
  std::vector<ir::Buffer> global;
  std::ranges::copy_if(program.buffers, std::back_inserter(global), [](const ir::Buffer& buffer) {
    return buffer.memory == ir::Memory::global;
  });
  return global;
}

Result<std::size_t> bytes_of(const ir::Program& program, const ir::Buffer& buffer,
                             const ir::Uniforms& uniforms) {
  const auto count = ir::evaluate_size(program, buffer.count, uniforms);
  if (!count) return Unexpected(count.error());
  return std::size_t{*count} * storage_bytes(buffer.element);
}

Failure wrong_length(std::string_view program, const ir::Buffer& buffer, std::size_t needed,
                     std::size_t given) {
  return fail(ErrorKind::input,
              fmt::format("buffer '{}' of program {} needs {} bytes ({} of {}), {} were given",
                          buffer.name, program, needed, needed / storage_bytes(buffer.element),
                          name_of(buffer.element), given));
}

Result<void> check_limits(const ir::Program& program, const ir::Uniforms& uniforms,
                          const device::Adapter& adapter) {
  if (auto fits = check_workgroup(program, adapter); !fits) return fits;
  if (auto fits = check_kept(program, uniforms); !fits) return fits;
  std::size_t total = 0;
  std::vector<std::string> parts;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::shared) continue;
    const auto bytes = bytes_of(program, buffer, uniforms);
    if (!bytes) return Unexpected(bytes.error());
    total += *bytes;
    parts.push_back(fmt::format("{} {}", buffer.name, *bytes));
  }
  if (total <= adapter.limits.shared_bytes) return {};
  return fail(
      ErrorKind::limit,
      fmt::format("program {} needs {} bytes of shared memory per workgroup ({}); {} has {}",
                  program.name, total, fmt::join(parts, ", "), adapter.name,
                  adapter.limits.shared_bytes));
}

}  // namespace vyre::run
