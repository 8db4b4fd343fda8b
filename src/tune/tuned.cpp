#include "vyre/tune/tuned.h"

#include <utility>

#include "base/memory.h"
#include "tune/tuned_state.h"

namespace vyre::tune {

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::undecided:
      return "undecided";
    case Origin::exact:
      return to_string(store::Match::exact);
    case Origin::nearest_size:
      return to_string(store::Match::nearest_size);
    case Origin::other_adapter:
      return to_string(store::Match::other_adapter);
    case Origin::tuned:
      return "tuned";
    case Origin::original:
      return "original";
  }
  return "";
}

Result<Tuned> Tuned::make(device::Device& device, Family family, ir::Uniforms uniforms,
                          TunedOptions options) {
  return within_memory([&]() -> Result<Tuned> {
    return Tuned(std::make_unique<State>(device, std::move(family), std::move(uniforms),
                                         std::move(options)));
  });
}

Result<Tuned> Tuned::make(device::Device& device, const ir::Program& program, ir::Uniforms uniforms,
                          TunedOptions options) {
  auto family =
      within_memory([&] { return family_of(program, uniforms, device.adapter().limits); });
  if (!family) return Unexpected(family.error());
  return make(device, *std::move(family), std::move(uniforms), std::move(options));
}

Tuned::Tuned(std::unique_ptr<State> state) : state_(std::move(state)) {}
Tuned::Tuned(Tuned&& other) noexcept = default;
Tuned& Tuned::operator=(Tuned&& other) noexcept = default;
Tuned::~Tuned() = default;

Result<void> Tuned::dispatch(std::span<device::Buffer* const> buffers) {
  return within_memory([&] { return state_->dispatch(buffers); });
}
Result<device::Event> Tuned::enqueue(device::Queue& queue,
                                     std::span<device::Buffer* const> buffers) {
  return within_memory([&] { return state_->enqueue(queue, buffers); });
}
run::Executable* Tuned::decided() { return state_->decided(); }
Result<run::Executable> Tuned::bound(device::Queue& queue,
                                     std::span<device::Buffer* const> buffers) {
  return within_memory([&] { return state_->bound(queue, buffers); });
}
Result<void> Tuned::tune(device::Queue& queue, std::span<device::Buffer* const> buffers,
                         const TuneRequest& request) {
  return within_memory([&] { return state_->tune(queue, buffers, request); });
}
Result<void> Tuned::set(std::string_view uniform, Literal value) {
  return within_memory([&] { return state_->set(uniform, value); });
}
Status Tuned::status() const { return state_->status(); }
std::string Tuned::problem() const { return state_->problem(); }

}  // namespace vyre::tune
