#include "templates.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace vyre::learn {
namespace {

// y[i] = value, of an x with `each` elements for each i.
std::string map(std::string_view name, std::uint32_t n, std::string_view value, int each = 1) {
  return fmt::format(R"(program map_{0} {{
  uniform n: u32 = {1}
  buffer x: f32[n * {3}] read
  buffer y: f32[n] write
  grid n
  workgroup 64
  let i = invocation.x
  y[i] = {2}
}})",
                     name, n, value, each);
}

// A star of this radius in two dimensions; the field has a border.
std::string star(std::uint32_t w, std::uint32_t h, int radius) {
  std::string sum = "x[at]";
  for (int r = 1; r <= radius; ++r) {
    sum +=
        fmt::format(" + 0.1 * (x[at - {0}] + x[at + {0}] + x[at - {0} * s] + x[at + {0} * s])", r);
  }
  return fmt::format(R"(program star_{2} {{
  uniform w: u32 = {0}
  uniform h: u32 = {1}
  buffer x: f32[(w + 2 * {2}) * (h + 2 * {2})] read
  buffer y: f32[w * h] write
  grid w, h
  workgroup 64
  let s = w + 2 * {2}
  let at = (invocation.y + {2}) * s + invocation.x + {2}
  y[invocation.y * w + invocation.x] = {3}
}})",
                     w, h, radius, sum);
}

// The mean of (2 r + 1)^3 cells, by loops.
std::string box(std::uint32_t n, int radius) {
  return fmt::format(R"(program box_{1} {{
  uniform n: u32 = {0}
  buffer x: f32[(n + {2}) * (n + {2}) * (n + {2})] read
  buffer y: f32[n * n * n] write
  grid n, n, n
  workgroup 64
  let s = n + {2}
  var sum = 0.0
  for k in 0 .. {2} + 1 {{
    for j in 0 .. {2} + 1 {{
      for i in 0 .. {2} + 1 {{
        sum = sum + x[((invocation.z + k) * s + invocation.y + j) * s + invocation.x + i]
      }}
    }}
  }}
  y[(invocation.z * n + invocation.y) * n + invocation.x] = sum
}})",
                     n, radius, 2 * radius);
}

// A sum over j of a matrix, whose elements stand at `index`; one result for each invocation.
std::string line_sums(std::string_view name, std::uint32_t lines, std::uint32_t length,
                      std::string_view index, std::string_view term) {
  return fmt::format(R"(program {0} {{
  uniform n: u32 = {1}
  uniform k: u32 = {2}
  buffer x: f32[n * k] read
  buffer v: f32[k] read
  buffer y: f32[n] write
  grid n
  workgroup 64
  let i = invocation.x
  var sum = 0.0
  for j in 0 .. k {{
    let e = x[{3}]
    sum = {4}
  }}
  y[i] = sum
}})",
                     name, lines, length, index, term);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

// The same in a program that lets its sums be reordered, with products that are not fused yet.
std::string reordered(std::string text, std::string_view name) {
  const std::size_t from = text.find(' ') + 1;
  text.replace(from, text.find(' ', from) - from, name);
  replace(text, "fma(a[", "sum + a[");
  replace(text, ", b[", " * b[");
  replace(text, ", sum)", "");
  replace(text, "  grid ", "  reassociate\n  grid ");
  return text;
}

// Rows that are gone through several times: the largest element, the sum of what depends on that,
// a result for each element.
std::string scaled_rows(std::string_view name, std::uint32_t rows, std::uint32_t length,
                        std::string_view first, std::string_view term, std::string_view result) {
  return fmt::format(R"(program rows_{0} {{
  uniform rows: u32 = {1}
  uniform k: u32 = {2}
  buffer x: f32[rows * k] read
  buffer y: f32[rows * k] write
  reassociate
  grid rows
  workgroup 64
  let at = invocation.x * k
  var a = x[at]
  for j in 0 .. k {{
    let e = x[at + j]
    a = {3}
  }}
  var sum = 0.0
  for j in 0 .. k {{
    let e = x[at + j]
    sum = sum + {4}
  }}
  for j in 0 .. k {{
    let e = x[at + j]
    y[at + j] = {5}
  }}
}})",
                     name, rows, length, first, term, result);
}

// The mean of a window, at the border of what is there.
std::string clamped_window(std::uint32_t w, std::uint32_t h, int radius) {
  return fmt::format(R"(program window_{2} {{
  uniform w: u32 = {0}
  uniform h: u32 = {1}
  buffer x: f32[w * h] read
  buffer y: f32[w * h] write
  reassociate
  grid w, h
  workgroup 64
  var sum = 0.0
  for i in 0 .. {2} * 2 + 1 {{
    let row = u32(min(max(i32(invocation.y + i) - {2}i, 0i), i32(h) - 1i))
    for j in 0 .. {2} * 2 + 1 {{
      let column = u32(min(max(i32(invocation.x + j) - {2}i, 0i), i32(w) - 1i))
      sum = sum + x[row * w + column]
    }}
  }}
  y[invocation.y * w + invocation.x] = sum
}})",
                     w, h, radius);
}

