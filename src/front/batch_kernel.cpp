#include "front/batch_kernel.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/memory.h"
#include "front/array_state.h"
#include "front/deduce.h"
#include "run/sizes.h"

namespace vyre::detail {
namespace {

Result<void> check_options(const std::string& name, const BatchOptions& options) {
  const auto refuse = [&](const std::string& what) {
    return fail(ErrorKind::input, fmt::format("batches of {}: {}", name, what));
  };
  for (const auto& [which, size] :
       {std::pair("least", options.least), std::pair("most", options.most)}) {
    if (!std::has_single_bit(size)) {
      return refuse(fmt::format("{} is {}; it must be a power of two", which, size));
    }
  }
  if (options.least > options.most) {
    return refuse(fmt::format("least is {} and most is {}", options.least, options.most));
  }
  if (options.room == 0) return refuse("there is room for no item; it must be at least 1");
  if (options.patience < std::chrono::nanoseconds(0)) return refuse("patience is below 0");
  return {};
}

// Bytes in and out of an array.
struct ByteArray : AnyArray {
  using AnyArray::assign_bytes;
  using AnyArray::read_bytes;
};

}  // namespace

Extents ItemPart::extents(std::size_t items) const {
  switch (item.dims()) {
    case 0:
      return {items};
    case 1:
      return {items, item[0]};
    default:
      return {items, item[0], item[1]};
  }
}

Result<BatchKernel> BatchKernel::make(std::shared_ptr<KernelState> kernel,
                                      const BatchOptions& options) {
  VYRE_CHECK(check_options(kernel->name(), options));
  BatchKernel made(std::move(kernel));
  VYRE_CHECK(made.take_parts(options));
  VYRE_CHECK(made.sizes_of(options.most));
  VYRE_TRY(const auto sizes, made.sizes_of(options.least));
  VYRE_TRY(made.facts_, ir::facts(made.kernel_->program(), sizes));
  return made;
}

Result<void> BatchKernel::take_parts(const BatchOptions& options) {
  const auto buffers = run::global_buffers(kernel_->program());
  const auto refuse = [&](const std::string& what) {
    return fail(ErrorKind::input, fmt::format("batches of {}: {}", name(), what));
  };
  if (!options.item.empty() && options.item.size() != buffers.size()) {
    return refuse(fmt::format("the item has extents for {} arguments, not for {}",
                              options.item.size(), buffers.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const ir::Buffer& buffer = buffers[i];
    const Extents item = options.item.empty() ? Extents() : options.item[i];
    if (buffer.access == Access::read_write) {
      return refuse(
          fmt::format("'{}' is read and written; an item's numbers go in by one array and "
                      "come out by another",
                      buffer.name));
    }
    if (item.dims() > 2 || (item.dims() > 0 && item.count() == 0)) {
      return refuse(
          fmt::format("an item of '{}' has one or two extents, none of them 0", buffer.name));
    }
    parts_.push_back({buffer.name, buffer.element, buffer.access == Access::write, item});
    (parts_.back().written ? outputs_ : inputs_).push_back(parts_.back());
  }
  if (inputs_.empty() || outputs_.empty()) return refuse("it must read and write an array");
  return {};
}

Result<ir::Uniforms> BatchKernel::sizes_of(std::uint32_t items) const {
  std::vector<Extents> extents;
  for (const ItemPart& part : parts_) extents.push_back(part.extents(items));
  auto sizes = deduce_sizes(kernel_->program(), kernel_->given(), extents);
  if (sizes) return sizes;
  return fail(sizes.error().kind,
              fmt::format("batches of {}: {} items: {}", name(), items, sizes.error().message));
}

const std::vector<AnyArray>& BatchKernel::arrays_for(std::uint32_t capacity) {
  std::vector<AnyArray>& arrays = arrays_[capacity];
  for (std::size_t i = arrays.size(); i < parts_.size(); ++i) {
    arrays.emplace_back(
        ArrayState::zeros(kernel_->context(), parts_[i].scalar, parts_[i].extents(capacity)));
  }
  return arrays;
}

// What fails on the way is held by the arrays that were to be written.
Result<void> BatchKernel::run(std::uint32_t capacity, const Bytes& inputs, Bytes& outputs) {
  return within_memory([&]() -> Result<void> {
    const std::vector<AnyArray>& arrays = arrays_for(capacity);
    std::vector<const AnyArray*> arguments;
    std::size_t input = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      arguments.push_back(&arrays[i]);
      if (!parts_[i].written) ByteArray(arrays[i]).assign_bytes(inputs[input++]);
    }
    (void)kernel_->call(arguments);
    std::size_t output = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].written) VYRE_CHECK(ByteArray(arrays[i]).read_bytes(outputs[output++]));
    }
    return {};
  });
}

}  // namespace vyre::detail
