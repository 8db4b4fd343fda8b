// A value, or the reason why there is none.
//
// std::expected as far as vyre needs it, for compilers and standards that do not have it (C++20),
// with one difference: to use a value that is not there is no undefined behaviour. It stops the
// program with the error on standard error.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace vyre {

struct Error;

// An error on its way into an Expected: `return Unexpected(other.error());`.
template <class E>
class Unexpected {
 public:
  explicit Unexpected(E error) : error_(std::move(error)) {}
  [[nodiscard]] const E& error() const& { return error_; }
  [[nodiscard]] E& error() & { return error_; }
  [[nodiscard]] E&& error() && { return std::move(error_); }

 private:
  E error_;
};

namespace detail {

// Says that a value was used that is not there, and why it is not there if that is known.
[[noreturn]] void no_value(const Error* why);

template <class E>
[[noreturn]] void no_value_because(const E& error) {
  if constexpr (std::is_same_v<E, Error>) {
    no_value(&error);
  } else {
    no_value(nullptr);
  }
}

}  // namespace detail

template <class T, class E>
class Expected {
 public:
  using value_type = T;  // NOLINT(readability-identifier-naming): as the standard's
  using error_type = E;  // NOLINT(readability-identifier-naming)

  Expected()
    requires std::default_initializable<T>
      : has_(true) {
    std::construct_at(std::addressof(value_));
  }
  template <class U = T>
    requires(std::constructible_from<T, U> && !std::same_as<std::remove_cvref_t<U>, Expected>)
  explicit(!std::convertible_to<U, T>) Expected(U&& value) : has_(true) {
    std::construct_at(std::addressof(value_), std::forward<U>(value));
  }
  template <class G>
    requires std::constructible_from<E, G>
  Expected(Unexpected<G> failure)  // NOLINT(google-explicit-constructor)
      : has_(false) {
    std::construct_at(std::addressof(error_), std::move(failure).error());
  }
  // A derived value where a base is wanted.
  template <class U>
    requires(!std::same_as<U, T> && std::constructible_from<T, U>)
  Expected(Expected<U, E>&& other)  // NOLINT(google-explicit-constructor)
      : has_(other.has_value()) {
    if (has_) {
      std::construct_at(std::addressof(value_), *std::move(other));
    } else {
      std::construct_at(std::addressof(error_), std::move(other).error());
    }
  }
  Expected(const Expected& other)
    requires std::copy_constructible<T>
      : has_(other.has_) {
    if (has_) {
      std::construct_at(std::addressof(value_), other.value_);
    } else {
      std::construct_at(std::addressof(error_), other.error_);
    }
  }
  Expected(Expected&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : has_(other.has_) {
    take(std::move(other));
  }
  Expected& operator=(const Expected& other)
    requires std::copy_constructible<T>
  {
    return *this = Expected(other);
  }
  Expected& operator=(Expected&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    clear();
    has_ = other.has_;
    take(std::move(other));
    return *this;
  }
  ~Expected() { clear(); }

  [[nodiscard]] bool has_value() const { return has_; }
  explicit operator bool() const { return has_; }

  [[nodiscard]] T& operator*() & { return checked(), value_; }
  [[nodiscard]] const T& operator*() const& { return checked(), value_; }
  [[nodiscard]] T&& operator*() && { return checked(), std::move(value_); }
  [[nodiscard]] T* operator->() { return checked(), std::addressof(value_); }
  [[nodiscard]] const T* operator->() const { return checked(), std::addressof(value_); }
  [[nodiscard]] T& value() & { return **this; }
  [[nodiscard]] const T& value() const& { return **this; }
  [[nodiscard]] T&& value() && { return *std::move(*this); }
  template <class U>
  [[nodiscard]] T value_or(U&& other) const& {
    return has_ ? value_ : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  [[nodiscard]] T value_or(U&& other) && {
    return has_ ? std::move(value_) : static_cast<T>(std::forward<U>(other));
  }

  // Requires: no value.
  [[nodiscard]] const E& error() const& { return error_; }
  [[nodiscard]] E& error() & { return error_; }
  [[nodiscard]] E&& error() && { return std::move(error_); }

  friend bool operator==(const Expected& a, const Expected& b) {
    if (a.has_ != b.has_) return false;
    return a.has_ ? a.value_ == b.value_ : a.error_ == b.error_;
  }
  template <class U>
    requires(!std::same_as<U, Expected>)
  friend bool operator==(const Expected& a, const U& b) {
    return a.has_ && a.value_ == b;
  }

 private:
  void checked() const {
    if (!has_) [[unlikely]] {
      detail::no_value_because(error_);
    }
  }
  void take(Expected&& other) {
    if (has_) {
      std::construct_at(std::addressof(value_), std::move(other.value_));
    } else {
      std::construct_at(std::addressof(error_), std::move(other.error_));
    }
  }
  void clear() {
    if (has_) {
      std::destroy_at(std::addressof(value_));
    } else {
      std::destroy_at(std::addressof(error_));
    }
  }

  union {
    T value_;  // NOLINT(readability-identifier-naming): private, whatever the union says
    E error_;  // NOLINT(readability-identifier-naming)
  };
  bool has_;
};

// Done, or the reason why not.
template <class E>
class Expected<void, E> {
 public:
  using value_type = void;  // NOLINT(readability-identifier-naming)
  using error_type = E;     // NOLINT(readability-identifier-naming)

  Expected() = default;
  template <class G>
    requires std::constructible_from<E, G>
  Expected(Unexpected<G> failure)  // NOLINT(google-explicit-constructor)
      : error_(std::make_unique<E>(std::move(failure).error())) {}
  Expected(const Expected& other) : error_(copy(other)) {}
  Expected(Expected&&) noexcept = default;
  Expected& operator=(const Expected& other) {
    error_ = copy(other);
    return *this;
  }
  Expected& operator=(Expected&&) noexcept = default;
  ~Expected() = default;

  [[nodiscard]] bool has_value() const { return error_ == nullptr; }
  explicit operator bool() const { return has_value(); }
  void operator*() const { value(); }
  void value() const {
    if (error_ != nullptr) detail::no_value_because(*error_);
  }

  // Requires: not done.
  [[nodiscard]] const E& error() const& { return *error_; }
  [[nodiscard]] E& error() & { return *error_; }
  [[nodiscard]] E&& error() && { return std::move(*error_); }

  friend bool operator==(const Expected& a, const Expected& b) {
    if (a.has_value() != b.has_value()) return false;
    return a.has_value() || *a.error_ == *b.error_;
  }

 private:
  static std::unique_ptr<E> copy(const Expected& other) {
    return other.error_ == nullptr ? nullptr : std::make_unique<E>(*other.error_);
  }

  std::unique_ptr<E> error_;  // a pointer, so that success costs nothing
};

}  // namespace vyre
