#include "emit/cuda_words.h"

#include "emit/c_words.h"

namespace vyre::emit {
namespace {

constexpr std::string_view keywords =
    "alignas alignof and and_eq atomic_cancel bitand bitor catch char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype "
    "delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public reinterpret_cast requires static_assert "
    "static_cast template this thread_local throw try typeid typename using virtual xor xor_eq";

constexpr std::string_view types =
    "char dim double float int long longlong short uchar uint ulong ulonglong ushort";

constexpr std::string_view used =
    "atomicAdd blockDim blockIdx exp expf fabs fabsf fma fmaf fmax fmaxf fmin fminf gridDim log "
    "logf max min sqrt sqrtf threadIdx warpSize";

// The mathematical functions come with an f suffix too; see is_cuda_global.
constexpr std::string_view functions =
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clock64 copysign cos cosh cospi "
    "cyl_bessel_i0 "
    "cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide finite "
    "floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf "
    "isless islessequal islessgreater isnan isnormal isunordered j0 j1 jn ldexp lgamma llmax llmin "
    "llrint llround log log10 log1p log2 logb lrint lround max min modf nan nanosleep nearbyint "
    "nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow powi rcbrt remainder remquo "
    "rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn signbit sin sincos sincospi sinh "
    "sinpi sqrt tan tanh tgamma trap trunc ullmax ullmin umax umin y0 y1 yn";

constexpr std::string_view families = "atomic cuda cu_ make_ mul24 nv nvvm surf tex umul24";

}  // namespace

bool is_cuda_word(std::string_view name) {
  return is_c_word(name) || is_listed(name, keywords) || is_vector_type(name, types) ||
         is_listed(name, used);
}

bool is_cuda_global(std::string_view name) {
  const std::string_view stem = name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
  return is_cuda_word(name) || is_c_library(name) || is_listed(name, functions) ||
         is_listed(stem, functions) || has_listed_prefix(name, families);
}

}  // namespace vyre::emit
