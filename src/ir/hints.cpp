#include "ir/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vyre::ir {
namespace {

constexpr std::string_view functions =
    "there are abs, sqrt, exp, log, min, max, fma and select, conversions such as f32(x), "
    "as_u32, as_i32, as_f32, and splat2 to splat16";
constexpr std::string_view types = "the types are bool, u32, i32, f32 and f64";
constexpr std::string_view loops =
    "the loop there is has a known number of turns: write `for i in 0 .. n { ... }`, with an `if` "
    "in it";
constexpr std::string_view no_jump = "write the rest of the body into an `if`";
constexpr std::string_view update = "write `x = x + ...`, with the sign that is meant";
constexpr std::string_view polynomial = "write a polynomial with fma on a reduced range";
constexpr std::string_view rounding = "convert: f32(i32(x)) cuts off towards 0";
constexpr std::string_view declare = "write `let x = ...`, or `var x = ...` where it is assigned";

struct Row {
  std::string_view text;
  std::string_view advice;
};

constexpr std::array rows = {
    // statements
    Row{"while", loops},
    Row{"do", loops},
    Row{"loop", loops},
    Row{"return", no_jump},
    Row{"break", no_jump},
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
    Row{"++", "write `x = x + 1`, with 1i for an i32"},
    Row{"+=",
        "write `x = x + ...`; where several invocations add to one element, "
        "`atomic x[i] += ...`"},
    Row{"-=", update},
    Row{"*=", update},
    Row{"/=", update},
    Row{"%=", update},
    Row{"&=", update},
    Row{"|=", update},
    Row{"^=", update},
    Row{"**", "multiply, or write exp(y * log(x)) for x above 0"},
    Row{"/*", "a comment starts with // and ends with the line"},
    // functions
    Row{"pow", "multiply, or write exp(y * log(x)) for x above 0"},
    Row{"sin", polynomial},
    Row{"cos", polynomial},
    Row{"tan", polynomial},
    Row{"tanh", "write 1.0 - 2.0 / (exp(2.0 * x) + 1.0)"},
    Row{"rsqrt", "write 1.0 / sqrt(x)"},
    Row{"exp2", "write exp(x * 0.6931472)"},
    Row{"log2", "write log(x) * 1.442695"},
    Row{"floor", rounding},
    Row{"ceil", rounding},
    Row{"round", rounding},
    Row{"trunc", rounding},
    Row{"clamp", "write min(max(x, low), high)"},
    Row{"mod", "write % for integers"},
    Row{"fmod", "write % for integers"},
    Row{"mad", "write fma(a, b, c)"},
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
