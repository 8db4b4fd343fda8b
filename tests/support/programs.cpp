#include "support/programs.h"

#include <fmt/format.h>

#include <stdexcept>

#include "vyre/ir/text.h"

namespace vyre::testing {

std::string listed(const Problems& problems) {
  std::string text;
  for (const Error& e : problems) text += to_string(e) + "\n";
  return text;
}

std::string listed(const Error& error) { return listed(error.all()); }

ir::Program parsed(std::string_view text) {
  auto program = ir::parse(text);
  if (program) return *std::move(program);
  throw std::runtime_error(listed(program.error()) + std::string(text));
}

Problems problems_of(std::string_view text) {
  auto program = ir::parse(text);
  if (!program) return program.error().all();
  throw std::runtime_error("no problem found in\n" + std::string(text));
}

std::string in_body(std::string_view statements) {
  return fmt::format(
      "program body {{\n"
      "  uniform n: u32 = 64\n"
      "  buffer u: u32[n] read_write\n"
      "  buffer s: i32[n] read_write\n"
      "  buffer y: f32[n] read_write\n"
      "  buffer d: f64[n] read_write\n"
      "  buffer b: bool[n] read_write\n"
      "  buffer v: f32[n] read\n"
      "  shared tile: f32[workgroup.x]\n"
      "  grid n\n"
      "{}\n"
      "}}\n",
      statements);
}

std::vector<std::pair<std::string, std::string>> sample_programs() {
  return {
      {"empty", "program empty { }"},
      {"shapes", R"(program shapes {
         uniform w: u32 = 8  uniform on: bool = true  uniform k: i32 = -3i  uniform e: f64 = 2.5d
         buffer a: bool[w * 4 + 1] write
         buffer c: f64[min(w, 7) / 2 % 3 - 0] read_write
         shared t: u32[workgroup.x * workgroup.y]
         grid w, w, 2
         workgroup 4, 2, 1
         a[invocation.x] = on
       })"},
      {"narrow", R"(program narrow {
         buffer a: u8[64] read  buffer c: i8[64] read_write  buffer e: u16[64] read_write
         buffer g: i16[64] write  buffer h: f16[64] read_write
         shared t: f16[64]  shared k: u8[64]
         grid 64
         let i = invocation.x
         t[i] = h[i] * 2.0  k[i] = a[i] + 1
         barrier
         c[i] = i32(k[63 - i]) - c[i]
         g[i] = i32(t[63 - i])
         if i == 0 {
           e[0 : 4] = e[4 : 4] >> splat4(a[0])
           h[i : 2] = t[0 : 2]
         }
       })"},
      {"long", R"(program long {
         uniform k: u64 = 5000000000u64  uniform m: i64 = -3i64
         buffer a: u64[64] read_write  buffer c: i64[64] read_write
         grid 64
         let i = invocation.x
         let h = (a[i] ^ a[i] >> 33u64) * 0xff51afd7ed558ccdu64
         a[i] = select(h % 7u64 == 0u64, max(h, k), ~h << u64(i))
         if i == 0 | i > 3 { c[i] = i64(h) / m - -(3i64) + abs(c[i]) }
         if i == 0 { c[1 : 2] = i64([k, a[0]]) * splat2(-1i64) }
       })"},
      {"integers", in_body(R"(
         let i = invocation.x
         var a = u[i] + 3 * 4 - 5 / 2 % 7
         a = a & 0xff | a ^ 3
         a = ~a << 2 >> (i & 31)
         u[i] = min(a, max(i, 2))
         var k = s[i] * -2i
         k = abs(-k) / 3i % 5i >> 1i
         s[i] = i32(u[i]) + as_i32(1.5) + k
       )")},
      {"floats", in_body(R"(
         let i = invocation.x
         let f = sqrt(abs(v[i])) + exp(-v[i]) - log(v[i] * 2.0 + 1.0) / 3.0
         y[i] = select(f < 0.0, fma(f, f, 1e-3), min(f, max(f, -f32.inf)))
         d[i] = f64(f) * 1e-300d + f64.inf
         b[i] = (f != f32.nan) & !(f >= 1.0) | bool(i)
         y[i] = as_f32(as_u32(y[i])) + f32(d[i])
       )")},
      {"vectors", in_body(R"(
         let i = invocation.x / 16
         let q = v[i : 4] * splat4(2.0) - [1.0, 2.0, 3.0, 4.0]
         let m = q > splat4(0.0)
         y[i * 4 : 4] = select(m, q, -q)
         y[0] = q.0 + (q + q).3
         u[0 : 16] = splat16(invocation.x)
         u[0 : 8] = u32(v[0 : 8])
         b[0 : 2] = [true, false]
         d[0 : 2] = fma(d[0 : 2], splat2(1.0d), f64(v[2 : 2]))
       )")},
      {"statements", in_body(R"(
         let l = local.x
         tile[l] = v[invocation.x]
         barrier
         var sum = 0.0
         region "sum: all of the tile" {
           for k in 0 .. workgroup.x { sum = sum + tile[k] }
           for k in 1 .. 9 step 2 { sum = sum - tile[k] }
           for k in -3i .. i32(l) { s[0] = k }
         }
         if l == 0 { y[group.x] = sum } else if l == 1 { atomic u[groups.x] += grid.x }
         else { let nothing = sum }
         if l > 3 { }
       )")},
  };
}

}  // namespace vyre::testing
