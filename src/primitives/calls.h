// Counts the launches of each program of the pipelines, for calls().
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

class CallCounter {
 public:
  void count(std::uint64_t more = 1) { launches_.fetch_add(more, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t launches() const { return launches_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> launches_ = 0;
};

// Where launches of a program are counted; it lives as long as the process.
[[nodiscard]] CallCounter& call_counter(const std::string& program);

}  // namespace vyre::primitives
