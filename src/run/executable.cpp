// Launching a compiled program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "run/sizes.h"
#include "vyre/run/run.h"

namespace vyre::run {

Result<void> Executable::check(std::span<device::Buffer* const> buffers) const {
  if (buffers.size() != buffer_bytes_.size()) {
    return fail(ErrorKind::input, fmt::format("program {} has {} buffers, {} were given", name_,
                                              buffer_bytes_.size(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr) {
      return fail(ErrorKind::input,
                  fmt::format("buffer '{}' of program {} is missing", buffers_[i].name, name_));
    }
    if (buffers[i]->bytes() != buffer_bytes_[i]) {
      return wrong_length(name_, buffers_[i], buffer_bytes_[i], buffers[i]->bytes());
    }
  }
  return check_distinct(buffers);
}

Result<void> Executable::bind(std::span<device::Buffer* const> buffers) {
  if (auto fit = check(buffers); !fit) return fit;
  std::ranges::copy(buffers, arguments_.begin());
  return {};
}

// Kernels are compiled on the promise that what they write is reached by one name only.
Result<void> Executable::check_distinct(std::span<device::Buffer* const> buffers) const {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both_read =
          buffers_[i].access == Access::read && buffers_[j].access == Access::read;
      if (buffers[i] != buffers[j] || both_read) continue;
      return fail(ErrorKind::input,
                  fmt::format("buffers '{}' and '{}' of program {} are the same memory, and it "
                              "writes to it: give it two",
                              buffers_[j].name, buffers_[i].name, name_));
    }
  }
  return {};
}

Result<void> Executable::launch(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return bound;
  return device_->launch(*kernel_, arguments_, shape_);
}

Result<device::Timing> Executable::time(std::span<device::Buffer* const> buffers) {
  if (auto bound = bind(buffers); !bound) return std::unexpected(bound.error());
  return device_->time(*kernel_, arguments_, shape_);
}

Result<void> Executable::set(std::string_view uniform, Literal value) {
  const auto found = std::ranges::find(settable_, uniform);
  if (found == settable_.end()) {
    if (std::ranges::find(fixed_, uniform) != fixed_.end()) {
      return fail(ErrorKind::input,
                  fmt::format("sizes of program {} depend on '{}': compile it again with the new "
                              "value",
                              name_, uniform));
    }
    return fail(ErrorKind::input, fmt::format("program {} has no uniform '{}'; it can set: {}",
                                              name_, uniform, fmt::join(settable_, ", ")));
  }
  const auto index = buffer_bytes_.size() + static_cast<std::size_t>(found - settable_.begin());
  auto& argument = std::get<Literal>(arguments_[index]);
  if (argument.scalar != value.scalar) {
    return fail(ErrorKind::input,
                fmt::format("uniform '{}' of program {} is {}, not {}", uniform, name_,
                            name_of(argument.scalar), name_of(value.scalar)));
  }
  argument = value;
  return {};
}

}  // namespace vyre::run
