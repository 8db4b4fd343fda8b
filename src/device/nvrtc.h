// NVRTC, the CUDA compiler as a library, opened at run time.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "vyre/base/error.h"

namespace vyre::device {

// The few functions of the library that are used, with its own C types spelled out: its headers
// may be absent.
class Nvrtc {
 public:
  // The library from these installations, from where the loader looks, or from the usual places;
  // nothing if it is in none of them. It stays loaded.
  [[nodiscard]] static std::optional<Nvrtc> load(std::span<const std::string> roots);

  // Options are as on nvcc's command line: "--gpu-architecture=compute_75".
  [[nodiscard]] Result<std::string> ptx(const std::string& source,
                                        std::span<const std::string> options) const;

 private:
  using Program = void*;
  using Status = int;

  bool bind(void* library);
  [[nodiscard]] std::string log(Program program) const;
  [[nodiscard]] Result<std::string> compile(Program program,
                                            std::span<const std::string> options) const;

  Status (*create_)(Program*, const char*, const char*, int, const char* const*,
                    const char* const*) = nullptr;
  Status (*compile_)(Program, int, const char* const*) = nullptr;
  Status (*destroy_)(Program*) = nullptr;
  Status (*ptx_size_)(Program, std::size_t*) = nullptr;
  Status (*ptx_)(Program, char*) = nullptr;
  Status (*log_size_)(Program, std::size_t*) = nullptr;
  Status (*log_)(Program, char*) = nullptr;
  const char* (*error_)(Status) = nullptr;
};

}  // namespace vyre::device
