// A program on a device that comes by its configuration at the first dispatch, by the store or by
// tuning, and from then on is launched as if it had always had it.
//
//   vyre::store::Store store(directory, vyre::store::owner_of(device->adapter()));
//   auto tuned = vyre::Tuned::make(*device, program, uniforms, {.store = &store});
//   for (...) if (auto done = tuned->dispatch(buffers); !done) ...
//
// No failure to tune stops a program: it runs as it is, and problem() says why.
//
// Any number of threads may dispatch; they take turns, and those that come while the first one
// tunes wait for it. What else threads do with the device at that time is for them to arrange (see
// device.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/run/run.h"
#include "vyre/store/store.h"
#include "vyre/tune/counters.h"
#include "vyre/tune/options.h"
#include "vyre/worker/options.h"

namespace vyre::tune {

struct Family;

struct TunedOptions {
  Mode mode = Mode::natural;
  store::Store* store = nullptr;  // none: nothing is remembered
  Counters* counters = nullptr;
  // At the first dispatch somebody waits.
  TuneOptions tune = {.evaluations = 60, .time = std::chrono::seconds(5)};
  worker::Options worker = {};  // its device is set to the program's
};

// Where a configuration came from.
enum class Origin : std::uint8_t {
  undecided,      // nothing was dispatched yet
  exact,          // the store, for this dispatch on this adapter
  nearest_size,   // the store, for other sizes
  other_adapter,  // the store, for another adapter
  tuned,          // measured at the first dispatch
  original,       // nothing was known, or nothing could be done: the program as it is
};
[[nodiscard]] std::string_view to_string(Origin origin);

struct Status {
  Origin origin = Origin::undecided;
  std::string configuration;  // "wg_x=256 vector=4"
  double speedup = 1;         // over the original, by what the decision says; 1 if it says nothing
};

class Tuned {
 public:
  // A program and its schedules. The device, the store and the counters must outlive it. Refuses
  // uniforms that the program does not have and sizes that cannot be launched.
  [[nodiscard]] static Result<Tuned> make(device::Device& device, const ir::Program& program,
                                          ir::Uniforms uniforms, TunedOptions options = {});
  // Any family of kernels: for the library itself, which knows how to make one.
  [[nodiscard]] static Result<Tuned> make(device::Device& device, Family family,
                                          ir::Uniforms uniforms, TunedOptions options = {});
  Tuned(Tuned&& other) noexcept;
  Tuned& operator=(Tuned&& other) noexcept;
  ~Tuned();

  // Runs the program once on these buffers; the first time it also decides, on copies of what they
  // hold. Errors are those of compiling the program as it is and of launching.
  [[nodiscard]] Result<void> dispatch(std::span<device::Buffer* const> buffers);
  // The same without the wait for the launch. The first one waits for what is in the queue, because
  // it decides on what that leaves, and for itself.
  [[nodiscard]] Result<device::Event> enqueue(device::Queue& queue,
                                              std::span<device::Buffer* const> buffers);
  // What was decided, to be launched without this object's lock and count; null while nothing is
  // decided. For one thread at a time that uses nothing else of this object meanwhile; another
  // decision replaces it.
  [[nodiscard]] run::Executable* decided();
  // What enqueue would launch, bound to these buffers and the present values of uniforms; decides
  // if nothing is decided yet. See run::Executable::bound.
  [[nodiscard]] Result<run::Executable> bound(device::Queue& queue,
                                              std::span<device::Buffer* const> buffers);
  // Decides now, on copies of what the buffers hold, and launches nothing.
  [[nodiscard]] Result<void> tune(device::Queue& queue, std::span<device::Buffer* const> buffers,
                                  const TuneRequest& request);
  // For the dispatches that follow; see run::Executable::set.
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value);

  [[nodiscard]] Status status() const;
  // Why it is not as it could be: a line for each reason; empty if there is none.
  [[nodiscard]] std::string problem() const;

 private:
  class State;
  explicit Tuned(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vyre::tune

namespace vyre {
using tune::Tuned;
}