// What is at or below the diagonal of each row times a vector.
std::string lower_triangle(std::uint32_t n) {
  return fmt::format(R"(program lower_triangle {{
  uniform n: u32 = {}
  buffer x: f32[n * n] read
  buffer v: f32[n] read
  buffer y: f32[n] write
  reassociate
  grid n
  workgroup 64
  var sum = 0.0
  for j in 0 .. invocation.x + 1 {{
    sum = sum + x[invocation.x * n + j] * v[j]
  }}
  y[invocation.x] = sum
}})",
                     n);
}

// c = a b, with the elements of a and b at these places.
std::string product(std::string_view name, std::uint32_t m, std::uint32_t n, std::uint32_t k,
                    std::string_view a, std::string_view b) {
  return fmt::format(R"(program product_{0} {{
  uniform m: u32 = {1}
  uniform n: u32 = {2}
  uniform k: u32 = {3}
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  grid n, m
  workgroup 64
  var sum = 0.0
  for i in 0 .. k {{
    sum = fma(a[{4}], b[{5}], sum)
  }}
  c[invocation.y * n + invocation.x] = sum
}})",
                     name, m, n, k, a, b);
}

std::string batched_product(std::uint32_t batch, std::uint32_t n) {
  return fmt::format(R"(program product_batched {{
  uniform batch: u32 = {}
  uniform n: u32 = {}
  buffer a: f32[batch * n * n] read
  buffer b: f32[batch * n * n] read
  buffer c: f32[batch * n * n] write
  grid n, n, batch
  workgroup 64
  let first = invocation.z * n * n
  var sum = 0.0
  for i in 0 .. n {{
    sum = fma(a[first + invocation.y * n + i], b[first + i * n + invocation.x], sum)
  }}
  c[first + invocation.y * n + invocation.x] = sum
}})",
                     batch, n);
}

// A copy of a matrix, read and written at these places.
std::string copy(std::string_view name, std::uint32_t w, std::uint32_t h, std::string_view scalar,
                 std::string_view from, std::string_view to) {
  return fmt::format(R"(program copy_{0} {{
  uniform w: u32 = {1}
  uniform h: u32 = {2}
  buffer a: {3}[w * h] read
  buffer b: {3}[w * h] write
  grid w, h
  workgroup 64
  let x = invocation.x
  let y = invocation.y
  b[{5}] = a[{4}]
}})",
                     name, w, h, scalar, from, to);
}

std::string reversed_axes(std::uint32_t n) {
  return fmt::format(R"(program copy_reversed_axes {{
  uniform n: u32 = {}
  buffer a: f32[n * n * n] read
  buffer b: f32[n * n * n] write
  grid n, n, n
  workgroup 64
  b[(invocation.x * n + invocation.y) * n + invocation.z] =
    a[(invocation.z * n + invocation.y) * n + invocation.x]
}})",
                     n);
}

std::string gather(std::uint32_t n) {
  return fmt::format(R"(program gather {{
  uniform n: u32 = {}
  buffer places: u32[n] read
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  workgroup 64
  y[invocation.x] = x[places[invocation.x] % n]
}})",
                     n);
}

// Counts `value` into a place.
std::string counted(std::string_view name, std::uint32_t n, std::uint32_t bins,
                    std::string_view statement) {
  return fmt::format(R"(program count_{0} {{
  uniform n: u32 = {1}
  buffer x: u32[n] read
  buffer y: u32[n] read
  buffer bins: u32[{2}] read_write
  grid n
  workgroup 64
  let e = x[invocation.x]
  {3}
}})",
                     name, n, bins, statement);
}

std::string sums_by_row(std::uint32_t w, std::uint32_t h) {
  return fmt::format(R"(program count_by_row {{
  uniform w: u32 = {}
  uniform h: u32 = {}
  buffer x: u32[w * h] read
  buffer sums: u32[h] read_write
  grid w, h
  workgroup 64
  atomic sums[invocation.y] += x[invocation.y * w + invocation.x]
}})",
                     w, h);
}

// Iterates until a bound is passed: how often differs from element to element.
std::string escape(std::uint32_t w, std::uint32_t h) {
  return fmt::format(R"(program escape {{
  uniform w: u32 = {}
  uniform h: u32 = {}
  buffer steps: u32[w * h] write
  grid w, h
  workgroup 64
  let a = f32(invocation.x) * 0.005 - 2.0
  let b = f32(invocation.y) * 0.005 - 1.0
  var re = 0.0
  var im = 0.0
  var count = 0
  for i in 0 .. 48 {{
    if re * re + im * im < 4.0 {{
      let next = re * re - im * im + a
      im = 2.0 * re * im + b
      re = next
      count = count + 1
    }}
  }}
  steps[invocation.y * w + invocation.x] = count
}})",
                     w, h);
}

