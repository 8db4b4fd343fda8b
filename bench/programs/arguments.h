// The arrays and sizes of a program, by the names that its text gives them: what peers work on.
//
// Arrays begin at the boundary of a page, as those of devices do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::bench {

struct Array {
  std::string name;
  Scalar element = Scalar::f32;
  Access access = Access::read;
  std::span<std::byte> bytes;
};

class Arguments {
 public:
  // Each buffer is filled with random numbers of its own, and with zeros if it is only written.
  [[nodiscard]] static Result<Arguments> make(const ir::Program& program,
                                              const ir::Uniforms& uniforms);
  [[nodiscard]] Arguments copy() const;

  // All require: there is such a uniform or buffer, of this type.
  [[nodiscard]] std::size_t size(std::string_view uniform) const;
  [[nodiscard]] float number(std::string_view uniform) const;
  [[nodiscard]] float* floats(std::string_view buffer) const;
  [[nodiscard]] std::uint32_t* words(std::string_view buffer) const;
  [[nodiscard]] std::uint8_t* bytes(std::string_view buffer) const;
  // In the order of declaration.
  [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  using Memory = std::unique_ptr<std::byte, Free>;

  [[nodiscard]] const Array& find(std::string_view buffer, Scalar element) const;
  void add(Array array);  // with memory of its own, and the same content

  ir::Uniforms uniforms_;  // of all, also those that were not given
  std::vector<Array> arrays_;
  std::vector<Memory> memory_;
};

}  // namespace vyre::bench
