#include "support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> calls = 0;  // drivers have threads
thread_local std::size_t left = 0;   // until the one that fails; 0: none does

bool is_to_fail() { return left > 0 && --left == 0; }
}  // namespace

// Not inlined: seen apart, malloc and delete look like a mismatch to the compiler.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++calls;
  if (is_to_fail()) throw std::bad_alloc();
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++calls;
  if (is_to_fail()) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vyre::testing {

std::size_t host_allocations() { return calls; }

FailingAllocation::FailingAllocation(std::size_t n) { left = n + 1; }
FailingAllocation::~FailingAllocation() { left = 0; }
bool FailingAllocation::has_failed() const { return left == 0; }

}  // namespace vyre::testing
