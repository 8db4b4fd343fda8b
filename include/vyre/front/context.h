// The front door: a device with everything that tuned kernels need.
//
//   auto gpu = vyre::Context::open();                           // or an error: what to install
//   auto heat = gpu->kernel<const float, float>(text);          // or all the problems of the text
//   auto u = gpu->array(start), v = gpu->array<float>(start.size());
//   (*heat)(u, v);                                               // enqueued
//   auto result = v.to_host();                                   // waits
//
// One context has one queue: what is enqueued runs in that order. Contexts, arrays, kernels and
// events share what they need, so that they may be destroyed in any order, and may be used by any
// number of threads.
//
// Calls return at once. What fails is never silent: the event has the error, arrays that were to be
// written hold it, finish() returns the first, and if nobody asks, it goes to the log at the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/front/array.h"
#include "vyre/front/batches.h"
#include "vyre/front/event.h"
#include "vyre/front/kernel.h"
#include "vyre/front/mathematics.h"
#include "vyre/front/step.h"
#include "vyre/tune/options.h"
#include "vyre/worker/options.h"

namespace vyre {

namespace device {
struct Adapter;
}
namespace ir {
struct Program;
}

// What a search at a first call may cost, while somebody waits: less than one ahead of time.
struct FirstSearch {
  std::string strategy = "natural";  // see search::make_strategy
  std::uint64_t seed = 0;
  std::size_t evaluations = 60;                             // configurations tried at most
  std::chrono::nanoseconds time = std::chrono::seconds(5);  // for trying, not for the last race
  std::size_t workers = 0;                                  // 0: one for each core, up to four
};

// What tuning by the calls that happen anyway may cost.
struct LiveTuning {
  double share = 0.2;            // of the machine, for what goes on in the background
  std::size_t evaluations = 48;  // configurations tried for one kernel and size
  // Who runs next: "thompson", "natural", "identity", "epsilon" or "halving"; see docs/live.md.
  // Empty: the one that did best.
  std::string policy = {};
};

struct ContextOptions {
  // "default", "reference", "opencl:1", or a part of a name; see device::open.
  std::string device = "default";
  // What happens at the first call of a kernel; not given: as VYRE_AUTOTUNER says.
  std::optional<tune::Mode> mode = {};
  // Where decisions are kept; empty: where `vyre tune` keeps them. "none" for nowhere.
  std::string store = {};
  FirstSearch search = {};
  LiveTuning live = {};
  // Events know how long their call took; that costs some drivers a little at every call.
  bool timed = false;
  // Gets a line when something is not as it could be; not given: standard error.
  std::function<void(std::string_view line)> log = {};
  worker::Options worker = {};  // its device is set to the context's
};

template <class R>
concept HostRange = requires(const R& range) {
  std::span(std::data(range), std::size(range));
  requires scalar_of<std::remove_cvref_t<decltype(*std::data(range))>> != Scalar::unknown;
};

class Context {
 public:
  Context() = default;  // not open: all that it makes holds that error

  // Reads VYRE_AUTOTUNER, and XDG_CACHE_HOME and HOME for the place of the store. The worker
  // process starts when something is tuned first.
  [[nodiscard]] static Result<Context> open(ContextOptions options = {});

  // From the text of a program, or from one that was built; `uniforms` have the values given here,
  // sizes that are not among them are deduced at each call.
  template <class... Args>
  [[nodiscard]] Result<Kernel<Args...>> kernel(std::string_view text,
                                               const std::vector<Setting>& uniforms = {}) const {
    return typed<Args...>(make_kernel(text, uniforms, detail::parameters_of<Args...>));
  }
  template <class... Args>
  [[nodiscard]] Result<Kernel<Args...>> kernel(const ir::Program& program,
                                               const std::vector<Setting>& uniforms = {}) const {
    return typed<Args...>(make_kernel(program, uniforms, detail::parameters_of<Args...>));
  }

