#include "interpret/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "interpret/batches.h"
#include "interpret/compile.h"
#include "interpret/frame.h"
#include "interpret/machine.h"
#include "interpret/memory.h"
#include "ir/grouping.h"

namespace vyre::interpret {
namespace {

// Registers, private and shared memory of one batch; a program that needs more is refused.
constexpr std::uint64_t max_batch_bytes = std::uint64_t{1} << 30U;

// Cells in all registers of a strip, so that they stay in the cache, and the bounds of its length.
constexpr std::uint32_t strip_cells = 1U << 16U;
constexpr std::uint32_t min_strip = 32;
constexpr std::uint32_t max_strip = 1024;
constexpr std::uint32_t sample_strip = 128;  // short, because one may take long

// A buffer that is given: its bytes and, of scratch, which elements have been written.
struct Given {
  std::span<std::byte> bytes;
  std::span<std::uint8_t> written = {};
};

// What a run needs besides the tape. Shared and private buffers live in `own`, one array after the
// other.
struct Memories {
  std::vector<Memory> memories;
  std::vector<std::byte> own;
};

Result<std::vector<std::uint32_t>> counts_of(const ir::Program& program,
                                             const ir::Uniforms& uniforms) {
  std::vector<std::uint32_t> counts;
  for (const ir::Buffer& buffer : program.buffers) {
    const auto count = ir::evaluate_size(program, buffer.count, uniforms);
    if (!count) return Unexpected(count.error());
    counts.push_back(*count);
  }
  return counts;
}

bool is_shared(const ir::Buffer& buffer) { return buffer.memory == ir::Memory::shared; }
bool is_private(const ir::Buffer& buffer) { return buffer.memory == ir::Memory::own; }
bool is_given(const ir::Buffer& buffer) { return buffer.memory == ir::Memory::global; }

std::uint64_t bytes_of(const ir::Buffer& buffer, std::uint64_t count) {
  return count * storage_bytes(buffer.element);
}

Result<void> check_lengths(const ir::Program& program, std::span<const std::uint32_t> counts,
                           std::span<const Given> given) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ir::Buffer& buffer = program.buffers[i];
    if (!is_given(buffer)) continue;
    const std::uint64_t needed = bytes_of(buffer, counts[i]);
    if (next < given.size() && given[next].bytes.size() != needed) {
      return fail(
          ErrorKind::input,
          fmt::format("buffer '{}' has {} bytes, but {} elements of {} take {}", buffer.name,
                      given[next].bytes.size(), counts[i], name_of(buffer.element), needed));
    }
    ++next;
  }
  if (next == given.size()) return {};
  return fail(ErrorKind::input, fmt::format("program {} has {} global buffers, but {} are given",
                                            program.name, next, given.size()));
}

// A buffer of global memory that nothing writes cannot be raced for.
Shadow shadow_of(const ir::Buffer& buffer, std::uint32_t count, Use use) {
  if (is_shared(buffer)) {
    use.stores = true;  // these marks also tell what is initialised
    return {count, Shadow::Scope::batch, use};
  }
  // Nobody else can race for it.
  if (is_private(buffer)) return {count, Shadow::Scope::batch, Use{.stores = true}};
  if (!use.stores && !use.atomics) return {};
  return {count, Shadow::Scope::all, use};
}

// How many elements a batch of this many invocations has.
std::uint64_t elements_of(const ir::Buffer& buffer, std::uint32_t count, std::uint64_t batch) {
  return is_private(buffer) ? count * batch : count;
}

// Of what is not given, without the marks of its elements.
std::uint64_t own_bytes(const ir::Program& program, std::span<const std::uint32_t> counts,
                        std::uint32_t batch) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ir::Buffer& buffer = program.buffers[i];
    if (!is_given(buffer)) bytes += bytes_of(buffer, elements_of(buffer, counts[i], batch));
  }
  return bytes;
}

// What is not given, of one invocation or of a whole group, with the marks of its elements.
struct OwnCost {
  std::uint64_t shared = 0;
  std::uint64_t each = 0;
};
OwnCost own_cost(const ir::Program& program, std::span<const std::uint32_t> counts) {
  OwnCost cost;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ir::Buffer& buffer = program.buffers[i];
    const std::uint64_t bytes = bytes_of(buffer, counts[i]);
    if (is_shared(buffer)) cost.shared += bytes + std::uint64_t{counts[i]} * 3 * sizeof(Mark);
    if (is_private(buffer)) cost.each += bytes + std::uint64_t{counts[i]} * sizeof(Mark);
  }
  return cost;
}

// Requires: own_cost fits into max_batch_bytes.
Memories memories_of(const ir::Program& program, std::span<const std::uint32_t> counts,
                     std::span<const Given> given, const Tape& tape, std::uint32_t batch) {
  Memories result;
  result.own.resize(own_bytes(program, counts, batch));
  std::span<std::byte> unused = result.own;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const ir::Buffer& buffer = program.buffers[i];
    const auto elements = static_cast<std::uint32_t>(elements_of(buffer, counts[i], batch));
    Memory memory{&buffer, counts[i], {}, {}, shadow_of(buffer, elements, tape.uses[i])};
    if (is_given(buffer)) {
      memory.bytes = given.front().bytes;
      memory.written = given.front().written;
      given = given.subspan(1);
    } else {
      const auto bytes = static_cast<std::size_t>(bytes_of(buffer, elements));
      memory.bytes = unused.first(bytes);
      unused = unused.subspan(bytes);
    }
    result.memories.push_back(std::move(memory));
  }
  return result;
}

