#include "trial/conformance_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "trial/conformance.h"

namespace vyre::trial {
namespace {

// Halves, limits of integers and what lies beyond them.
constexpr const char* edges =
    "0.5,-0.5,1.5,-1.5,2147483520,2147483648,-2147483648,-2147483904,4294967040,4294967296,"
    "-1,1e20,-1e20,nan,inf,-inf";

// Every width of a vector converts the same 16 values.
std::string vector_conversions() {
  std::string buffers;
  std::string body;
  for (const int lanes : {2, 4, 8, 16}) {
    buffers += fmt::format("  buffer u{0}: u32[16] write\n  buffer i{0}: i32[16] write\n", lanes);
    body += fmt::format("  for k in 0 .. 16 step {0} {{\n", lanes);
    for (const auto* to : {"u", "i"}) {
      body += fmt::format("    {0}{1}[k : {1}] = {0}32(x[k : {1}])\n", to, lanes);
    }
    body += "  }\n";
  }
  return "program p {\n  buffer x: f32[16] read\n" + buffers + "  grid 1\n  workgroup 1\n" + body +
         "}\n";
}

// Buffers, then scalars of every type.
std::string many_arguments() {
  constexpr int buffers = 24;
  constexpr int scalars = 24;
  std::string head;
  std::string sum = "0";
  for (int i = 0; i < buffers; ++i) {
    head += fmt::format("  buffer b{}: u32[8] read\n", i);
    sum += fmt::format(" + {} * b{}[i]", 2 * i + 1, i);
  }
  for (int i = 0; i < scalars; i += 4) {
    head += fmt::format(
        "  uniform s{}: u32 = {}\n  uniform s{}: i32 = -{}i\n  uniform s{}: f32 = {}.5\n"
        "  uniform s{}: bool = true\n",
        i, i + 1, i + 1, i + 2, i + 2, i + 3, i + 3);
    sum += fmt::format(" + s{} + u32(s{}) + u32(s{}) + u32(s{})", i, i + 1, i + 2, i + 3);
  }
  return "program p {\n" + head +
         "  buffer out: u32[8] write\n  grid 8\n  workgroup 8\n  let i = invocation.x\n"
         "  out[i] = " +
         sum + "\n}\n";
}

// Neighbours exchange numbers through shared memory, `width` invocations in a group.
std::string exchange(std::uint32_t width) {
  return fmt::format(R"(program p {{
  buffer x: u32[2 * {0}] read_write
  shared t: u32[{0}]
  grid 2 * {0}
  workgroup {0}
  let l = local.x
  var v = x[invocation.x]
  t[l] = v
  barrier
  for k in 0 .. 4 {{
    let next = t[(l + 1) % {0}]
    barrier
    v = v * 5 + next
    t[l] = v
    barrier
  }}
  x[invocation.x] = v
}}
)",
                     width);
}

// All of `words` of shared memory are written by one invocation and read by another.
std::string whole_shared(std::uint64_t words) {
  return fmt::format(R"(program p {{
  buffer out: u32[64] write
  shared t: u32[{0}]
  grid 64
  workgroup 64
  let l = local.x
  for k in 0 .. {0} step 64 {{
    if k + l < {0} {{
      t[k + l] = (k + l) * 2654435761
    }}
  }}
  barrier
  var sum = 0
  for k in 0 .. {0} step 64 {{
    if k + 63 - l < {0} {{
      sum = sum * 3 + t[k + 63 - l]
    }}
  }}
  out[l] = sum
}}
)",
                     words);
}

std::string in_place(std::uint32_t count) {
  return fmt::format(R"(program p {{
  buffer x: u32[{0}] read_write
  grid {0}
  let i = invocation.x
  x[i] = x[i] * 3 + 1
}}
)",
                     count);
}

}  // namespace

