#include "vyre/primitives/operation.h"

#include <fmt/format.h>

#include <utility>

#include "primitives/shape.h"

namespace vyre::primitives {

Result<Operation> Operation::make(device::Device& device, Parts parts) {
  auto pipeline = Pipeline::make(device, parts.programs);
  if (!pipeline) return std::unexpected(pipeline.error());
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
  auto fits = array.check(element, count);
  if (!fits) return refuse(name_, fits.error().message);
  return fits;
}

}  // namespace vyre::primitives
