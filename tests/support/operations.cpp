#include "support/operations.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <span>
#include <string_view>

#include "support/random_expr.h"

namespace vyre::testing {
namespace {

constexpr std::array<std::string_view, 7> scalar_names = {"bool", "u32", "i32", "u64",
                                                          "i64",  "f32", "f64"};

std::span<const std::string_view> names_of_scalars(bool f64) {
  return std::span(scalar_names).first(scalar_names.size() - (f64 ? 0 : 1));
}

bool is_float(std::string_view s) { return s == "f32" || s == "f64"; }
bool is_long(std::string_view s) { return s == "u64" || s == "i64"; }
bool is_integer(std::string_view s) { return s == "u32" || s == "i32" || is_long(s); }

std::string constant(std::string_view scalar, int value) {
  if (scalar == "bool") return value % 2 != 0 ? "true" : "false";
  if (scalar == "u32") return fmt::format("{}", value);
  if (scalar == "i32") return fmt::format("{}i", value);
  if (is_long(scalar)) return fmt::format("{}{}", value, scalar);
  return fmt::format("{}.5{}", value, scalar == "f64" ? "d" : "");
}

// Collects results by type, each in a slot of its own.
class OperationProgram {
 public:
  OperationProgram(std::string_view scalar, int lanes, bool f64) : scalar_(scalar), lanes_(lanes) {
    numbers();
    bits();
    comparisons();
    conversions(f64);
    vectors();
  }

  [[nodiscard]] std::string text() const {
    std::string outs;
    for (const auto& [scalar, slots] : slots_) {
      outs += fmt::format("  buffer out_{0}: {0}[64 * {1}] write\n", scalar, slots);
    }
    const std::string suffix = lanes_ == 1 ? "" : fmt::format("x{}", lanes_);
    return fmt::format(
        "program on_{0}{1} {{\n"
        "  buffer a: {0}[64] read\n  buffer b: {0}[64] read\n  buffer c: {0}[64] read\n"
        "  buffer cond: bool[64] read\n{2}"
        "  grid 64 / {3}\n"
        "  let i = invocation.x * {3}\n"
        "  let x = a[i{4}]\n  let y = b[i{4}]\n  let z = c[i{4}]\n  let p = cond[i{4}]\n{5}}}\n",
        scalar_, suffix, outs, lanes_, width(), body_);
  }

 private:
  [[nodiscard]] std::string width() const {
    return lanes_ == 1 ? "" : fmt::format(" : {}", lanes_);
  }

  void result(std::string_view scalar, std::string_view value) {
    body_ += fmt::format("  out_{0}[64 * {1} + i{2}] = {3}\n", scalar,
                         slots_[std::string(scalar)]++, width(), value);
  }
  void same(std::string_view value) { result(scalar_, value); }

  [[nodiscard]] std::string all_lanes(const std::string& value) const {
    return lanes_ == 1 ? value : fmt::format("splat{}({})", lanes_, value);
  }

  void numbers() {
    same("select(p, x, y)");
    if (scalar_ == "bool") return;
    for (const char* e : {"-x", "abs(x)", "x + y", "x - y", "x * y", "x / y", "min(x, y)",
                          "max(x, y)", "x * y + z", "-(x + y) * (z - x)"}) {
      same(e);
    }
    same("x / " + all_lanes(constant(scalar_, 3)));
    if (!is_float(scalar_)) {
      same("x % y");
      same("x % " + all_lanes(constant(scalar_, 7)));
      for (const char* e : {"popcount(x)", "clz(x)", "clz(x ^ x)"}) same(e);
    } else {
      for (const char* e : {"sqrt(x)", "exp(x)", "log(x)", "sin(x)", "cos(x)", "tan(x)", "tanh(x)",
                            "rsqrt(x)", "exp2(x)", "log2(x)", "floor(x)", "ceil(x)", "round(x)",
                            "pow(x, y)", "pow(abs(x), y)", "fma(x, y, z)"}) {
        same(e);
      }
      same("pow(x, " + all_lanes(constant(scalar_, 2)) + ")");
      for (const char* e : {"inf", "nan"}) {
        same("x + " + all_lanes(fmt::format("{}.{}", scalar_, e)));
      }
    }
  }

  void bits() {
    if (is_float(scalar_)) return;
    for (const char* e : {"x & y", "x | y", "x ^ y"}) same(e);
    same(scalar_ == "bool" ? "!x" : "~x");
    if (!is_integer(scalar_)) return;
    for (const char* e : {"x << y", "x >> y"}) same(e);
    same("x << " + all_lanes(constant(scalar_, 5)));
    same("x >> " + all_lanes(constant(scalar_, 37)));
    same("x << " + all_lanes(constant(scalar_, 64)));
  }

