// A buffer during a run, and the accesses of a batch of invocations to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "interpret/frame.h"
#include "interpret/shadow.h"
#include "interpret/tape.h"
#include "vyre/ir/program.h"

namespace vyre::interpret {

// A private buffer has `count` elements for each invocation of a batch, one after the other.
struct Memory {
  const ir::Buffer* buffer = nullptr;
  std::uint32_t count = 0;
  std::span<std::byte> bytes;
  std::span<std::uint8_t> written;  // of scratch memory: by any stage so far
  Shadow shadow;

  [[nodiscard]] bool is_shared() const { return buffer->memory == ir::Memory::shared; }
  [[nodiscard]] bool is_private() const { return buffer->memory == ir::Memory::own; }
  [[nodiscard]] bool is_scratch() const { return !written.empty(); }
  // Of the invocation at this position, in `bytes` and `shadow`.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t position) const {
    return is_private() ? position * count : 0;
  }
};

// An access that must not be, by the invocation at `position` of the batch.
struct AccessFault {
  enum class Reason : std::uint8_t { out_of_bounds, race, uninitialised };
  Reason reason = Reason::out_of_bounds;
  AccessKind kind = AccessKind::read;
  std::uint32_t position = 0;
  std::uint32_t element = 0;  // the one at fault; out of bounds: the access's first
};

// Move values between registers and the buffer for the active invocations. Nothing is moved from
// the first that must not be on.
[[nodiscard]] std::optional<AccessFault> load(const Access& access, Memory& memory,
                                              const Frame& frame, Epoch epoch);
[[nodiscard]] std::optional<AccessFault> store(const Access& access, Memory& memory,
                                               const Frame& frame, Epoch epoch);
[[nodiscard]] std::optional<AccessFault> atomic_add(const Access& access, Memory& memory,
                                                    const Frame& frame, Epoch epoch);

}  // namespace vyre::interpret
