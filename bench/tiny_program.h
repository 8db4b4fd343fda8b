// A program that does next to nothing, with its device and its buffer: what is timed is the launch.
#pragma once

#include <array>
#include <memory>

#include "vyre/base/expected.h"
#include "vyre/device/device.h"
#include "vyre/ir/text.h"

namespace vyre::bench {

struct TinyProgram {
  ir::Program program;
  std::unique_ptr<device::Device> device;
  std::unique_ptr<device::Buffer> buffer;

  [[nodiscard]] std::array<device::Buffer*, 1> buffers() const { return {buffer.get()}; }
};

[[nodiscard]] inline Result<TinyProgram> open_tiny_program() {
  auto program = ir::parse(R"(program tiny {
    buffer x: f32[64] read_write
    grid 64
    let i = invocation.x
    x[i] = x[i] + 1.0
  })");
  if (!program) return Unexpected(program.error());
  auto device = device::open("opencl");
  if (!device) return Unexpected(device.error());
  auto buffer = (*device)->allocate(64 * sizeof(float));
  if (!buffer) return Unexpected(buffer.error());
  return TinyProgram{*std::move(program), *std::move(device), *std::move(buffer)};
}

}  // namespace vyre::bench
