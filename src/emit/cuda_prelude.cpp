#include "emit/cuda_prelude.h"

#include <fmt/format.h>

#include <array>

#include "base/check.h"

namespace vyre::emit {
namespace {

struct Definition {
  std::string_view name;
  std::string_view text;
};

constexpr std::string_view vectors = R"(template <class T, int N>
struct vy_vec {
  T s[N];
};
template <class R, int N, class F>
__device__ vy_vec<R, N> vy_lanes(F lane) {
  vy_vec<R, N> r;
#pragma unroll
  for (int i = 0; i < N; ++i) r.s[i] = lane(i);
  return r;
}
template <class T, class... L>
__device__ vy_vec<T, sizeof...(L)> vy_make(L... lanes) {
  return {{T(lanes)...}};
}
template <class T, int N>
__device__ vy_vec<T, N> vy_splat(T x) {
  return vy_lanes<T, N>([&](int) { return x; });
}
template <class R, class T, int N>
__device__ vy_vec<R, N> vy_convert(vy_vec<T, N> a) {
  return vy_lanes<R, N>([&](int i) { return R(a.s[i]); });
}
template <class T, int N>
__device__ vy_vec<T, N> vy_select(vy_vec<bool, N> c, vy_vec<T, N> yes, vy_vec<T, N> no) {
  return vy_lanes<T, N>([&](int i) { return c.s[i] ? yes.s[i] : no.s[i]; });
}
#define VY_PREFIX(op)                                           \
  template <class T, int N>                                     \
  __device__ vy_vec<T, N> operator op(vy_vec<T, N> a) {         \
    return vy_lanes<T, N>([&](int i) { return T(op a.s[i]); }); \
  }
#define VY_INFIX(R, op)                                                  \
  template <class T, int N>                                              \
  __device__ vy_vec<R, N> operator op(vy_vec<T, N> a, vy_vec<T, N> b) {  \
    return vy_lanes<R, N>([&](int i) { return R(a.s[i] op b.s[i]); });   \
  }
VY_PREFIX(-) VY_PREFIX(~) VY_PREFIX(!)
VY_INFIX(T, +) VY_INFIX(T, -) VY_INFIX(T, *) VY_INFIX(T, /) VY_INFIX(T, %)
VY_INFIX(T, &) VY_INFIX(T, |) VY_INFIX(T, ^) VY_INFIX(T, <<) VY_INFIX(T, >>)
VY_INFIX(bool, ==) VY_INFIX(bool, !=)
VY_INFIX(bool, <) VY_INFIX(bool, <=) VY_INFIX(bool, >) VY_INFIX(bool, >=)
)";

constexpr std::array scalars = {
    Definition{
        "vy_div",
        R"(__device__ unsigned vy_div(unsigned a, unsigned b) { return b == 0u ? 0u : a / b; }
__device__ int vy_div(int a, int b) {
  return b == 0 ? 0 : b == -1 ? (int)(0u - (unsigned)a) : a / b;
}
__device__ unsigned long long vy_div(unsigned long long a, unsigned long long b) {
  return b == 0ull ? 0ull : a / b;
}
__device__ long long vy_div(long long a, long long b) {
  return b == 0 ? 0 : b == -1 ? (long long)(0ull - (unsigned long long)a) : a / b;
}
)"},
    Definition{"vy_rem",
               R"(__device__ unsigned vy_rem(unsigned a, unsigned b) { return b == 0u ? a : a % b; }
__device__ int vy_rem(int a, int b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
__device__ unsigned long long vy_rem(unsigned long long a, unsigned long long b) {
  return b == 0ull ? a : a % b;
}
__device__ long long vy_rem(long long a, long long b) {
  return b == 0 ? a : b == -1 ? 0 : a % b;
}
)"},
    Definition{"vy_add",
               R"(template <class T>
__device__ T vy_add(T a, T b) { return a + b; }
__device__ int vy_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ long long vy_add(long long a, long long b) {
  return (long long)((unsigned long long)a + (unsigned long long)b);
}
)"},
    Definition{"vy_or", R"(__device__ bool vy_or(bool a, bool b) { return a | b; }
)"},
    Definition{"vy_and", R"(__device__ bool vy_and(bool a, bool b) { return a & b; }
)"},
    Definition{"vy_abs",
               R"(__device__ int vy_abs(int a) { return a < 0 ? (int)(0u - (unsigned)a) : a; }
__device__ long long vy_abs(long long a) {
  return a < 0 ? (long long)(0ull - (unsigned long long)a) : a;
}
)"},
    Definition{"vy_popcount",
               R"(__device__ unsigned vy_popcount(unsigned a) { return (unsigned)__popc(a); }
__device__ int vy_popcount(int a) { return __popc((unsigned)a); }
__device__ unsigned long long vy_popcount(unsigned long long a) {
  return (unsigned long long)__popcll(a);
}
__device__ long long vy_popcount(long long a) { return __popcll((unsigned long long)a); }
)"},
    Definition{"vy_clz",
               R"(__device__ unsigned vy_clz(unsigned a) { return (unsigned)__clz((int)a); }
__device__ int vy_clz(int a) { return __clz(a); }
__device__ unsigned long long vy_clz(unsigned long long a) {
  return (unsigned long long)__clzll((long long)a);
}
__device__ long long vy_clz(long long a) { return __clzll(a); }
)"},
    // The conversion instructions saturate, but not all of them turn nan into 0.
    Definition{"vy_to_int",
               R"(__device__ int vy_to_int(float a) { return a == a ? __float2int_rz(a) : 0; }
__device__ int vy_to_int(double a) { return a == a ? __double2int_rz(a) : 0; }
)"},
    Definition{
        "vy_to_uint",
        R"(__device__ unsigned vy_to_uint(float a) { return a == a ? __float2uint_rz(a) : 0u; }
__device__ unsigned vy_to_uint(double a) { return a == a ? __double2uint_rz(a) : 0u; }
)"},
    Definition{"vy_to_lint",
               R"(__device__ long long vy_to_lint(float a) { return a == a ? __float2ll_rz(a) : 0; }
__device__ long long vy_to_lint(double a) { return a == a ? __double2ll_rz(a) : 0; }
)"},
    Definition{"vy_to_luint",
               R"(__device__ unsigned long long vy_to_luint(float a) {
  return a == a ? __float2ull_rz(a) : 0ull;
}
__device__ unsigned long long vy_to_luint(double a) { return a == a ? __double2ull_rz(a) : 0ull; }
)"},
    // By their bits, as cuda_fp16.h is a header. The last place of 0.5 is the least f16, so that an
    // addition rounds to what is subnormal.
    Definition{"vy_half_to_float", R"(__device__ float vy_half_to_float(unsigned short h) {
  const unsigned sign = (h & 0x8000u) << 16, size = h & 0x7fffu;
  if (size >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | (size & 0x3ffu) << 13);
  return __uint_as_float(sign | __float_as_uint(__uint_as_float(size << 13) * 0x1p112f));
}
)"},
    Definition{"vy_float_to_half", R"(__device__ unsigned short vy_float_to_half(float a) {
  const unsigned bits = __float_as_uint(a), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  unsigned half;
  if (size > 0x7f800000u) half = 0x7e00u;
  else if (size >= 0x477ff000u) half = 0x7c00u;
  else if (size >= 0x38800000u) half = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
  else half = __float_as_uint(__uint_as_float(size) + 0.5f) - 0x3f000000u;
  return (unsigned short)(sign | half);
}
)"},
};

