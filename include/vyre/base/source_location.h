// Where a call stands in C++, taken as a default argument:
//
//   void f(SourceLocation at = SourceLocation::here());
//
// One type for all compilers: clang 15 has no std::source_location for libstdc++.
#pragma once

#include <cstdint>
#ifndef __clang__
#include <source_location>
#endif

namespace vyre {

struct SourceLocation {
  const char* file = "";  // as the compiler was given it
  std::uint32_t line = 0;
  std::uint32_t column = 0;

#ifdef __clang__
  [[nodiscard]] static constexpr SourceLocation here(const char* file = __builtin_FILE(),
                                                     std::uint32_t line = __builtin_LINE(),
                                                     std::uint32_t column = __builtin_COLUMN()) {
    return {file, line, column};
  }
#else
  [[nodiscard]] static constexpr SourceLocation here(
      const std::source_location& at = std::source_location::current()) {
    return {at.file_name(), at.line(), at.column()};
  }
#endif
};

}  // namespace vyre