  void comparisons() {
    for (const char* e : {"x == y", "x != y"}) result("bool", e);
    if (scalar_ == "bool") return;
    for (const char* e : {"x < y", "x <= y", "x > y", "x >= y", "(x < y) ^ !p"}) result("bool", e);
  }

  void conversions(bool f64) {
    for (const std::string_view to : names_of_scalars(f64)) result(to, fmt::format("{}(x)", to));
    if (scalar_ == "bool" || scalar_ == "f64" || is_long(scalar_)) return;
    for (const std::string_view to : {"u32", "i32", "f32"}) result(to, fmt::format("as_{}(x)", to));
  }

  void vectors() {
    if (lanes_ == 1) return;
    std::string list;
    for (int lane = lanes_ - 1; lane >= 0; --lane) {
      list += fmt::format("{}x.{}", list.empty() ? "" : ", ", lane);
    }
    same("[" + list + "]");
    same(all_lanes("y.1"));
    if (scalar_ != "bool") {
      for (const char* e : {"sum(x)", "min(x)", "max(x)", "sum(x * y)"}) same(all_lanes(e));
    } else {
      for (const char* e : {"any(x)", "all(x)", "all(x | y)"}) same(all_lanes(e));
    }
    same(all_lanes(constant(scalar_, 1)));
  }

