#include "emit/reserved_words.h"

#include <algorithm>
#include <cctype>

namespace vyre::emit {
namespace {

// Lists are text: words with a single space between them.
template <class Test>
bool any_word(std::string_view list, Test test) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (test(list.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

constexpr std::string_view c_keywords =
    "asm auto bool break case char const continue default defined do double else enum extern false "
    "float for goto half if inline int int16_t int32_t int64_t int8_t intptr_t linux long main "
    "ptrdiff_t register restrict return short signed size_t sizeof static struct switch true "
    "typedef typeof uint16_t uint32_t uint64_t uint8_t uintptr_t union unix unsigned void volatile "
    "wchar_t while";

constexpr std::string_view c_macros = "BUFSIZ EOF FALSE INFINITY MAXFLOAT NAN NDEBUG NULL TRUE";

constexpr std::string_view c_library =
    "abort assert atexit atof atoi atol bcmp bcopy bzero calloc clock div exit fprintf fputs free "
    "fwrite getenv index labs ldiv llabs malloc memccpy memchr memcmp memcpy memmove memset "
    "printf putchar puts qsort rand random read realloc rindex scanf signal snprintf sprintf srand "
    "strcat strchr strcmp strcpy strlen strncmp strncpy system time vprintf write";

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// CHAR_BIT, M_PI_F, CLK_sRGB, __linux__, _Bool.
bool looks_like_macro(std::string_view name) {
  const bool has_bar = name.find('_') != std::string_view::npos;
  if (has_bar && std::ranges::any_of(name, is_upper) && std::ranges::none_of(name, is_lower)) {
    return true;
  }
  return name.starts_with("__") || name.starts_with("CLK_") ||
         (name.size() > 1 && name[0] == '_' && is_upper(name[1]));
}

bool is_listed(std::string_view name, std::string_view list) {
  return any_word(list, [&](std::string_view word) { return word == name; });
}

bool has_listed_prefix(std::string_view name, std::string_view list) {
  return any_word(list, [&](std::string_view word) { return name.starts_with(word); });
}

bool is_vector_type(std::string_view name, std::string_view bases) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string_view::npos && is_listed(name.substr(0, last + 1), bases);
}

bool is_c_word(std::string_view name) {
  return is_listed(name, c_keywords) || is_listed(name, c_macros) || looks_like_macro(name) ||
         name.starts_with("vy_") || name.starts_with("VY_");
}

bool is_c_library(std::string_view name) { return is_listed(name, c_library); }

constexpr std::string_view cuda_keywords =
    "alignas alignof and and_eq atomic_cancel bitand bitor catch char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype "
    "delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public reinterpret_cast requires static_assert "
    "static_cast template this thread_local throw try typeid typename using virtual xor xor_eq";

constexpr std::string_view cuda_types =
    "char dim double float int long longlong short uchar uint ulong ulonglong ushort";

constexpr std::string_view cuda_used =
    "atomicAdd blockDim blockIdx ceil ceilf cos cosf exp exp2 exp2f expf fabs fabsf floor floorf "
    "fma fmaf fmax fmaxf fmin fminf gridDim log log2 log2f logf max min pow powf round roundf "
    "rsqrt "
    "rsqrtf sin sinf sqrt sqrtf tan tanf tanh tanhf threadIdx warpSize";

// The mathematical functions come with an f suffix too; see is_cuda_global.
constexpr std::string_view cuda_functions =
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clock64 copysign cos cosh cospi "
    "cyl_bessel_i0 "
    "cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide finite "
    "floor fma fmax fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf "
    "isless islessequal islessgreater isnan isnormal isunordered j0 j1 jn ldexp lgamma llmax llmin "
    "llrint llround log log10 log1p log2 logb lrint lround max min modf nan nanosleep nearbyint "
    "nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow powi rcbrt remainder remquo "
    "rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn signbit sin sincos sincospi sinh "
    "sinpi sqrt tan tanh tgamma trap trunc ullmax ullmin umax umin y0 y1 yn";

constexpr std::string_view cuda_families = "atomic cuda cu_ make_ mul24 nv nvvm surf tex umul24";

constexpr std::string_view opencl_types =
    "bool char complex double float half int long quad short uchar uint ulong ushort";

constexpr std::string_view opencl_keywords =
    "block clk_event_t constant event_t generic global imaginary kernel kernel_exec local "
    "ndrange_t pipe pixel private queue_t read_only read_write reserve_id_t sampler_t uniform "
    "vec_step vector write_only";

constexpr std::string_view opencl_called =
    "atomic_add barrier ceil clz cos exp exp2 fabs floor fma fmax fmin log log2 max min popcount "
    "pow round rsqrt select sin sqrt tan tanh";
constexpr std::string_view opencl_called_families =
    "as_ cl_ cles_ convert_ get_ image1d_ image2d_ image3d_ vload vstore";

constexpr std::string_view opencl_functions =
    "abs abs_diff acos acosh acospi add_sat all any asin asinh asinpi atan atan2 atan2pi atanh "
    "atanpi "
    "bit_reverse bitselect capture_event_profiling_info cbrt ceil clamp clz commit_read_pipe "
    "commit_write_pipe copysign cos cosh cospi create_user_event cross ctz degrees distance dot "
    "erf "
    "erfc exp10 exp2 expm1 fast_distance fast_length fast_normalize fdim floor fmod fract frexp "
    "hadd hypot ilogb is_valid_event is_valid_reserve_id isequal isfinite isgreater isgreaterequal "
    "isinf isless islessequal islessgreater isnan isnormal isnotequal isordered isunordered ldexp "
    "length lgamma lgamma_r log10 log1p log2 logb mad mad24 mad_hi mad_sat maxmag mem_fence minmag "
    "mix modf mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch radians "
    "read_mem_fence read_pipe release_event remainder remquo retain_event rhadd rint rootn rotate "
    "round rsqrt set_user_event_status shuffle shuffle2 sign signbit sin sincos sinh sinpi "
    "smoothstep step sub_sat tan tanh tanpi tgamma to_global to_local to_private trunc upsample "
    "wait_group_events write_mem_fence write_pipe";

constexpr std::string_view opencl_families =
    "amd_ arm_ async_ atom_ atomic_ bitfield_ dot_ enqueue_ half_ intel_ native_ ndrange_ pocl_ "
    "_pocl read_image reserve_ sub_group_ work_group_ write_image";

}  // namespace

bool is_cuda_word(std::string_view name) {
  return is_c_word(name) || is_listed(name, cuda_keywords) || is_vector_type(name, cuda_types) ||
         is_listed(name, cuda_used);
}

bool is_cuda_global(std::string_view name) {
  const std::string_view stem = name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
  return is_cuda_word(name) || is_c_library(name) || is_listed(name, cuda_functions) ||
         is_listed(stem, cuda_functions) || has_listed_prefix(name, cuda_families);
}

bool is_opencl_word(std::string_view name) {
  return is_c_word(name) || is_vector_type(name, opencl_types) ||
         is_listed(name, opencl_keywords) || is_listed(name, opencl_called) ||
         has_listed_prefix(name, opencl_called_families);
}

bool is_opencl_global(std::string_view name) {
  return is_opencl_word(name) || is_c_library(name) || is_listed(name, opencl_functions) ||
         has_listed_prefix(name, opencl_families);
}

}  // namespace vyre::emit
