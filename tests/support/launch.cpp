#include "support/launch.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/programs.h"

namespace vyre::testing {

Launch::Launch(std::string_view text, ir::Uniforms uniforms)
    : program_(parsed(text)), uniforms_(std::move(uniforms)) {
  for (const ir::Buffer& buffer : program_.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    const auto count = ir::evaluate_size(program_, buffer.count, uniforms_);
    if (!count) throw std::runtime_error(to_string(count.error()));
    names_.push_back(buffer.name);
    buffers_.emplace_back(std::size_t{*count} * storage_bytes(buffer.element));
  }
}

std::size_t Launch::position(std::string_view buffer) const {
  const auto found = std::ranges::find(names_, buffer);
  if (found == names_.end()) throw std::runtime_error("no buffer " + std::string(buffer));
  return static_cast<std::size_t>(found - names_.begin());
}

void Launch::set_bytes(std::string_view buffer, std::span<const std::byte> bytes) {
  std::vector<std::byte>& to = buffers_[position(buffer)];
  if (to.size() != bytes.size()) throw std::runtime_error("wrong length of " + std::string(buffer));
  to.assign(bytes.begin(), bytes.end());
}

Result<interpret::Ran> Launch::try_run(interpret::Options options) {
  const std::vector<std::span<std::byte>> spans(buffers_.begin(), buffers_.end());
  return interpret::run(program_, uniforms_, spans, options);
}

Launch& Launch::run() {
  if (const auto ran = try_run(); !ran) throw std::runtime_error(to_string(ran.error()));
  return *this;
}

Error Launch::error(interpret::Options options) {
  const auto ran = try_run(options);
  if (ran) throw std::runtime_error("the program ran without an error");
  return ran.error();
}

}  // namespace vyre::testing