// Ends early: after how many elements, differs from place to place.
std::string search(std::string_view name, std::uint32_t n, std::uint32_t m, std::string_view end) {
  return fmt::format(R"(program search_{} {{
  uniform n: u32 = {}
  uniform m: u32 = {}
  buffer x: f32[n + m] read
  buffer y: f32[m] read
  buffer steps: u32[n] write
  grid n
  workgroup 64
  let i = invocation.x
  var k = 0
  while k < m {{
    if {} {{ break }}
    k = k + 1
  }}
  steps[i] = k
}})",
                     name, n, m, end);
}

std::string biased_rows(std::uint32_t w, std::uint32_t h) {
  return fmt::format(R"(program biased_rows {{
  uniform w: u32 = {}
  uniform h: u32 = {}
  buffer x: f32[w * h] read
  buffer bias: f32[w] read
  buffer y: f32[w * h] write
  grid w, h
  workgroup 64
  let i = invocation.y * w + invocation.x
  y[i] = max(x[i] + bias[invocation.x], 0.0)
}})",
                     w, h);
}

}  // namespace

std::vector<std::string> templates() {
  return {
      map("scaled", 3'000'000, "0.5 * x[i]"),
      map("polynomial", 1'500'000,
          "fma(fma(fma(fma(fma(x[i], 0.1, 0.2), x[i], 0.3), x[i], 0.4), x[i], 0.5), x[i], 0.6)"),
      map("lengths", 700'000, "x[3 * i] + x[3 * i + 1] + x[3 * i + 2]", 3),
      biased_rows(1024, 1400),
      star(1100, 1100, 2),
      box(64, 1),
      line_sums("row_sums", 4096, 500, "i * k + j", "sum + e"),
      line_sums("column_sums", 4096, 500, "j * n + i", "sum + e"),
      line_sums("matrix_vector", 2500, 700, "i * k + j", "fma(e, v[j], sum)"),
      reordered(line_sums("r", 3000, 900, "i * k + j", "sum + abs(e)"), "reordered_row_sums"),
      reordered(line_sums("r", 1900, 1300, "i * k + j", "sum + e * v[j]"),
                "reordered_matrix_vector"),
      reordered(line_sums("r", 5000, 600, "j * n + i", "sum + e * e"), "reordered_column_sums"),
      scaled_rows("exponential", 900, 800, "max(a, e)", "exp(e - a)", "exp(e - a) / sum"),
      scaled_rows("deviation", 2000, 500, "a + e", "(e - a) * (e - a)", "(e - a) * rsqrt(sum)"),
      clamped_window(900, 800, 2),
      lower_triangle(1800),
      product("wide", 64, 1500, 200, "invocation.y * k + i", "i * n + invocation.x"),
      product("short", 700, 700, 24, "invocation.y * k + i", "i * n + invocation.x"),
      product("left_transposed", 256, 320, 256, "i * m + invocation.y", "i * n + invocation.x"),
      product("right_transposed", 256, 256, 256, "invocation.y * k + i", "invocation.x * k + i"),
      reordered(product("r", 384, 384, 300, "invocation.y * k + i", "i * n + invocation.x"),
                "reordered_product"),
      reordered(product("r", 300, 320, 400, "invocation.y * k + i", "invocation.x * k + i"),
                "reordered_rows_by_rows"),
      reordered(batched_product(20, 112), "reordered_batch"),
      batched_product(24, 96),
      copy("transposed_in", 1400, 1000, "u32", "x * h + y", "y * w + x"),
      copy("transposed_out", 2048, 600, "u32", "y * w + x", "x * h + y"),
      reversed_axes(112),
      gather(1'000'000),
      counted("histogram", 1'000'000, 256, "atomic bins[e % 256] += 1"),
      counted("by_key", 1'400'000, 50, "atomic bins[e % 50] += y[invocation.x]"),
      counted("matches", 1'500'000, 1, "if e == y[invocation.x] { atomic bins[0] += 1 }"),
      counted("products", 1'200'000, 1, "atomic bins[0] += e * y[invocation.x]"),
      sums_by_row(3000, 400),
      escape(500, 400),
      search("words", 2'500'000, 12, "u32(abs(x[i + k]) * 8.0) % 4 != u32(abs(y[k]) * 8.0) % 4"),
      search("greater", 1'600'000, 20, "x[i + k] > x[i]"),
  };
}

}  // namespace vyre::learn
