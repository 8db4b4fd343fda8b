#include "support/hostile_names.h"

#include <fmt/format.h>

#include <sstream>

namespace vyre::testing {
namespace {

// Keywords, types, functions, macros, and names that the emitter itself makes.
constexpr const char* names =
    "int float float4 uint uchar16 half double unsigned long size_t void volatile restrict "
    "kernel global __global constant __private char short struct union enum typedef switch case "
    "goto do static extern inline auto register sizeof default signed "
    "class template typename namespace operator this new delete throw try catch virtual friend "
    "public protected using mutable explicit nullptr decltype constexpr static_cast and or not xor "
    "bitand compl get_global_id get_local_id convert_int as_uint as_float4 vload4 vstore4 fmin "
    "fmax fabs fmaf sqrtf atomic_add atomicAdd threadIdx blockIdx blockDim gridDim warpSize "
    "dim3 int3 make_float4 dot cross length normalize mix clamp sign degrees distance rotate "
    "popcount clz __popc __clzll mad mad24 pow sin cos tan floor ceil round trunc rint hypot ldexp "
    "isnan isinf any all bitselect shuffle prefetch printf malloc free memcpy memset strlen main "
    "exit abort assert "
    "index read_only sampler_t event_t image2d_t NULL NAN INFINITY M_PI M_PI_F CHAR_BIT INT_MAX "
    "FLT_MAX CLK_LOCAL_MEM_FENCE __OPENCL_VERSION__ __CUDA_ARCH__ __LINE__ _Bool linux unix bool_ "
    "vy_vec vy_load_f32 vy_div vy_select VY_INFIX part part_2 invocation_x local_x int_ int__2 "
    "x_end _ __ _x TRUE FALSE EOF tex2D surf1Dread clock64 rsqrt erf normcdf j0 y1 yn div abs_diff "
    "work_group_barrier sub_group_reduce native_exp half_exp async_work_group_copy upsample";

}  // namespace

std::vector<std::string> programs_with_hostile_names() {
  std::vector<std::string> programs;
  std::string everything = "program many { buffer x: f32[64] read_write grid 64\n";
  std::istringstream list(names);
  for (std::string name; list >> name;) {
    programs.push_back(
        fmt::format("program {0} {{ uniform {0}_n: u32 = 64 buffer {0}: i32[64] read_write grid 64 "
                    "let i = invocation.x {0}[i] = abs({0}[i]) / {0}[{0}_n] "
                    "for {0}_k in 0i .. {0}[0 : 4].0 {{ }} }}",
                    name));
    everything += fmt::format("let {0} = sqrt(x[invocation.x]) x[invocation.x] = {0}\n", name);
  }
  programs.push_back(everything + "}");
  return programs;
}

}  // namespace vyre::testing
