// Counts what this program allocates, to show that launching allocates nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "run/fake_device.h"
#include "support/programs.h"
#include "vyre/run/run.h"

namespace {
std::atomic<std::size_t> allocations = 0;  // drivers have threads
}  // namespace

// Not inlined: seen apart, malloc and delete look like a mismatch to the compiler.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace vyre::run {
namespace {

TEST(Executable, AllocatesNothingWhenItIsLaunchedOrAUniformIsSet) {
  testing::FakeDevice device({.max_workgroup = 64, .max_workgroup_dims = {64, 64, 64}});
  auto executable = compile(device, {testing::parsed(R"(program scale {
    uniform factor: f32 = 2.0
    buffer x: f32[256] read
    buffer y: f32[256] write
    grid 256
    y[invocation.x] = x[invocation.x] * factor
  })"),
                                     {}});
  ASSERT_TRUE(executable.has_value()) << executable.error().message;
  const auto x = device.allocate(1024).value();
  const auto y = device.allocate(1024).value();
  const std::array<device::Buffer*, 2> buffers = {x.get(), y.get()};

  const std::size_t before = allocations;
  bool all = true;
  for (std::uint32_t i = 0; i < 100; ++i) {
    all = all && executable->set("factor", {ir::Scalar::f32, i}).has_value();
    all = all && executable->launch(buffers).has_value();
    all = all && executable->time(buffers).has_value();
  }
  EXPECT_EQ(allocations.load(), before);
  EXPECT_TRUE(all);
  EXPECT_EQ(device.launched, 200);
}

}  // namespace
}  // namespace vyre::run
