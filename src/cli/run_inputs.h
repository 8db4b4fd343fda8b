// What `vyre run` is given for a program: uniforms and the content of its buffers, checked
// together.
//
// A buffer's length can give a uniform its value: with `buffer x: f32[n]`, x=ramp:1024 makes n
// 1024.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/data.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"

namespace vyre::cli {

// The uniforms that options NAME=VALUE give; the error names the option, --set.
[[nodiscard]] Result<ir::Uniforms> parse_uniforms(const ir::Program& program,
                                                  const std::vector<std::string>& options);

class RunInputs {
 public:
  struct Buffer {
    const ir::Buffer* declared = nullptr;
    std::vector<std::byte> bytes;
  };
  using Given = std::map<std::string, std::string, std::less<>>;  // by name, as options say it

  // `inputs` are NAME=DESCRIPTION (see run/data.h), `uniforms` are NAME=VALUE. The program must
  // outlive the result.
  static Result<RunInputs> make(const ir::Program& program, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& uniforms);

  [[nodiscard]] const ir::Uniforms& uniforms() const { return uniforms_; }
  // The global buffers in the order of declaration.
  [[nodiscard]] const std::vector<Buffer>& buffers() const { return buffers_; }
  [[nodiscard]] std::vector<std::span<std::byte>> spans();
  [[nodiscard]] const Buffer* find(std::string_view name) const;
  [[nodiscard]] std::string names() const;
  // What was filled in because it was not given, a line each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  using Described = std::map<std::string, run::Data>;  // by name

  // What was given, and the uniforms that follow from its sizes.
  Result<Described> read_data(const ir::Program& program, const Given& given, const Given& set);
  // Takes the content out of `data`.
  Result<void> fill(const ir::Program& program, Described& data);
  // The description of a buffer that was not given.
  std::string not_given(const ir::Buffer& buffer, std::uint32_t count);

  ir::Uniforms uniforms_;
  std::vector<Buffer> buffers_;
  std::vector<std::string> notes_;
};

}  // namespace vyre::cli
