#include "emit/opencl_words.h"

#include "emit/c_words.h"

namespace vyre::emit {
namespace {

constexpr std::string_view types =
    "bool char complex double float half int long quad short uchar uint ulong ushort";

constexpr std::string_view keywords =
    "block clk_event_t constant event_t generic global imaginary kernel kernel_exec local "
    "ndrange_t pipe pixel private queue_t read_only read_write reserve_id_t sampler_t uniform "
    "vec_step vector write_only";

constexpr std::string_view called =
    "atomic_add barrier exp fabs fma fmax fmin log max min select sqrt";
constexpr std::string_view called_families =
    "as_ cl_ cles_ convert_ get_ image1d_ image2d_ image3d_ vload vstore";

constexpr std::string_view functions =
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

constexpr std::string_view families =
    "amd_ arm_ async_ atom_ atomic_ bitfield_ dot_ enqueue_ half_ intel_ native_ ndrange_ pocl_ "
    "_pocl read_image reserve_ sub_group_ work_group_ write_image";

}  // namespace

bool is_opencl_word(std::string_view name) {
  return is_c_word(name) || is_vector_type(name, types) || is_listed(name, keywords) ||
         is_listed(name, called) || has_listed_prefix(name, called_families);
}

bool is_opencl_global(std::string_view name) {
  return is_opencl_word(name) || is_c_library(name) || is_listed(name, functions) ||
         has_listed_prefix(name, families);
}

}  // namespace vyre::emit
