// Items that come as they come, from any thread, run by a kernel in batches.
//
//   auto batches = gpu.batches(kernel);                   // a kernel of `x: f32[n] read`, `y:
//   f32[n] write` batches->push(x);                                     // an item, or many;
//   returns at once auto y = batches->pull();                             // their results, in the
//   order of the pushes
//
// The first extent of all the kernel's arrays is the number of items, and no item may matter to
// another's result. A thread of its own gathers what was pushed into dispatches and runs them one
// after the other; what comes meanwhile waits for the next. How many items go into one is chosen by
// what dispatches take: more while their overhead weighs, fewer while items wait for others.
//
// Sizes are powers of two, so that few are ever compiled and tuned. What does not fill one is
// padded to the next power of two with copies of its last item: that costs at most twice the work,
// where several smaller dispatches would each cost their overhead, and the kernel sees no numbers
// that were not pushed.
//
// Errors are as everywhere at the front door: a push that does not fit is refused; a dispatch that
// fails gives its error to each result of its items. flush() returns the first since the last
// flush(); if nobody asks, it goes to the log at the end. After a kernel has failed while it ran,
// so does what comes next until Context::finish().
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/front/array.h"
#include "vyre/front/kernel.h"

namespace vyre {

struct BatchOptions {
  // Items of a dispatch at least and at most, powers of two. The same number: it does not adapt.
  std::uint32_t least = 32;
  std::uint32_t most = 1024;
  // How long an item waits for others before its batch is run as it is.
  std::chrono::nanoseconds patience = std::chrono::milliseconds(1);
  // Items that wait; a push that finds as many waits too.
  std::size_t room = 65536;
  // The extents of an item, up to two for each argument; none at all: one number in each.
  std::vector<Extents> item = {};
};

// What was done so far. The operations are those of the items, counted in the program (`vyre check
// --json`), not those of padding.
struct BatchStats {
  std::uint32_t size = 0;  // items of the next dispatch at most
  std::uint64_t items = 0;
  std::uint64_t dispatches = 0;
  std::uint64_t padding = 0;  // items that were there to fill a dispatch
  std::chrono::nanoseconds busy{};
  std::chrono::nanoseconds idle{};  // nothing ran, and items waited for others
  std::uint64_t integer_ops = 0;
  std::uint64_t float_ops = 0;
  std::uint64_t special_ops = 0;  // divisions, sqrt, exp, log
  std::uint64_t accesses = 0;     // loads, stores, atomics
};

namespace detail {

class BatchesState;

template <class... T>
struct Types {};
template <class... Lists>
struct Joined {
  using List = Types<>;
};
template <class... T, class... U, class... Lists>
struct Joined<Types<T...>, Types<U...>, Lists...> : Joined<Types<T..., U...>, Lists...> {};
template <class... T>
struct Joined<Types<T...>> {
  using List = Types<T...>;
};
template <bool read, class... Args>
using OnlyOf = typename Joined<
    std::conditional_t<std::is_const_v<Args> == read, Types<std::remove_const_t<Args>>, Types<>>...,
    Types<>>::List;

// The numbers of an item or of several: one number, or a contiguous range.
template <class T>
class Numbers {
 public:
  Numbers(const T& one) : numbers_(&one, 1) {}  // NOLINT(google-explicit-constructor)
  template <class R>
    requires requires(const R& range) { std::span<const T>(std::data(range), std::size(range)); }
  Numbers(const R& range)  // NOLINT(google-explicit-constructor)
      : numbers_(std::data(range), std::size(range)) {}
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(numbers_); }

 private:
  std::span<const T> numbers_;
};

// What batches of every type share.
class AnyBatches {
 public:
  // Gets what became of so many items: the bytes of each array that is written, or an error.
  using Parts = std::span<const std::span<const std::byte>>;
  using Deliver = std::function<void(std::size_t items, Result<Parts> results)>;

  AnyBatches() = default;
  explicit AnyBatches(std::shared_ptr<BatchesState> state) : state_(std::move(state)) {}

  // Runs what is there, without patience, and waits until all that was pushed before has its
  // results; the first error since the last flush().
  Result<void> flush() const;
  // Items that were pushed and whose results were not pulled yet.
  [[nodiscard]] std::size_t due() const;
  [[nodiscard]] BatchStats stats() const;

