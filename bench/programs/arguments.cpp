#include "arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"
#include "run/data.h"
#include "run/sizes.h"

namespace vyre::bench {
namespace {

constexpr std::align_val_t page{4096};

Literal value_of(const ir::Uniforms& uniforms, std::string_view name, Scalar scalar) {
  const auto found = uniforms.find(std::string(name));
  check(found != uniforms.end() && found->second.scalar == scalar, "no such uniform");
  return found->second;
}

}  // namespace

void Arguments::Free::operator()(std::byte* memory) const { ::operator delete(memory, page); }

Result<Arguments> Arguments::make(const ir::Program& program, const ir::Uniforms& uniforms) {
  Arguments made;
  made.uniforms_ = uniforms;
  for (const ir::Uniform& uniform : program.uniforms) {
    made.uniforms_.emplace(uniform.name, uniform.value);
  }
  for (const ir::Buffer& buffer : run::global_buffers(program)) {
    VYRE_TRY(const auto count, ir::evaluate_size(program, buffer.count, uniforms));
    const std::string content = buffer.access == Access::write
                                    ? "fill:0"
                                    : fmt::format("random:{}", made.arrays_.size() + 1);
    VYRE_TRY(auto bytes, run::make_data(content, buffer.element, count));
    made.add({buffer.name, buffer.element, buffer.access, bytes});
  }
  return made;
}

Arguments Arguments::copy() const {
  Arguments made;
  made.uniforms_ = uniforms_;
  for (const Array& array : arrays_) made.add(array);
  return made;
}

void Arguments::add(Array array) {
  memory_.emplace_back(static_cast<std::byte*>(::operator new(array.bytes.size(), page)));
  std::ranges::copy(array.bytes, memory_.back().get());
  array.bytes = {memory_.back().get(), array.bytes.size()};
  arrays_.push_back(std::move(array));
}

std::size_t Arguments::size(std::string_view uniform) const {
  return value_of(uniforms_, uniform, Scalar::u32).bits;
}

float Arguments::number(std::string_view uniform) const {
  const Literal value = value_of(uniforms_, uniform, Scalar::f32);
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
}

const Array& Arguments::find(std::string_view buffer, Scalar element) const {
  const auto found = std::ranges::find(arrays_, buffer, &Array::name);
  check(found != arrays_.end() && found->element == element, "no such buffer");
  return *found;
}

float* Arguments::floats(std::string_view buffer) const {
  return reinterpret_cast<float*>(find(buffer, Scalar::f32).bytes.data());
}

std::uint32_t* Arguments::words(std::string_view buffer) const {
  return reinterpret_cast<std::uint32_t*>(find(buffer, Scalar::u32).bytes.data());
}

std::uint8_t* Arguments::bytes(std::string_view buffer) const {
  return reinterpret_cast<std::uint8_t*>(find(buffer, Scalar::u8).bytes.data());
}

}  // namespace vyre::bench
