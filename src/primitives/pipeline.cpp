#include "vyre/primitives/pipeline.h"

#include <algorithm>

#include "base/check.h"
#include "primitives/calls.h"
#include "vyre/ir/size.h"

namespace vyre::primitives {

// The device buffer for a program's buffer: the array of that name, made if this is its first use.
Result<device::Buffer*> Pipeline::provide(device::Device& device, const ir::Program& program,
                                          const ir::Buffer& buffer) {
  const auto count = ir::evaluate_size(program, buffer.count);
  if (!count) return std::unexpected(count.error());
  const auto found = std::ranges::find(arrays_, buffer.name, &Array::name);
  if (found != arrays_.end()) {
    check(found->check(buffer.element, *count).has_value(), "programs agree on what they share");
    return found->buffer();
  }
  auto made = Array::make(device, buffer.name, buffer.element, *count);
  if (!made) return std::unexpected(made.error());
  arrays_.push_back(*std::move(made));
  return arrays_.back().buffer();
}

Result<Pipeline> Pipeline::make(device::Device& device, std::span<const ir::Program> programs) {
  std::vector<run::Request> requests;
  for (const ir::Program& program : programs) requests.push_back({program, {}});
  auto executables = run::compile(device, requests);
  if (!executables) return std::unexpected(executables.error());

  Pipeline made;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    std::vector<device::Buffer*> buffers;
    for (const ir::Buffer& buffer : programs[i].buffers) {
      if (buffer.memory == ir::Memory::shared) continue;
      const auto provided = made.provide(device, programs[i], buffer);
      if (!provided) return std::unexpected(provided.error());
      buffers.push_back(*provided);
    }
    made.stages_.emplace_back(std::move((*executables)[i]), std::move(buffers),
                              call_counter(programs[i].name));
  }
  return made;
}

Result<void> Pipeline::launch() {
  for (Stage& stage : stages_) {
    if (auto done = stage.launch(); !done) return done;
  }
  return {};
}

Array& Pipeline::array(std::string_view name) {
  const auto found = std::ranges::find(arrays_, name, &Array::name);
  check(found != arrays_.end(), "the pipeline has an array of this name");
  return *found;
}

const Array& Pipeline::array(std::string_view name) const {
  return const_cast<Pipeline*>(this)->array(name);
}

}  // namespace vyre::primitives
