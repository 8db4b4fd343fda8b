// A program on the reference device. Its arguments are its global buffers in the order of
// declaration, then its uniforms in the order of declaration: all of them, or those that no size
// depends on, and then the sizes are those that the defaults give.
#pragma once

#include <span>
#include <vector>

#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::device {

class ReferenceBuffer final : public Buffer {
 public:
  explicit ReferenceBuffer(std::size_t bytes) : memory_(bytes), content_(memory_) {}
  // A slice. Requires: it is in the buffer.
  ReferenceBuffer(ReferenceBuffer& whole, std::size_t offset, std::size_t bytes)
      : content_(whole.content_.subspan(offset, bytes)), whole_(&whole), offset_(offset) {}

  [[nodiscard]] std::size_t bytes() const override { return content_.size(); }
  [[nodiscard]] const Buffer& whole() const override { return whole_ == nullptr ? *this : *whole_; }
  [[nodiscard]] std::size_t offset() const override { return offset_; }
  [[nodiscard]] std::span<std::byte> content() { return content_; }

 private:
  std::vector<std::byte> memory_;
  std::span<std::byte> content_;
  const Buffer* whole_ = nullptr;
  std::size_t offset_ = 0;
};

class ReferenceKernel final : public Kernel {
 public:
  explicit ReferenceKernel(ir::Program program);

  // Runs the program. Refuses a grid that is not the program's, and a workgroup that is not the
  // program's where the result can depend on it.
  [[nodiscard]] Result<void> run(std::span<const Argument> arguments, const Shape& shape);

 private:
  [[nodiscard]] Result<void> gather(std::span<const Argument> arguments);
  [[nodiscard]] Result<void> gather_buffer(std::size_t index, const Argument& argument);
  [[nodiscard]] Result<void> gather_uniform(std::size_t index, const Argument& argument,
                                            const ir::Uniform& declared);
  [[nodiscard]] Result<void> fit(const Shape& shape);

  ir::Program program_;
  bool any_workgroup_;
  std::size_t buffer_count_ = 0;               // of global buffers
  std::vector<ir::Uniform> free_uniforms_;     // those that no size depends on
  std::vector<std::span<std::byte>> buffers_;  // of the launch under way
  ir::Uniforms uniforms_;                      // of the launch under way
};

}  // namespace vyre::device
