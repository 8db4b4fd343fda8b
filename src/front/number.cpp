#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "vyre/front/kernel.h"

namespace vyre {
namespace {

template <class T>
Literal literal_of(Scalar scalar, T value) {
  Literal made{scalar, 0};
  std::memcpy(&made.bits, &value, sizeof(value));
  return made;
}

template <class T>
bool holds(std::int64_t value) {
  return value >= std::int64_t{std::numeric_limits<T>::min()} &&
         value <= std::int64_t{std::numeric_limits<T>::max()};
}

}  // namespace

Result<Literal> Number::as(Scalar scalar) const {
  const auto refuse = [&]() -> Failure {
    const std::string text = is_bool_      ? (integer_ != 0 ? "true" : "false")
                             : is_integer_ ? std::to_string(integer_)
                                           : fmt::format("{}", real_);
    return fail(ErrorKind::input, fmt::format("{} is no {}", text, name_of(scalar)));
  };
  switch (scalar) {
    case Scalar::boolean:
      if (!is_bool_) return refuse();
      return Literal{scalar, integer_ != 0 ? 1U : 0U};
    case Scalar::u32:
      if (!is_integer_ || is_bool_ || !holds<std::uint32_t>(integer_)) return refuse();
      return literal_of(scalar, static_cast<std::uint32_t>(integer_));
    case Scalar::i32:
      if (!is_integer_ || is_bool_ || !holds<std::int32_t>(integer_)) return refuse();
      return literal_of(scalar, static_cast<std::int32_t>(integer_));
    case Scalar::u64:  // above what an i64 holds, the integer wrapped and comes back
      if (!is_integer_ || is_bool_ || real_ < 0) return refuse();
      return literal_of(scalar, static_cast<std::uint64_t>(integer_));
    case Scalar::i64:
      if (!is_integer_ || is_bool_ || (real_ > 0 && integer_ < 0)) return refuse();
      return literal_of(scalar, integer_);
    case Scalar::f32:
      if (is_bool_ || (std::isfinite(real_) && !std::isfinite(static_cast<float>(real_)))) {
        return refuse();
      }
      return literal_of(scalar, static_cast<float>(real_));
    case Scalar::f64:
      if (is_bool_) return refuse();
      return literal_of(scalar, real_);
    default:  // narrow types are no uniforms'
      break;
  }
  return refuse();
}

}  // namespace vyre
