// What happens where memory runs out: an error like any other, so that nothing throws across the
// public API, and a program that uses the library can go on with less.
#pragma once

#include <new>
#include <stdexcept>
#include <type_traits>

#include "vyre/base/error.h"

namespace vyre {

// Says what to do.
inline constexpr const char* out_of_memory_text =
    "there is not enough memory: make the sizes smaller, end other programs, or raise the limit "
    "(ulimit -v)";
[[nodiscard]] Error out_of_memory();

// What `work` returns, a Result; out_of_memory() where it needed more than there is. What it threw
// away on the way out is free again.
template <class Work>
[[nodiscard]] auto within_memory(const Work& work) -> std::invoke_result_t<Work> {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Failure(out_of_memory());
  } catch (const std::length_error&) {  // longer than any memory
    return Failure(out_of_memory());
  }
}

// For a program's main: what ends the program because memory ran out where nobody could catch it,
// in a thread or a destructor, says so and has this exit status. `who` must last.
void explain_lack_of_memory(const char* who, int status);

}  // namespace vyre
