// A program with its buffers, to be run by the interpreter: starts with zeros everywhere.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "interpret/interpret.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::testing {

class Launch {
 public:
  explicit Launch(std::string_view text, ir::Uniforms uniforms = {});

  // The elements of a global buffer; a bool is a byte. The length must be the buffer's.
  template <class T>
  Launch& set(std::string_view buffer, const std::vector<T>& values) {
    set_bytes(buffer, std::as_bytes(std::span(values)));
    return *this;
  }
  template <class T>
  [[nodiscard]] std::vector<T> get(std::string_view buffer) const {
    const std::vector<std::byte>& bytes = buffers_[position(buffer)];
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  [[nodiscard]] Result<interpret::Ran> try_run(interpret::Options options = {});
  // Throws, which fails the test, with the error's words.
  Launch& run();
  // The error; throws if there is none.
  [[nodiscard]] Error error(interpret::Options options = {});

 private:
  [[nodiscard]] std::size_t position(std::string_view buffer) const;
  void set_bytes(std::string_view buffer, std::span<const std::byte> bytes);

  ir::Program program_;
  ir::Uniforms uniforms_;
  std::vector<std::string_view> names_;
  std::vector<std::vector<std::byte>> buffers_;  // the global ones
};

// The elements of a global buffer after a run that starts with zeros.
template <class T>
std::vector<T> after(std::string_view text, std::string_view buffer) {
  return Launch(text).run().get<T>(buffer);
}

}  // namespace vyre::testing
