// A kernel as a function of arrays.
//
//   auto heat = gpu.kernel<const float, float>(text);   // const T reads, T writes
//   (*heat)(u, v);                                       // enqueues
//
// Types, access and the number of arguments are checked against the program when it is made; the
// sizes are deduced from the arrays of each call (`x: f32[n]` says n), and each size has its own
// decision: from the store, by tune(), or by the calls themselves (docs/live.md; VYRE_AUTOTUNER in
// docs/tuning.md has other ways).
//
// A Kernel is a handle, like an Array. Any number of threads may call one.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/launch.h"
#include "vyre/front/array.h"
#include "vyre/front/event.h"
#include "vyre/tune/live_status.h"
#include "vyre/tune/options.h"

namespace vyre {

using tune::LiveStatus;
using tune::TuneProgress;
using tune::TuneRequest;

// A number for a uniform. It takes the uniform's type; one that the type cannot hold is refused.
class Number {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  Number(T value)  // NOLINT(google-explicit-constructor)
      : real_(static_cast<double>(value)),
        integer_(static_cast<std::int64_t>(integral(value))),
        is_integer_(std::is_integral_v<T>),
        is_bool_(std::is_same_v<T, bool>) {}

  [[nodiscard]] Result<Literal> as(Scalar scalar) const;

 private:
  template <class T>
  static constexpr auto integral(T value) {
    if constexpr (std::is_integral_v<T>) {
      return value;
    } else {
      return 0;
    }
  }
  double real_;
  std::int64_t integer_;
  bool is_integer_;
  bool is_bool_;
};

// A uniform and its value: {"w", 512}.
struct Setting {
  std::string name;
  Number value;
};

namespace detail {

class KernelState;

// What a kernel's C++ type says of an argument.
struct Parameter {
  Scalar scalar = Scalar::unknown;
  bool writes = false;
};
template <class... Args>
inline constexpr std::array<Parameter, sizeof...(Args)> parameters_of = {
    Parameter{scalar_of<std::remove_const_t<Args>>, !std::is_const_v<Args>}...};

// What kernels of all types share.
class AnyKernel {
 public:
  AnyKernel() = default;
  explicit AnyKernel(std::shared_ptr<KernelState> state) : state_(std::move(state)) {}

  [[nodiscard]] const std::string& name() const;
  // A uniform's value for the calls that follow; not one that sizes depend on.
  Result<void> set(std::string_view uniform, Number value) const;

  // Of the sizes that it was called with last. Whether it runs as was decided for these sizes on
  // this device; if not, why: one line, or more.
  [[nodiscard]] bool tuned() const;
  [[nodiscard]] std::string why() const;
  // "wg_x=8 vector=16".
  [[nodiscard]] std::string configuration() const;
  // How far live tuning is; empty where the kernel is not tuned by its calls.
  [[nodiscard]] LiveStatus live() const;
  [[nodiscard]] const std::shared_ptr<KernelState>& state() const { return state_; }

 protected:
  using Arrays = std::span<const AnyArray* const>;
  Event call(Arrays arrays, std::span<const Parameter> parameters) const;
  Result<void> tune_on(Arrays arrays, const TuneRequest& request) const;

 private:
  std::shared_ptr<KernelState> state_;
};

}  // namespace detail

template <class... Args>
class Kernel : public detail::AnyKernel {
 public:
  using AnyKernel::AnyKernel;  // default: one whose calls are refused

  // Enqueues. What is refused is an event with the error; the arrays that it was to write then hold
  // it too.
  Event operator()(const Array<Args>&... arrays) const {
    const std::array<const detail::AnyArray*, sizeof...(Args)> all = {&arrays...};
    return call(all, detail::parameters_of<Args...>);
  }
  // Searches now, on copies of what the arrays hold. Nothing if there is a decision already, unless
  // `again`. A failure leaves the kernel as it is; see why().
  Result<void> tune(const Array<Args>&... arrays, const TuneRequest& request = {}) const {
    const std::array<const detail::AnyArray*, sizeof...(Args)> all = {&arrays...};
    return tune_on(all, request);
  }
};

}  // namespace vyre
