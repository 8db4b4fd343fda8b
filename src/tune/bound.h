// How fast a program can be at most on a device, whatever its schedule: it has to move its buffers
// once, and to do its arithmetic.
//
//   time >= max(moving, operations / arithmetic)
//   moving = read / reading + written / writing + updated / min(reading, writing)
//
// What is updated in place costs what is only written does: that comes from memory too before its
// first byte is written.
//
// Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", 2009.
#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::tune {

// What a device does at most in a nanosecond.
struct Roof {
  double read_bytes = 0;
  double written_bytes = 0;
  double operations = 0;  // of f32
};

// What a launch cannot do without: the bytes of its buffers, each once, but no more than it loads
// and stores.
struct Work {
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t updated_bytes = 0;  // both, in place
  std::uint64_t operations = 0;     // on floats; indices can be had without arithmetic
  bool exact = true;  // false: there is a loop of which it is not known how far it goes

  [[nodiscard]] std::uint64_t bytes() const { return read_bytes + written_bytes + updated_bytes; }
  bool operator==(const Work&) const = default;
};

// Both sides of an if count. Fails where a size cannot be evaluated.
[[nodiscard]] Result<Work> work_of(const ir::Program& program, const ir::Uniforms& uniforms);

enum class Limit : std::uint8_t { memory, arithmetic };
[[nodiscard]] std::string_view to_string(Limit limit);

// Nanoseconds.
struct Bound {
  double memory_ns = 0;
  double arithmetic_ns = 0;

  [[nodiscard]] Limit limit() const;  // what takes longer
  [[nodiscard]] double ns() const;
  bool operator==(const Bound&) const = default;
};

// Requires a roof that is positive.
[[nodiscard]] Bound bound_of(const Work& work, const Roof& roof);

}  // namespace vyre::tune
