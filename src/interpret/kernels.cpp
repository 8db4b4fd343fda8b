#include "interpret/kernels.h"

#include <array>
#include <concepts>
#include <utility>

#include "base/check.h"
#include "interpret/frame.h"
#include "interpret/semantics.h"

namespace vyre::interpret::kernels {
namespace {

using ir::BinaryOp;
using ir::UnaryOp;
using semantics::f32;
using semantics::f64;
using semantics::i32;
using semantics::i64;
using semantics::u32;
using semantics::u64;

// Applies `f` lane by lane and invocation by invocation. The result's register is never one of the
// operands': the compiler of the tape sees to that.
template <auto f, class Signature = decltype(f)>
struct Dense;

template <auto f, class To, class... From>
struct Dense<f, To (*)(From...)> {
  static void run(const Compute& step, const Frame& frame) {
    const std::array<Column, 3> columns = {step.a, step.b, step.c};
    for (u32 lane = 0; lane < step.lanes; ++lane) {
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        loop(frame.active, frame.cells<To>(step.to, lane),
             frame.cells<const From>(columns[k], lane)...);
      }(std::index_sequence_for<From...>{});
    }
  }

  static void loop(const Active& active, To* __restrict to, const From*... from) {
    if (active.last - active.first == 1) {  // sequential parts: spared the vector loop's set-up
      to[active.first] = f(from[active.first]...);
    } else {
      vector_loop(active.first, active.last, to, from...);
    }
  }

  [[gnu::noinline]] static void vector_loop(u32 first, u32 last, To* __restrict to,
                                            const From*... from) {
    for (u32 i = first; i < last; ++i) to[i] = f(from[i]...);
  }
};

template <auto f>
constexpr Kernel dense = &Dense<f>::run;

template <class T>
void splat_cells(const Compute& step, const Frame& frame) {
  for (u32 lane = 0; lane < step.lanes; ++lane) {
    Dense<&semantics::same<T>>::loop(frame.active, frame.cells<T>(step.to, lane),
                                     frame.cells<const T>(step.a));
  }
}

template <class T>
void assign_cells(const Compute& step, const Frame& frame) {
  const u32* mask = frame.cells<const u32>(frame.active.mask);
  const u32 last = frame.active.last;
  for (u32 lane = 0; lane < step.lanes; ++lane) {
    T* __restrict to = frame.cells<T>(step.to, lane);
    const T* from = frame.cells<const T>(step.a, lane);
    for (u32 i = frame.active.first; i < last; ++i) to[i] = mask[i] != 0 ? from[i] : to[i];
  }
}

template <std::floating_point T>
Kernel float_function_of(UnaryOp op) {
  using enum UnaryOp;
  switch (op) {
    case sqrt:
      return dense<&semantics::sqrt<T>>;
    case exp:
      return dense<&semantics::exp<T>>;
    case log:
      return dense<&semantics::log<T>>;
    case sin:
      return dense<&semantics::sin<T>>;
    case cos:
      return dense<&semantics::cos<T>>;
    case tan:
      return dense<&semantics::tan<T>>;
    case tanh:
      return dense<&semantics::tanh<T>>;
    case rsqrt:
      return dense<&semantics::rsqrt<T>>;
    case exp2:
      return dense<&semantics::exp2<T>>;
    case log2:
      return dense<&semantics::log2<T>>;
    case floor:
      return dense<&semantics::floor<T>>;
    case ceil:
      return dense<&semantics::ceil<T>>;
    case round:
      return dense<&semantics::round<T>>;
    default:
      return nullptr;
  }
}

template <std::integral T>
Kernel integer_function_of(UnaryOp op) {
  using enum UnaryOp;
  switch (op) {
    case bit_not:
      return dense<&semantics::bit_not<T>>;
    case popcount:
      return dense<&semantics::popcount<T>>;
    case clz:
      return dense<&semantics::clz<T>>;
    default:
      return nullptr;
  }
}

template <class T>
Kernel unary_of(UnaryOp op) {
  if (op == UnaryOp::neg) return dense<&semantics::neg<T>>;
  if (op == UnaryOp::abs) return dense<static_cast<T (*)(T)>(&semantics::abs)>;
  if constexpr (std::floating_point<T>) {
    return float_function_of<T>(op);
  } else {
    return integer_function_of<T>(op);
  }
}

template <class T>
Kernel comparison_of(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case eq:
      return dense<&semantics::eq<T>>;
    case ne:
      return dense<&semantics::ne<T>>;
    case lt:
      return dense<&semantics::lt<T>>;
    case le:
      return dense<&semantics::le<T>>;
    case gt:
      return dense<&semantics::gt<T>>;
    case ge:
      return dense<&semantics::ge<T>>;
    default:
      return nullptr;
  }
}

template <std::integral T>
Kernel bit_operation_of(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case rem:
      return dense<&semantics::rem<T>>;
    case bit_and:
      return dense<&semantics::bit_and<T>>;
    case bit_or:
      return dense<&semantics::bit_or<T>>;
    case bit_xor:
      return dense<&semantics::bit_xor<T>>;
    case shl:
      return dense<&semantics::shl<T>>;
    case shr:
      return dense<&semantics::shr<T>>;
    default:
      return nullptr;
  }
}

