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

struct Memory {
  const ir::Buffer* buffer = nullptr;
  std::uint32_t count = 0;
  std::span<std::byte> bytes;
  Shadow shadow;

  [[nodiscard]] bool is_shared() const { return buffer->memory == ir::Memory::shared; }
};

// An access that must not be, by the invocation at `position` of the batch.
struct Trouble {
  enum class Kind : std::uint8_t { out_of_bounds, race, uninitialised };
  Kind kind = Kind::out_of_bounds;
  Touch touch = Touch::read;
  std::uint32_t position = 0;
  std::uint32_t element = 0;  // the one in trouble; out of bounds: the access's first
};

// Move values between registers and the buffer for the active invocations. Nothing is moved from
// the first one in trouble on.
[[nodiscard]] std::optional<Trouble> load(const Access& access, Memory& memory, const Frame& frame,
                                          Epoch epoch);
[[nodiscard]] std::optional<Trouble> store(const Access& access, Memory& memory, const Frame& frame,
                                           Epoch epoch);
[[nodiscard]] std::optional<Trouble> atomic_add(const Access& access, Memory& memory,
                                                const Frame& frame, Epoch epoch);

}  // namespace vyre::interpret
