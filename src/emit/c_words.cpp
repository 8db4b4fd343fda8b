#include "emit/c_words.h"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace vyre::emit {
namespace {

template <class Test>
bool any_word(std::string_view list, Test test) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (test(list.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

constexpr std::string_view keywords =
    "asm auto bool break case char const continue default defined do double else enum extern false "
    "float for goto half if inline int int16_t int32_t int64_t int8_t intptr_t linux long main "
    "ptrdiff_t register restrict return short signed size_t sizeof static struct switch true "
    "typedef typeof uint16_t uint32_t uint64_t uint8_t uintptr_t union unix unsigned void volatile "
    "wchar_t while";

constexpr std::string_view macros = "BUFSIZ EOF FALSE INFINITY MAXFLOAT NAN NDEBUG NULL TRUE";

constexpr std::string_view library =
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

}  // namespace

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
  return is_listed(name, keywords) || is_listed(name, macros) || looks_like_macro(name) ||
         name.starts_with("vy_") || name.starts_with("VY_");
}

bool is_c_library(std::string_view name) { return is_listed(name, library); }

}  // namespace vyre::emit
