#include "tune/bound.h"

#include <algorithm>

#include "ir/facts.h"
#include "run/sizes.h"

namespace vyre::tune {
namespace {

double as_double(std::uint64_t value) { return static_cast<double>(value); }

std::uint64_t& bytes_in(Work& work, Access access) {
  switch (access) {
    case Access::read:
      return work.read_bytes;
    case Access::write:
      return work.written_bytes;
    case Access::read_write:
      return work.updated_bytes;
  }
  return work.updated_bytes;
}

}  // namespace

Result<Work> work_of(const ir::Program& program, const ir::Uniforms& uniforms) {
  VYRE_TRY(const auto facts, ir::facts(program, uniforms));
  Work work{.operations = facts.float_ops + facts.special_ops, .exact = facts.exact};
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    VYRE_TRY(const auto bytes, run::bytes_of(program, buffer, uniforms));
    bytes_in(work, buffer.access) += bytes;
  }
  if (!facts.exact) return work;
  work.read_bytes = std::min(work.read_bytes, facts.global_bytes_read);
  work.written_bytes = std::min(work.written_bytes, facts.global_bytes_written);
  work.updated_bytes = std::min(work.updated_bytes, facts.global_bytes_written);
  return work;
}

std::string_view to_string(Limit limit) { return limit == Limit::memory ? "memory" : "arithmetic"; }

Limit Bound::limit() const {
  return memory_ns >= arithmetic_ns ? Limit::memory : Limit::arithmetic;
}

double Bound::ns() const { return std::max(memory_ns, arithmetic_ns); }

Bound bound_of(const Work& work, const Roof& roof) {
  return {
      .memory_ns = as_double(work.read_bytes) / roof.read_bytes +
                   as_double(work.written_bytes) / roof.written_bytes +
                   as_double(work.updated_bytes) / std::min(roof.read_bytes, roof.written_bytes),
      .arithmetic_ns = as_double(work.operations) / roof.operations};
}

}  // namespace vyre::tune
