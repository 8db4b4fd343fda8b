// What sizes and limits say about a request before anything is compiled.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::run {

// The values of the uniforms that the grid or a buffer's count depends on, defaults included.
[[nodiscard]] ir::Uniforms size_uniforms(const ir::Program& program, const ir::Uniforms& given);

[[nodiscard]] std::vector<ir::Buffer> global_buffers(const ir::Program& program);

// Bytes of a buffer with this many elements.
[[nodiscard]] Result<std::size_t> bytes_of(const ir::Program& program, const ir::Buffer& buffer,
                                           const ir::Uniforms& uniforms);

// "buffer 'x' of program p needs 4096 bytes (1024 of f32), 4000 were given"
[[nodiscard]] Failure wrong_length(std::string_view program, const ir::Buffer& buffer,
                                   std::size_t needed, std::size_t given);

// Refuses a workgroup or shared memory that the device does not have, and more private memory than
// a workgroup can keep across its barriers, with the numbers.
[[nodiscard]] Result<void> check_limits(const ir::Program& program, const ir::Uniforms& uniforms,
                                        const device::Adapter& adapter);

}  // namespace vyre::run
