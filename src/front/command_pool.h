// Memory for commands, of which a loop of calls makes one each: taken from a list of those that
// have ended, so that vyre's and the driver's own allocations do not cut each other's memory up.
// It is kept for the next ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

namespace vyre::detail {

// Blocks of one size, for any thread. They live as long as the process.
template <std::size_t Size>
class BlockList {
 public:
  static void* take() {
    Lock lock;
    if (first_ == nullptr) return ::operator new(Size);
    Block* const block = first_;
    first_ = block->next;
    return block;
  }
  static void give(void* memory) {
    Lock lock;
    first_ = ::new (memory) Block{first_};
  }

 private:
  struct Block {
    Block* next;
  };
  static_assert(Size >= sizeof(Block));
  // Held for a few instructions: to sleep would take longer.
  struct Lock {
    Lock() {
      while (taken_.test_and_set(std::memory_order_acquire)) taken_.wait(true);
    }
    ~Lock() {
      taken_.clear(std::memory_order_release);
      taken_.notify_one();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
  };
  static inline std::atomic_flag taken_;
  static inline Block* first_ = nullptr;
};

// For std::allocate_shared.
template <class T>
struct CommandAllocator {
  using value_type = T;
  CommandAllocator() = default;
  template <class U>
  CommandAllocator(const CommandAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t /*one*/) {
    return static_cast<T*>(BlockList<sizeof(T)>::take());
  }
  void deallocate(T* memory, std::size_t /*one*/) { BlockList<sizeof(T)>::give(memory); }
  bool operator==(const CommandAllocator&) const = default;
};

}  // namespace vyre::detail
