// Any valid program either runs on the interpreter or is stopped with a reason, and can be emitted.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <vector>

#include "emit/emit.h"
#include "interpret/interpret.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace {

using namespace vyre;

// Enough to reach every statement, little enough for thousands of runs a second.
constexpr std::uint32_t most_elements = 1U << 14U;
constexpr std::uint64_t most_invocations = 1U << 10U;
constexpr interpret::Options options = {.step_limit = 20'000};

bool has_small_shape(const ir::Program& stage) {
  const auto evaluated = ir::launch_shape(stage);
  if (!evaluated) return false;
  const Shape& shape = *evaluated;
  std::uint64_t invocations = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (shape.workgroup[d] > most_invocations || shape.groups[d] > most_invocations) return false;
    invocations *= std::uint64_t{shape.workgroup[d]} * shape.groups[d];
    if (invocations > most_invocations) return false;
  }
  return true;
}

// The global buffers, filled with ones; nothing if a buffer is too large or has no size.
std::optional<std::vector<std::vector<std::byte>>> buffers_of(const ir::Program& program) {
  std::vector<std::vector<std::byte>> buffers;
  for (const ir::Buffer& buffer : program.buffers) {
    const auto count = ir::evaluate_size(program, buffer.count);
    if (!count || *count > most_elements) return std::nullopt;
    if (buffer.memory != ir::Memory::global) continue;
    buffers.emplace_back(*count * storage_bytes(buffer.element), std::byte{1});
  }
  return buffers;
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "interpret_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto program = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!program) return 0;
  const auto stages = ir::stages(*program);
  auto content = buffers_of(*program);
  if (!std::ranges::all_of(stages, has_small_shape) || !content) return 0;

  const std::vector<std::span<std::byte>> buffers(content->begin(), content->end());
  const auto ran = interpret::run(*program, {}, buffers, options);
  require(ran || !ran.error().message.empty(), "a program that is stopped has a reason");

  ir::Uniforms fixed;
  for (const ir::Uniform& uniform : program->uniforms) fixed.emplace(uniform.name, uniform.value);
  std::vector<emit::Unit> units;
  for (const ir::Program& stage : stages) units.push_back({stage, fixed});
  const auto source = emit::emit(units, Language::opencl_c);
  require(source && !source->text.empty(), "a program whose sizes are known can be emitted");
  return 0;
}