 protected:
  Result<void> push_bytes(Parts inputs) const;
  // An error if so many results are not due, or if a callback gets them.
  [[nodiscard]] Result<void> check_due(std::size_t items) const;
  // Into spans of that many items.
  Result<void> pull_bytes(std::size_t items, std::span<const std::span<std::byte>> outputs) const;
  // Of an item, in the array of the n-th argument that is written.
  [[nodiscard]] std::size_t output_elements(std::size_t output) const;
  void deliver_to(Deliver deliver) const;

 private:
  std::shared_ptr<BatchesState> state_;
};

template <class In, class Out>
class TypedBatches;
template <class... In, class... Out>
class TypedBatches<Types<In...>, Types<Out...>> : public AnyBatches {
  template <class T>
  using Host = typename Array<const T>::Host;

 public:
  // The numbers of the items, one after the other, in each array that the kernel writes.
  using Results = typename std::conditional_t<sizeof...(Out) == 1,
                                              std::tuple_element<0, std::tuple<Host<Out>..., int>>,
                                              std::type_identity<std::tuple<Host<Out>...>>>::type;
  // Called by the batches' own thread, in the order of the pushes, after each dispatch.
  using Callback = std::function<void(std::size_t items, Result<Results> results)>;

  using AnyBatches::AnyBatches;  // default: one whose calls are refused
  TypedBatches(std::shared_ptr<BatchesState> state, Callback callback)
      : AnyBatches(std::move(state)) {
    if (callback) deliver_to(delivery(std::move(callback)));
  }

  // One item or more: for each array that the kernel reads, their numbers. They are copied before
  // it returns. An error if they do not make whole items, or not as many in each array.
  Result<void> push(const Numbers<In>&... numbers) const {
    const std::array<std::span<const std::byte>, sizeof...(In)> parts = {numbers.bytes()...};
    return push_bytes(parts);
  }

  // The next results; waits for them. If one of the items failed, its error, and all of them count
  // as pulled. An error if so many are not due, or if a callback gets them.
  [[nodiscard]] Result<Results> pull(std::size_t items = 1) const {
    if (auto good = check_due(items); !good) return Failure(std::move(good).error());
    auto hosts = empty(items, std::index_sequence_for<Out...>());
    auto done = std::apply(
        [&](Host<Out>&... host) {
          const std::array<std::span<std::byte>, sizeof...(Out)> parts = {
              std::as_writable_bytes(std::span(host))...};
          return pull_bytes(items, parts);
        },
        hosts);
    if (!done) return Failure(std::move(done).error());
    return plain(std::move(hosts));
  }

 private:
  template <std::size_t... i>
  [[nodiscard]] std::tuple<Host<Out>...> empty(std::size_t items, std::index_sequence<i...>) const {
    return {Host<Out>(items * output_elements(i))...};
  }
  static Results plain(std::tuple<Host<Out>...> hosts) {
    if constexpr (sizeof...(Out) == 1) {
      return std::get<0>(std::move(hosts));
    } else {
      return hosts;
    }
  }
  template <class T>
  static Host<T> numbers(std::span<const std::byte> bytes) {
    Host<T> host(bytes.size() / sizeof(T));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(host)).begin());
    return host;
  }
  template <std::size_t... i>
  static std::tuple<Host<Out>...> numbers_of(Parts parts, std::index_sequence<i...>) {
    return {numbers<Out>(parts[i])...};
  }
  static Deliver delivery(Callback callback) {
    return [callback = std::move(callback)](std::size_t items, const Result<Parts>& results) {
      if (!results) return callback(items, Failure(results.error()));
      callback(items, plain(numbers_of(*results, std::index_sequence_for<Out...>())));
    };
  }
};

}  // namespace detail

// A handle, like a Kernel, and made by Context::batches. At the end of the last one's life its
// thread ends with the dispatch under way; what was not flushed is not run, and the log says so.
template <class... Args>
class Batches
    : public detail::TypedBatches<detail::OnlyOf<true, Args...>, detail::OnlyOf<false, Args...>> {
 public:
  using detail::TypedBatches<detail::OnlyOf<true, Args...>,
                             detail::OnlyOf<false, Args...>>::TypedBatches;
};

}  // namespace vyre
