#include "support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> calls = 0;  // drivers have threads
}  // namespace

// Not inlined: seen apart, malloc and delete look like a mismatch to the compiler.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++calls;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++calls;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vyre::testing {

std::size_t host_allocations() { return calls; }

}  // namespace vyre::testing