std::uint64_t product(const Extent& extent, std::uint64_t at_most) {
  std::uint64_t result = 1;
  for (const std::uint32_t e : extent) result = std::min(result * e, at_most);
  return result;
}

Result<Batches> batches_of(const ir::Program& program, const Shape& shape, const Tape& tape,
                           const OwnCost& own, bool sampled) {
  const auto order = sampled ? Batches::Order::scattered : Batches::Order::in_order;
  const bool meet =
      ir::has_barrier(program.body) || std::ranges::any_of(program.buffers, is_shared);
  if (!meet) {
    const std::uint32_t longest = sampled ? sample_strip : max_strip;
    const auto cells = static_cast<std::uint32_t>(tape.columns + own.each / sizeof(std::uint32_t));
    const std::uint32_t length = std::clamp(strip_cells / cells, min_strip, longest);
    return Batches::strips(shape, static_cast<std::uint32_t>(product(shape.grid, length)), order);
  }
  const std::uint64_t group = product(shape.workgroup, max_batch_bytes);
  const std::uint64_t bytes = Frame::bytes(tape.columns, group) + own.each * group + own.shared;
  if (bytes > max_batch_bytes) {
    return fail(
        ErrorKind::input,
        fmt::format("a workgroup of {} x {} x {} needs at least {} bytes for its registers, "
                    "private and shared memory; the interpreter allows {}",
                    shape.workgroup[0], shape.workgroup[1], shape.workgroup[2], bytes,
                    max_batch_bytes));
  }
  return Batches::groups(shape, order);
}

// Requires: one stage.
Result<Ran> run_stage(const ir::Program& program, const ir::Uniforms& uniforms,
                      std::span<const Given> buffers, const Options& options) {
  if (auto checked = ir::check_uniforms(program, uniforms); !checked) {
    return Unexpected(checked.error());
  }
  if (auto checked = ir::check_private(program, uniforms); !checked) {
    return Unexpected(checked.error());
  }
  const auto counts = counts_of(program, uniforms);
  if (!counts) return Unexpected(counts.error());
  if (auto checked = check_lengths(program, *counts, buffers); !checked) {
    return Unexpected(checked.error());
  }
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());

  const Tape tape = compile(program, uniforms, *shape);
  const auto batches =
      batches_of(program, *shape, tape, own_cost(program, *counts), options.sample.has_value());
  if (!batches) return Unexpected(batches.error());
  Memories memories = memories_of(program, *counts, buffers, tape, batches->size());
  return Machine(tape, memories.memories, *batches, options).run();
}

// Scratch memory of a launch.
struct ScratchMemory {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> written;
};

Result<std::vector<ScratchMemory>> scratch_of(const ir::Program& program,
                                              const ir::Uniforms& uniforms) {
  std::vector<ScratchMemory> made;
  std::uint64_t bytes = 0;
  for (const ir::Buffer& buffer : ir::scratch_buffers(program)) {
    VYRE_TRY(const auto count, ir::evaluate_size(program, buffer.count, uniforms));
    bytes += bytes_of(buffer, count);
    if (bytes > max_batch_bytes) {
      return fail(ErrorKind::input,
                  fmt::format("with '{}', the scratch buffers of program {} have {} bytes; the "
                              "interpreter allows {}",
                              buffer.name, program.name, bytes, max_batch_bytes));
    }
    made.push_back(
        {std::vector<std::byte>(bytes_of(buffer, count)), std::vector<std::uint8_t>(count)});
  }
  return made;
}

// What a stage writes another may read anywhere, so that no part of one says anything.
Result<Ran> run_stages(const ir::Program& program, const ir::Uniforms& uniforms,
                       std::vector<Given> given, Options options) {
  if (auto checked = ir::check_uniforms(program, uniforms); !checked) {
    return Unexpected(checked.error());
  }
  const auto all_stages = ir::stages(program);
  for (const ir::Program& stage : all_stages) {  // before the first writes anything
    if (auto shape = ir::launch_shape(stage, uniforms); !shape) return Unexpected(shape.error());
  }
  VYRE_TRY(auto scratch, scratch_of(program, uniforms));
  for (ScratchMemory& one : scratch) given.push_back({one.bytes, one.written});
  options.sample.reset();
  Ran all;
  for (const ir::Program& stage : all_stages) {
    VYRE_TRY(const Ran ran, run_stage(stage, uniforms, given, options));
    all.steps += ran.steps;
    options.step_limit -= std::min(options.step_limit, ran.steps);
  }
  return all;
}

Result<Ran> run_checked(const ir::Program& program, const ir::Uniforms& uniforms,
                        std::span<const std::span<std::byte>> buffers, const Options& options) {
  std::vector<Given> given;
  for (const std::span<std::byte> bytes : buffers) given.push_back({bytes});
  if (!ir::has_stages(program)) return run_stage(program, uniforms, given, options);
  return run_stages(program, uniforms, std::move(given), options);
}

}  // namespace

Result<Ran> run(const ir::Program& program, const ir::Uniforms& uniforms,
                std::span<const std::span<std::byte>> buffers, Options options) {
  try {
    return run_checked(program, uniforms, buffers, options);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::input,
                fmt::format("not enough memory to run program {}; make it smaller", program.name));
  }
}

}  // namespace vyre::interpret