  std::string_view scalar_;
  int lanes_;
  std::map<std::string, int> slots_;
  std::string body_;
};

// Elements that are converted on their way: loaded, stored from any value, and stored as loaded.
std::string narrow_program(Scalar element, int lanes) {
  const std::string width = lanes == 1 ? "" : fmt::format(" : {}", lanes);
  const std::string name = fmt::format("{}{}", name_of(element), lanes == 1 ? "" : "x");
  return fmt::format(
      "program on_{0}{1} {{\n"
      "  buffer a: {2}[64] read\n  buffer b: {3}[64] read\n"
      "  buffer out_{2}: {2}[64 * 3] write\n  buffer out_{3}: {3}[64 * 2] write\n"
      "  grid 64 / {4}\n"
      "  let i = invocation.x * {4}\n"
      "  out_{3}[i{5}] = a[i{5}]\n  out_{2}[i{5}] = b[i{5}]\n"
      "  out_{3}[64 + i{5}] = a[i{5}] + b[i{5}]\n  out_{2}[64 + i{5}] = a[i{5}] + b[i{5}]\n"
      "  out_{2}[128 + i{5}] = a[i{5}]\n}}\n",
      name, lanes == 1 ? "" : std::to_string(lanes), name_of(element), name_of(value_type(element)),
      lanes, width);
}

std::string scalars_by_value(std::string_view widest) {
  return fmt::format(
      "program scalars_by_value {{\n"
      "  uniform on: bool = true  uniform u: u32 = 7  uniform i: i32 = -7i\n"
      "  uniform f: f32 = 0.1  uniform d: {0} = 0.1{1}\n"
      "  uniform lu: u64 = 7000000000u64  uniform li: i64 = -7000000000i64\n"
      "  buffer out: {0}[64] write  buffer flags: bool[64] write\n  grid 64\n"
      "  flags[invocation.x] = on\n"
      "  if on {{ out[invocation.x] = {0}(u) + {0}(i) + {0}(f) + d + {0}(lu) / {0}(li) }} else {{ "
      "out[0] = d }}\n}}\n",
      widest, widest == "f64" ? "d" : "");
}

// Through shared memory and back, with every access out of what can be proved.
std::string shared_program(std::string_view scalar, int lanes) {
  const std::string width = lanes == 1 ? "" : fmt::format(" : {}", lanes);
  return fmt::format(
      "program through_{0}x{1} {{\n"
      "  buffer at: u32[64] read\n  buffer from: {0}[64] read\n  buffer to: {0}[64] read_write\n"
      "  shared tile: {0}[workgroup.x * {1}]\n  grid 64\n  workgroup 16\n"
      "  tile[local.x * {1}{2}] = from[at[invocation.x]{2}]\n"
      "  barrier\n"
      "  to[at[invocation.x]{2}] = tile[at[local.x] * {1}{2}]\n"
      "  tile[at[local.x]{2}] = to[invocation.x % {1} * {1}{2}]\n"
      "}}\n",
      scalar, lanes, width);
}

// The same through a private buffer, at places that are proved in bounds and at others.
std::string private_program(std::string_view scalar, int lanes) {
  const std::string width = lanes == 1 ? "" : fmt::format(" : {}", lanes);
  return fmt::format(
      "program own_{0}x{1} {{\n"
      "  buffer places: u32[64] read\n  buffer from: {0}[64] read\n  buffer to: {0}[1024] write\n"
      "  private own: {0}[64]\n  grid 64\n"
      "  for k in 0 .. 64 {{ own[k] = from[k] }}\n"
      "  own[places[1] & 15{2}] = own[invocation.x & 31{2}]\n"
      "  own[min(places[2], 64 - {1}){2}] = own[min(places[3] + invocation.x, 64 - {1}){2}]\n"
      "  to[invocation.x * {1}{2}] = own[3{2}]\n"
      "}}\n",
      scalar, lanes, width);
}

}  // namespace

std::vector<std::string> operation_programs(bool f64) {
  std::vector<std::string> programs;
  const auto add = [&](std::string_view scalar) {
    for (const int lanes : {1, 2, 4, 8, 16}) {
      programs.push_back(OperationProgram(scalar, lanes, f64).text());
    }
  };
  for (const std::string_view scalar : names_of_scalars(false)) add(scalar);
  for (const Scalar narrow : narrow_scalars()) {
    for (const int lanes : {1, 2, 4, 8, 16}) programs.push_back(narrow_program(narrow, lanes));
  }
  if (f64) add("f64");
  return programs;
}

std::vector<std::string> statement_programs(bool f64) {
  std::vector<std::string> programs = {
      R"(program loops {
           uniform first: i32 = -3i  uniform last: i32 = 9i  uniform stride: u32 = 3
           buffer s: i32[64] read  buffer t: i32[64] write  buffer u: u32[64] read_write
           grid 64
           var end = u[invocation.x] & 255
           for k in end .. end + 40 step stride { end = end + k }
           var sum = 0i
           for k in first .. last { for j in k .. s[u32(k & 7i)] & 15i step 2i { sum = sum + j * k } }
           for k in last .. first step -2i { sum = sum - k }
           for k in 0i .. 2000000000i step 1500000000i { sum = sum ^ k }
           for k in first .. last step (s[8] & 3i) + 1i { sum = sum * 3i + k }
           t[invocation.x] = sum
           u[invocation.x] = end
         })",
      R"(program escapes {
           uniform most: u32 = 40
           buffer s: i32[64] read  buffer t: i32[64] write  buffer u: u32[64] read_write
           grid 64
           var k = 0
           while k < most & (u[invocation.x] & 7) + k * k < 99 { k = k + 3 }
           var sum = 0i
           while true {
             sum = sum + i32(k)
             if sum > (s[invocation.x] & 63i) { break } else if k == 9 { region "end" { break } }
             var inner = 5i
             while inner > 0i { inner = inner - 1i if inner == (sum & 3i) { break } sum = sum + inner }
             k = k + 1
           }
           t[invocation.x] = sum
           u[invocation.x] = k
         })",
      R"(program ids {
           uniform w: u32 = 12  uniform h: u32 = 5
           buffer out: u32[w * h * 2 * 8] write
           grid w, h, 2
           workgroup 4, 2, 1
           let i = (invocation.z * h + invocation.y) * w + invocation.x
           out[i * 8] = local.x  out[i * 8 + 1] = local.y  out[i * 8 + 2] = local.z
           out[i * 8 + 3] = group.x * group.y  out[i * 8 + 4] = groups.x + groups.y + group.z
           out[i * 8 + 5] = workgroup.x * workgroup.y  out[i * 8 + 6] = grid.x * grid.y + grid.z
           out[i * 8 + 7] = i
         })",
      R"(program counters {
           buffer at: u32[64] read  buffer bins: u32[8] read_write  buffer net: i32[8] read_write
           shared own: i32[8]  shared seen: u32[8]
           grid 64
           if local.x < 8 { own[local.x] = 0i seen[local.x] = 0 }
           barrier
           atomic own[at[invocation.x]] += -1i
           atomic seen[local.x & 7] += 1
           atomic bins[at[invocation.x]] += 1
           barrier
           if local.x < 8 { atomic net[local.x] += own[local.x] }
           else if at[local.x] == 3 { atomic net[at[0]] += 2i } else { region "rest" { atomic bins[0] += 1 } }
         })",
      R"(program weights {
           buffer at: u32[64] read  buffer weights: f32[8] read_write
           shared own: f32[8]
           grid 64
           reassociate
           if local.x < 8 { own[local.x] = 0.0 }
           barrier
           atomic own[at[invocation.x]] += 0.5
           atomic own[local.x & 7] += f32(local.x)
           atomic weights[at[invocation.x]] += 2.0
           barrier
           if local.x < 8 { atomic weights[local.x] += own[local.x] }
         })"};
  programs.push_back(scalars_by_value(f64 ? "f64" : "f32"));
  for (const std::string_view scalar : names_of_scalars(f64)) {
    for (const int lanes : {1, 2, 4, 8, 16}) {
      programs.push_back(shared_program(scalar, lanes));
      programs.push_back(private_program(scalar, lanes));
    }
  }
  for (const Scalar narrow : narrow_scalars()) {
    for (const int lanes : {1, 2, 4, 8, 16}) {
      programs.push_back(shared_program(name_of(narrow), lanes));
    }
  }
  return programs;
}

}  // namespace vyre::testing