constexpr std::array accesses = {
    Definition{"vy_load", R"(template <class T>
__device__ T vy_load(const T* x, unsigned count, unsigned i) {
  return i < count ? x[i] : T(0);
}
)"},
    Definition{"vy_store", R"(template <class T, class V>
__device__ void vy_store(T* x, unsigned count, unsigned i, V value) {
  if (i < count) x[i] = value;
}
)"},
    Definition{"vy_atomic_add", R"(template <class T>
__device__ void vy_atomic_add(T* x, unsigned count, unsigned i, T value) {
  if (i < count) atomicAdd(&x[i], value);
}
)"},
    Definition{"vy_load_lanes", R"(template <int N, class T>
__device__ vy_vec<T, N> vy_load_lanes(const T* x) {
  return vy_lanes<T, N>([&](int i) { return x[i]; });
}
template <int N, class T>
__device__ vy_vec<T, N> vy_load_lanes(const T* x, unsigned count, unsigned i) {
  return count >= N && i <= count - N ? vy_load_lanes<N>(x + i) : vy_splat<T, N>(T(0));
}
)"},
    Definition{"vy_store_lanes", R"(template <class T, class V, int N>
__device__ void vy_store_lanes(T* x, vy_vec<V, N> value) {
#pragma unroll
  for (int i = 0; i < N; ++i) x[i] = value.s[i];
}
template <class T, class V, int N>
__device__ void vy_store_lanes(T* x, unsigned count, unsigned i, vy_vec<V, N> value) {
  if (count >= N && i <= count - N) vy_store_lanes(x + i, value);
}
)"},
};