  // Zeros.
  template <class T>
  [[nodiscard]] Array<T> array(Extents extents) const {
    return Array<T>(make_array(scalar_of<T>, extents));
  }
  // The host's numbers, copied; with extents if it is not one row of them.
  template <HostRange R>
  [[nodiscard]] auto array(const R& host, const Extents& extents = {}) const {
    using T = std::remove_cvref_t<decltype(*std::data(host))>;
    return Array<T>(make_array(scalar_of<T>, extents,
                               std::as_bytes(std::span(std::data(host), std::size(host)))));
  }

  // Arrays of equal size that do not overlap.
  template <class From, class To>
    requires std::is_same_v<std::remove_const_t<From>, To>
  Event copy(const Array<From>& from, const Array<To>& to) const {
    return copy_array(from, to);
  }

  // The calls that `calls` makes, by this thread, on this context, to be run later. They are not
  // run now; kernels without a decision come by one now, on what the arrays hold.
  template <class Calls>
  [[nodiscard]] Step record(const Calls& calls) const {
    return make_step(calls);
  }

  // A queue of items for a kernel of this context; a callback, if there is one, gets the results.
  template <class... Args>
  [[nodiscard]] Result<Batches<Args...>> batches(
      const Kernel<Args...>& kernel, const BatchOptions& options = {},
      typename Batches<Args...>::Callback callback = {}) const {
    auto state = make_batches(kernel, options);
    if (!state) return Failure(std::move(state).error());
    return Batches<Args...>(*std::move(state), std::move(callback));
  }

  template <class T>
  [[nodiscard]] Result<Gemm<T>> gemm(const GemmSizes& sizes) const {
    static_assert(std::is_same_v<T, float>, "gemm is there for float");
    return made<Gemm<T>>(make_gemm(sizes));
  }
  template <class T>
  [[nodiscard]] Result<BatchedInverse<T>> inverse(const InverseSizes& sizes) const {
    static_assert(std::is_same_v<T, float>, "inverse is there for float");
    return made<BatchedInverse<T>>(make_inverse(sizes));
  }

  // Waits for everything; the first error since the last finish().
  [[nodiscard]] Result<void> finish() const;

  // Empty if it is not open.
  [[nodiscard]] const device::Adapter& adapter() const;
  // What was dispatched, tuned, found and failed, a line each.
  [[nodiscard]] std::string stats() const;

 private:
  explicit Context(std::shared_ptr<detail::ContextState> state) : state_(std::move(state)) {}
  using KernelResult = Result<std::shared_ptr<detail::KernelState>>;
  using ChainResult = Result<std::shared_ptr<detail::ChainState>>;
  using Parameters = std::span<const detail::Parameter>;

  template <class... Args>
  [[nodiscard]] static Result<Kernel<Args...>> typed(KernelResult state) {
    return made<Kernel<Args...>>(std::move(state));
  }
  template <class Made, class State>
  [[nodiscard]] static Result<Made> made(State state) {
    if (!state) return Failure(std::move(state).error());
    return Made(*std::move(state));
  }
  [[nodiscard]] KernelResult make_kernel(std::string_view text,
                                         const std::vector<Setting>& uniforms,
                                         Parameters parameters) const;
  [[nodiscard]] KernelResult make_kernel(const ir::Program& program,
                                         const std::vector<Setting>& uniforms,
                                         Parameters parameters) const;
  [[nodiscard]] Result<std::shared_ptr<detail::BatchesState>> make_batches(
      const detail::AnyKernel& kernel, const BatchOptions& options) const;
  [[nodiscard]] ChainResult make_gemm(const GemmSizes& sizes) const;
  [[nodiscard]] ChainResult make_inverse(const InverseSizes& sizes) const;
  [[nodiscard]] detail::AnyArray make_array(Scalar scalar, const Extents& extents) const;
  [[nodiscard]] detail::AnyArray make_array(Scalar scalar, const Extents& extents,
                                            std::span<const std::byte> content) const;
  Event copy_array(const detail::AnyArray& from, const detail::AnyArray& to) const;
  [[nodiscard]] Step make_step(const std::function<void()>& calls) const;

  std::shared_ptr<detail::ContextState> state_;
};

}  // namespace vyre
