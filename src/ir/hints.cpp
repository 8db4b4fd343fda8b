#include "ir/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vyre::ir {
namespace {

constexpr std::string_view functions =
    "there are abs, sqrt, rsqrt, exp, exp2, log, log2, pow, sin, cos, tan, tanh, floor, ceil, "
    "round, popcount, clz, min, max, fma and select, sum, min, max, any and all of the lanes of a "
    "vector, conversions such as f32(x), as_u32, as_i32, as_f32, and splat2 to splat16";
constexpr std::string_view types =
    "the types are bool, u32, i32, u64, i64, f32 and f64, and in buffers also u8, i8, u16, i16 and "
    "f16";
constexpr std::string_view loops = "write `for i in 0 .. n { ... }`, or `while condition { ... }`";
constexpr std::string_view no_jump = "write the rest of the body into an `if`";
constexpr std::string_view declare = "write `let x = ...`, or `var x = ...` where it is assigned";

struct Row {
  std::string_view text;
  std::string_view advice;
};

constexpr std::array rows = {
    // statements
    Row{"do", loops},
    Row{"loop", loops},
    Row{"return", no_jump},
    Row{"continue", no_jump},
    Row{"goto", no_jump},
    Row{"switch", "write `if ... { } else if ... { }`, or select(condition, yes, no)"},
    Row{"elif", "write `else if`"},
    Row{"const", declare},
    Row{"auto", declare},
    Row{"def", "a file holds one program and no functions: write its body here"},
    Row{"void", "a file holds one program and no functions: write its body here"},
    Row{";", "a statement needs no sign at its end"},
    Row{"#", "a comment starts with //"},
    // operators
    Row{"&&", "write &, which is `and` for bool too"},
    Row{"and", "write &"},
    Row{"||", "write |, which is `or` for bool too"},
    Row{"or", "write |"},
    Row{"?", "write select(condition, yes, no)"},
    Row{"++", "write `x += 1`, with 1i for an i32"},
    Row{"**", "write pow(x, y), or multiply"},
    Row{"/*", "a comment starts with // and ends with the line"},
    // functions
    Row{"sinh", "write (exp(x) - exp(-x)) * 0.5"},
    Row{"cosh", "write (exp(x) + exp(-x)) * 0.5"},
    Row{"log10", "write log2(x) * 0.30103"},
    Row{"sigmoid", "write 1.0 / (1.0 + exp(-x))"},
    Row{"trunc", "write select(x < 0.0, ceil(x), floor(x))"},
    Row{"rint", "write round(x), which takes halves away from 0"},
    Row{"clamp", "write min(max(x, low), high)"},
    Row{"mod", "write % for integers"},
    Row{"fmod", "write % for integers"},
    Row{"mad", "write fma(a, b, c)"},
    Row{"ctz", "write popcount(~x & (x - 1))"},
    Row{"ffs", "write 32 - clz(x & -x)"},
    Row{"__popc", "write popcount(x)"},
    Row{"__clz", "write clz(x)"},
    Row{"__builtin_popcount", "write popcount(x)"},
    Row{"__builtin_clz", "write clz(x)"},
    Row{"fabs", "write abs(x)"},
    Row{"fmin", "write min(a, b)"},
    Row{"fmax", "write max(a, b)"},
    Row{"get_global_id", "write invocation.x, .y or .z"},
    Row{"get_local_id", "write local.x, .y or .z"},
    Row{"get_group_id", "write group.x, .y or .z"},
    Row{"__syncthreads", "write barrier"},
    // types
    Row{"float", "write f32 (`let x = 1.0` needs no type)"},
    Row{"double", "write f64 (`let x = 1.0d` needs no type)"},
    Row{"half", types},
    Row{"int", "write i32 (`let k = 1i` needs no type)"},
    Row{"uint", "write u32 (`let k = 1` needs no type)"},
    Row{"unsigned", "write u32 (`let k = 1` needs no type)"},
    Row{"size_t", "write u32 (`let k = 1` needs no type)"},
    Row{"char", types},
    Row{"short", types},
    Row{"long", types},
};

}  // namespace

std::string hint(std::string_view text) {
  const auto found = std::ranges::find(rows, text, &Row::text);
  return found == rows.end() ? std::string() : fmt::format("; {}", found->advice);
}

std::string list_of_functions() { return fmt::format("; {}", functions); }

}  // namespace vyre::ir