template <std::size_t N>
void need(const std::array<Definition, N>& definitions, std::string_view name, Helpers& helpers) {
  for (const Definition& d : definitions) {
    if (d.name == name) return helpers.need(std::string(d.text));
  }
  check(false, "no such helper");
}

}  // namespace

void need_cuda_vectors(Helpers& helpers) { helpers.need(std::string(vectors)); }

std::string need_cuda_lifted(std::string_view scalar_function, int arguments, Helpers& helpers) {
  need_cuda_vectors(helpers);
  std::string_view base = scalar_function;
  base.remove_prefix(std::min(base.find_first_not_of('_'), base.size()));
  const std::string name = base.starts_with("vy_") ? std::string(base) : fmt::format("vy_{}", base);
  std::string parameters;
  std::string lanes;
  std::string samples;
  for (int n = 0; n < arguments; ++n) {
    const std::string_view comma = n == 0 ? "" : ", ";
    parameters += fmt::format("{}vy_vec<T, N> {}", comma, "abc"[n]);
    lanes += fmt::format("{}{}.s[i]", comma, "abc"[n]);
    samples += fmt::format("{}T()", comma);
  }
  helpers.need(
      fmt::format("template <class T, int N>\n__device__ auto {0}({1}) {{\n"
                  "  using R = decltype({2}({3}));\n"
                  "  return vy_lanes<R, N>([&](int i) {{ return {2}({4}); }});\n}}\n",
                  name, parameters, scalar_function, samples, lanes));
  return name;
}

std::string need_cuda_reduction(std::string_view scalar_function, Helpers& helpers) {
  need_cuda_vectors(helpers);
  const std::string name = fmt::format("vy_reduce_{}", scalar_function);
  helpers.need(fmt::format(
      "template <class T, int N>\n__device__ T {0}(vy_vec<T, N> a) {{\n"
      "#pragma unroll\n  for (int n = N / 2; n > 0; n /= 2) {{\n"
      "#pragma unroll\n    for (int i = 0; i < n; ++i) a.s[i] = {1}(a.s[i], a.s[i + n]);\n"
      "  }}\n  return a.s[0];\n}}\n",
      name, scalar_function));
  return name;
}

void need_cuda_scalar(std::string_view function, Helpers& helpers) {
  need(scalars, function, helpers);
}

void need_cuda_access(std::string_view function, Helpers& helpers) {
  if (function.ends_with("_lanes")) need_cuda_vectors(helpers);
  need(accesses, function, helpers);
}

}  // namespace vyre::emit
