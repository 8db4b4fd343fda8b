#include "vyre/primitives/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "primitives/calls.h"
#include "primitives/checks.h"
#include "vyre/ir/size.h"

namespace vyre::primitives {

Result<Array> Array::make(device::Device& device, std::string name, Scalar element,
                          std::uint32_t count) {
  auto buffer = device.allocate(count * storage_bytes(element));
  if (!buffer) return Unexpected(buffer.error());
  Array made;
  made.device_ = &device;
  made.buffer_ = *std::move(buffer);
  made.name_ = std::move(name);
  made.element_ = element;
  made.count_ = count;
  return made;
}

Array Array::missing(std::string why) {
  Array made;
  made.name_ = std::move(why);
  return made;
}

Result<void> Array::check(Scalar element, std::size_t count) const {
  if (device_ == nullptr) return fail(ErrorKind::input, name_);
  if (element != element_) {
    return fail(ErrorKind::input,
                fmt::format("{} holds {}, not {}", name_, name_of(element_), name_of(element)));
  }
  if (count != count_) {
    return fail(ErrorKind::input,
                fmt::format("{} has {} elements; it must have {}", name_, count, count_));
  }
  return {};
}

Result<void> Stage::launch() {
  calls_->count();
  return executable_.launch(buffers_);
}

// The device buffer for a program's buffer: the array of that name, made if this is its first use.
Result<device::Buffer*> Pipeline::provide(device::Device& device, const ir::Program& program,
                                          const ir::Buffer& buffer) {
  const auto count = ir::evaluate_size(program, buffer.count);
  if (!count) return Unexpected(count.error());
  const auto found = std::ranges::find(arrays_, buffer.name, &Array::name);
  if (found != arrays_.end()) {
    if (auto same = found->check(buffer.element, *count); !same) {
      return fail(ErrorKind::input,
                  fmt::format("programs that share a buffer do not agree on it: in {}, {}",
                              program.name, same.error().message));
    }
    return found->buffer();
  }
  auto made = Array::make(device, buffer.name, buffer.element, *count);
  if (!made) return Unexpected(made.error());
  arrays_.push_back(*std::move(made));
  return arrays_.back().buffer();
}

Result<Pipeline> Pipeline::make(device::Device& device, std::span<const ir::Program> programs) {
  std::vector<run::Request> requests;
  for (const ir::Program& program : programs) requests.push_back({program, {}});
  auto executables = run::compile(device, requests);
  if (!executables) return Unexpected(executables.error());

  Pipeline made;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::vector<device::Buffer*> buffers;
    for (const ir::Buffer& buffer : programs[i].buffers) {
      if (buffer.memory != ir::Memory::global) continue;
      const auto provided = made.provide(device, programs[i], buffer);
      if (!provided) return Unexpected(provided.error());
      buffers.push_back(*provided);
    }
    made.stages_.push_back(
        Stage(std::move((*executables)[i]), std::move(buffers), call_counter(programs[i].name)));
  }
  return made;
}

Result<void> Pipeline::launch() {
  for (Stage& stage : stages_) {
    if (auto done = stage.launch(); !done) return done;
  }
  return {};
}

std::vector<Shape> Pipeline::shapes() const {
  std::vector<Shape> made;
  for (const Stage& stage : stages_) made.push_back(stage.shape());
  return made;
}

const Array& Pipeline::array(std::string_view name) const {
  const auto found = std::ranges::find(arrays_, name, &Array::name);
  if (found != arrays_.end()) return *found;
  std::vector<std::string> names;
  for (const Array& array : arrays_) names.push_back(array.name());
  return missing_.emplace_back(Array::missing(fmt::format(
      "there is no array '{}' in the pipeline; there are: {}", name, fmt::join(names, ", "))));
}

Array& Pipeline::array(std::string_view name) {
  return const_cast<Array&>(std::as_const(*this).array(name));
}

Result<Operation> Operation::make(device::Device& device, Parts parts) {
  auto pipeline = Pipeline::make(device, parts.programs);
  if (!pipeline) return Unexpected(pipeline.error());
  Operation made(*std::move(pipeline));
  made.name_ = std::move(parts.name);
  made.inputs_ = std::move(parts.inputs);
  made.output_ = std::move(parts.output);
  return made;
}

Result<void> Operation::check_inputs(std::size_t given) const {
  if (given == inputs_.size()) return {};
  return refuse(name_, fmt::format("was given {} inputs; it takes {}", given, inputs_.size()));
}

Result<void> Operation::check(const Array& array, Scalar element, std::size_t count) const {
  return check_fits(name_, array, element, count);
}

}  // namespace vyre::primitives