template <class T>
Kernel binary_of(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case add:
      return dense<&semantics::add<T>>;
    case sub:
      return dense<&semantics::sub<T>>;
    case mul:
      return dense<&semantics::mul<T>>;
    case div:
      return dense<static_cast<T (*)(T, T)>(&semantics::div)>;
    case min:
      return dense<&semantics::min<T>>;
    case max:
      return dense<&semantics::max<T>>;
    default:
      break;
  }
  if (ir::is_comparison(op)) return comparison_of<T>(op);
  if constexpr (std::integral<T>) {
    return bit_operation_of<T>(op);
  } else {
    return op == pow ? dense<&semantics::pow<T>> : nullptr;
  }
}

template <class To>
Kernel convert_of(Scalar from) {
  switch (from) {
    case Scalar::i32:
      return dense<&semantics::convert<To, i32>>;
    case Scalar::f32:
      return dense<&semantics::convert<To, f32>>;
    case Scalar::f64:
      return dense<&semantics::convert<To, f64>>;
    case Scalar::u64:
      return dense<&semantics::convert<To, u64>>;
    case Scalar::i64:
      return dense<&semantics::convert<To, i64>>;
    default:  // a bool is 0 or 1 already
      return dense<&semantics::convert<To, u32>>;
  }
}

Kernel to_bool_of(Scalar from) {
  switch (from) {
    case Scalar::f32:
      return dense<&semantics::to_bool<f32>>;
    case Scalar::f64:
      return dense<&semantics::to_bool<f64>>;
    case Scalar::u64:
    case Scalar::i64:
      return dense<&semantics::to_bool<u64>>;
    default:
      return dense<&semantics::to_bool<u32>>;
  }
}

Kernel found(Kernel kernel) {
  check(kernel != nullptr, "no such operation on this type: the program was not validated");
  return kernel;
}

}  // namespace

Kernel unary(UnaryOp op, Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return found(op == UnaryOp::bit_not ? dense<&semantics::logical_not> : nullptr);
    case Scalar::u32:
      return found(unary_of<u32>(op));
    case Scalar::i32:
      return found(unary_of<i32>(op));
    case Scalar::u64:
      return found(unary_of<u64>(op));
    case Scalar::i64:
      return found(unary_of<i64>(op));
    case Scalar::f32:
      return found(unary_of<f32>(op));
    default:
      return found(unary_of<f64>(op));
  }
}

Kernel binary(BinaryOp op, Scalar operand) {
  switch (operand) {
    case Scalar::boolean:  // 0 and 1 stay 0 and 1 in all that is allowed on bool
    case Scalar::u32:
      return found(binary_of<u32>(op));
    case Scalar::i32:
      return found(binary_of<i32>(op));
    case Scalar::u64:
      return found(binary_of<u64>(op));
    case Scalar::i64:
      return found(binary_of<i64>(op));
    case Scalar::f32:
      return found(binary_of<f32>(op));
    default:
      return found(binary_of<f64>(op));
  }
}

Kernel fma(Scalar scalar) {
  return scalar == Scalar::f64 ? dense<&semantics::fma<f64>> : dense<&semantics::fma<f32>>;
}

Kernel convert(Scalar to, Scalar from) {
  switch (to) {
    case Scalar::boolean:
      return to_bool_of(from);
    case Scalar::u32:
      return convert_of<u32>(from);
    case Scalar::i32:
      return convert_of<i32>(from);
    case Scalar::u64:
      return convert_of<u64>(from);
    case Scalar::i64:
      return convert_of<i64>(from);
    case Scalar::f32:
      return convert_of<f32>(from);
    default:
      return convert_of<f64>(from);
  }
}

Kernel bitcast(Scalar to, Scalar from) {
  if ((to == Scalar::f32) == (from == Scalar::f32)) return copy(to);
  return to == Scalar::f32 ? dense<&semantics::bitcast<f32, u32>>
                           : dense<&semantics::bitcast<u32, f32>>;
}

Kernel select(Scalar scalar) {
  if (scalar == Scalar::f32) return dense<&semantics::select<f32>>;
  if (is_long(scalar)) return dense<&semantics::select<u64>>;
  return scalar == Scalar::f64 ? dense<&semantics::select<f64>> : dense<&semantics::select<u32>>;
}

Kernel copy(Scalar scalar) {
  if (scalar == Scalar::f32) return dense<&semantics::same<f32>>;
  if (is_long(scalar)) return dense<&semantics::same<u64>>;
  return scalar == Scalar::f64 ? dense<&semantics::same<f64>> : dense<&semantics::same<u32>>;
}

Kernel splat(Scalar scalar) {
  if (scalar == Scalar::f32) return splat_cells<f32>;
  if (is_long(scalar)) return splat_cells<u64>;
  return scalar == Scalar::f64 ? splat_cells<f64> : splat_cells<u32>;
}

Kernel assign(Scalar scalar) {
  if (scalar == Scalar::f32) return assign_cells<f32>;
  if (is_long(scalar)) return assign_cells<u64>;
  return scalar == Scalar::f64 ? assign_cells<f64> : assign_cells<u32>;
}

}  // namespace vyre::interpret::kernels