std::vector<Requirement> requirements(const device::Limits& limits) {
  const std::uint32_t widest = std::min(
      {limits.max_workgroup, limits.max_workgroup_dims[0],
       static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.shared_bytes / 4, 1U << 16U))});
  return {
      {.name = std::string(runs_a_kernel),
       .means = "nothing can be run on it",
       .program = R"(program p {
  uniform factor: u32 = 3
  buffer out: u32[256] write
  grid 256
  workgroup 32
  out[invocation.x] = invocation.x * factor + 1
}
)"},
      {.name = "grids of three dimensions",
       .means = "programs with y and z compute wrong results",
       .program = R"(program p {
  buffer out: u32[210] write
  grid 7, 6, 5
  workgroup 4, 2, 2
  let at = (invocation.z * 6 + invocation.y) * 7 + invocation.x
  let here = (local.z * 2 + local.y) * 4 + local.x
  let group_at = (group.z * 3 + group.y) * 2 + group.x
  out[at] = here + 100 * group_at + 10000 * (groups.x + 8 * groups.y + 64 * groups.z)
}
)"},
      {.name = "writes before a launch",
       .means = "a kernel may see what a buffer held before, and any result may be wrong",
       .program = in_place(4),
       .runs = 200},
      {.name = "large writes before a launch",
       .means = "a kernel may see what a buffer held before, and any result may be wrong",
       .program = in_place(1U << 16U),
       .runs = 16},
      {.name = "clock",
       .means = "times of kernels mean nothing, and tuning cannot tell which is faster",
       .program = R"(program p {
  uniform rounds: u32 = 1
  buffer out: u32[64] write
  grid 64
  workgroup 64
  var v = invocation.x
  for k in 0 .. rounds {
    v = v * 1664525 + 1013904223
  }
  out[invocation.x] = v
}
)",
       .trial = Trial::clock},
      {.name = "arguments",
       .means = "programs with many buffers and uniforms fail or get wrong values",
       .program = many_arguments()},
      {.name = "conversions",
       .means = "numbers that do not fit their new type become something else than vyre promises",
       .program = R"(program p {
  buffer x: f32[16] read
  buffer n: u32[16] read
  buffer i: i32[16] write
  buffer u: u32[16] write
  buffer f: f32[16] write
  buffer g: f32[16] write
  grid 16
  workgroup 16
  let k = invocation.x
  i[k] = i32(x[k])
  u[k] = u32(x[k])
  f[k] = f32(n[k])
  g[k] = f32(as_i32(n[k]))
}
)",
       .data = {edges,
                "0,1,16777215,16777216,16777217,16777219,33554434,33554435,2147483583,"
                "2147483584,2147483647,2147483648,2147483776,2147483777,4294967167,"
                "4294967295"}},
      {.name = "conversions of vectors",
       .means = "vectorized programs convert numbers that do not fit differently from plain ones",
       .program = vector_conversions(),
       .data = {edges}},
      {.name = "barriers and shared memory",
       .means = "workgroups that share memory compute wrong results",
       .program = exchange(64)},
      {.name = "largest workgroup",
       .means = "workgroups as large as the device says it can have fail or compute wrong results",
       .program = exchange(std::max(widest, 1U))},
      {.name = "all shared memory",
       .means = "as much shared memory as the device says it has fails or is not kept",
       .program = whole_shared(std::clamp<std::uint64_t>(limits.shared_bytes / 4, 1, 1U << 18U))},
      {.name = "atomics",
       .means = "sums that many invocations add to are wrong",
       .program = R"(program p {
  buffer x: u32[8192] read
  buffer bins: u32[16] read_write
  buffer all: u32[1] read_write
  shared counts: u32[16]
  grid 8192
  workgroup 64
  if local.x < 16 {
    counts[local.x] = 0
  }
  barrier
  atomic counts[x[invocation.x] & 15] += 1
  atomic all[0] += x[invocation.x]
  barrier
  if local.x < 16 {
    atomic bins[local.x] += counts[local.x]
  }
}
)"},
      {.name = "atomics of floats",
       .means = "sums of floats that many invocations add to are wrong",
       .program = R"(program p {
  buffer x: u32[8192] read
  buffer bins: f32[16] read_write
  shared sums: f32[16]
  grid 8192
  workgroup 64
  reassociate
  if local.x < 16 {
    sums[local.x] = 0.0
  }
  barrier
  atomic sums[x[invocation.x] & 15] += f32(x[invocation.x] & 255)
  barrier
  if local.x < 16 {
    atomic bins[local.x] += sums[local.x]
  }
}
)",
       .data = {"random:1", "fill:0"}},
      {.name = "integers",
       .means = "division by zero, shifts and the least integer give other results than promised",
       .program = R"(program p {
  buffer a: i32[8] read
  buffer b: i32[8] read
  buffer signed: i32[40] write
  buffer unsigned: u32[32] write
  grid 8
  workgroup 8
  let k = invocation.x
  let x = a[k]
  let y = b[k]
  signed[k] = x / y
  signed[8 + k] = x % y
  signed[16 + k] = x * y + x - y
  signed[24 + k] = x >> y
  signed[32 + k] = abs(x)
  unsigned[k] = u32(x) / u32(y)
  unsigned[8 + k] = u32(x) % u32(y)
  unsigned[16 + k] = u32(x) << u32(y)
  unsigned[24 + k] = max(u32(x), u32(y)) >> 3
}
)",
       .data = {"7,-7,-2147483648,0,2147483647,-1,123456789,-2147483648", "0,3,-1,0,33,-31,-40,2"}},
      {.name = "bytes, shorts and halves",
       .means = "programs on elements of 8 and 16 bits compute wrong results",
       .program = R"(program p {
  buffer x: f32[16] read
  buffer u: u32[16] read
  buffer b: u8[36] write
  buffer s: i16[36] write
  buffer h: f16[36] read_write
  buffer f: f32[36] write
  grid 1
  workgroup 1
  for k in 0 .. 16 {
    b[k] = u[k]
    s[k] = i32(u[k])
    h[k] = x[k]
    f[k] = h[k]
  }
  b[19 : 16] = u[0 : 16]
  s[19 : 16] = i32(u[0 : 16])
  h[19 : 16] = x[0 : 16]
  f[19 : 16] = h[19 : 16]
}
)",
       .data = {"0.1,-0.1,65504,65519.996,65520,-1e9,1e-8,2.98e-8,2.99e-8,6.1e-5,6.097e-5,nan,inf,"
                "1.0004883,1.0014649,-0",
                "0,1,127,128,255,256,32767,32768,65535,65536,2147483647,2147483648,4294967295,"
                "4294967168,300,70000"}},
      {.name = "integers of 64 bits",
       .means = "programs on u64 and i64 compute wrong results",
       .program = R"(program p {
  buffer a: i64[8] read
  buffer b: i64[8] read
  buffer signed: i64[40] write
  buffer unsigned: u64[24] write
  buffer vector: u64[8] write
  grid 8
  workgroup 8
  let k = invocation.x
  let x = a[k]
  let y = b[k]
  signed[k] = x / y
  signed[8 + k] = x % y
  signed[16 + k] = x * y + x - y
  signed[24 + k] = x >> y
  signed[32 + k] = abs(x)
  unsigned[k] = u64(x) / u64(y)
  unsigned[8 + k] = u64(x) << u64(y)
  unsigned[16 + k] = select(x < y, u64(f32(x)), u64(u32(y)))
  if k == 0 {
    vector[0 : 8] = max(u64(a[0 : 8]), u64(b[0 : 8])) >> splat8(3u64)
  }
}
)",
       .data = {"7,-7,-9223372036854775808,0,9223372036854775807,-1,5000000000,-5000000000",
                "0,3,-1,0,65,-63,-40,4294967297"}},
      {.name = "counts of bits",
       .means = "popcount and clz are wrong, of 0 for instance",
       .program = R"(program p {
  buffer x: u32[16] read
  buffer y: u64[16] read
  buffer words: u32[64] write
  buffer longs: u64[64] write
  grid 1
  workgroup 1
  for k in 0 .. 16 {
    words[k] = popcount(x[k])
    words[16 + k] = clz(x[k])
    longs[k] = popcount(y[k])
    longs[16 + k] = clz(y[k])
  }
  words[32 : 16] = popcount(x[0 : 16])
  words[48 : 16] = clz(x[0 : 16])
  longs[32 : 16] = popcount(y[0 : 16])
  longs[48 : 16] = clz(y[0 : 16])
}
)",
       .data = {"0,1,2,3,255,256,65535,65536,2147483647,2147483648,2147483649,4294967295,"
                "4294967294,1431655765,2863311530,123456789",
                "0,1,2,3,4294967295,4294967296,4294967297,9223372036854775807,"
                "9223372036854775808,9223372036854775809,18446744073709551615,"
                "18446744073709551614,6148914691236517205,12297829382473034410,123456789012345,7"}},
      {.name = "fused multiply-add",
       .means = "fma rounds twice, and results differ from the interpreter's in the last bits",
       .program = R"(program p {
  buffer x: f32[64] read
  buffer out: f32[64] write
  grid 64
  let i = invocation.x
  out[i] = fma(x[i], x[i], -(x[i] * x[i]))
}
)"},
      {.name = "no contraction",
       .means = "products and sums are fused, and results differ in the last bits",
       .program = R"(program p {
  buffer x: f32[64] read
  buffer y: f32[64] read
  buffer out: f32[64] write
  grid 64
  let i = invocation.x
  let product = x[i] * y[i]
  out[i] = x[i] * y[i] - product + (x[i] * x[i] - y[i] * y[i])
}
)",
       .data = {"random:1", "random:2"}},
      {.name = "division, roots, exp and log",
       .means = "they are less exact than OpenCL allows, and right kernels may be called wrong",
       .program = R"(program p {
  buffer x: f32[64] read
  buffer y: f32[64] read
  buffer out: f32[256] write
  grid 64
  let i = invocation.x
  out[i] = x[i] / y[i]
  out[64 + i] = sqrt(abs(x[i]))
  out[128 + i] = exp(x[i] * 50.0)
  out[192 + i] = log(abs(y[i]))
}
)",
       .data = {"random:1", "random:2"},
       .ulps = run::default_ulp_bound},
      {.name = "small numbers",
       .means = "numbers below 1.2e-38 become 0",
       .program = R"(program p {
  buffer x: f32[4] read
  buffer out: f32[8] write
  grid 4
  workgroup 4
  let i = invocation.x
  out[i] = x[i] * 0.5
  out[4 + i] = x[i] - 1.1754944e-38
}
)",
       .data = {"1.1754944e-38,1e-40,2.3509887e-38,-1.2e-38"}},
      {.name = "nan and infinity",
       .means = "comparisons, min and max treat them differently",
       .program = R"(program p {
  buffer x: f32[16] read
  buffer y: f32[16] read
  buffer out: f32[48] write
  buffer is: bool[48] write
  grid 16
  workgroup 16
  let i = invocation.x
  out[i] = min(x[i], y[i])
  out[16 + i] = max(x[i], y[i])
  out[32 + i] = x[i] - y[i]
  is[i] = x[i] < y[i]
  is[16 + i] = x[i] >= y[i]
  is[32 + i] = x[i] != x[i]
}
)",
       .data = {"nan,1,nan,inf,-inf,inf,2,-3,3.4028235e38,-inf,nan,7,inf,-1,1e-30,5",
                "1,nan,nan,inf,inf,1,3,-4,-3.4028235e38,nan,-inf,7,-inf,-1,-1e-30,6"}},
      {.name = "vectors at any element",
       .means = "vectorized programs read or write the wrong elements",
       .program = R"(program p {
  buffer x: f32[80] read
  buffer out: f32[80] write
  buffer short: u32[37] read_write
  grid 1
  workgroup 1
  for k in 0 .. 80 {
    out[k] = 0.0
  }
  for k in 1 .. 17 step 4 {
    out[k : 4] = x[k + 2 : 4] * splat4(3.0)
  }
  out[17 : 16] = x[19 : 16]
  out[35 : 8] = x[61 : 8] + x[7 : 8]
  out[45 : 2] = x[77 : 2]
  short[33 : 4] = short[1 : 4]
}
)"},
      {.name = "bools",
       .means = "conditions of vectors and buffers of bools compute wrong results",
       .program = R"(program p {
  buffer b: bool[64] read
  buffer x: f32[64] read
  buffer out: f32[64] write
  buffer not_b: bool[64] write
  grid 16
  workgroup 16
  let i = invocation.x * 4
  let some = b[i : 4] & (x[i : 4] > splat4(0.0))
  out[i : 4] = select(some, x[i : 4], splat4(-1.0))
  not_b[i : 4] = !b[i : 4]
}
)"},
      {.name = "f64",
       .means = "programs that use f64 compute wrong results",
       .program = R"(program p {
  buffer x: f64[64] read
  buffer y: f64[64] read
  buffer out: f64[320] write
  buffer i: i32[64] write
  grid 64
  let k = invocation.x
  out[k] = x[k] * y[k] + x[k]
  out[64 + k] = x[k] / y[k]
  out[128 + k] = fma(x[k], x[k], -(x[k] * x[k]))
  out[192 + k] = f64(f32(x[k]))
  out[256 + k] = select(x[k] < y[k], x[k], y[k])
  i[k] = i32(x[k] * 4e9d)
}
)",
       .data = {"random:1", "random:2"},
       .needs_f64 = true},
  };
}

}  // namespace vyre::trial
