// Types of the OpenCL dialect, and helpers for its accesses to buffers.
#pragma once

#include <string>
#include <string_view>

#include "emit/dialect.h"

namespace vyre::emit {

[[nodiscard]] std::string opencl_type(ir::Type type);
[[nodiscard]] std::string_view opencl_stored(Scalar scalar);

// Accesses in bounds; a store is a whole statement.
[[nodiscard]] Code opencl_load(const Element& from, Helpers& helpers);
[[nodiscard]] std::string opencl_store(const Element& to, const Code& value, Helpers& helpers);

// The name of what adds (address, value).
[[nodiscard]] std::string opencl_atomic(const Element& to, Helpers& helpers);

// Names of helpers (buffer, count, index[, value]) that leave the buffer alone out of bounds.
[[nodiscard]] std::string opencl_guarded_load(const Element& from, Helpers& helpers);
[[nodiscard]] std::string opencl_guarded_store(const Element& to, Helpers& helpers);
[[nodiscard]] std::string opencl_guarded_atomic(const Element& to, Helpers& helpers);

}  // namespace vyre::emit
