// What batches do: items that wait, the thread that runs them, results that wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "front/batch_kernel.h"
#include "front/item_queue.h"
#include "tune/batch_size.h"
#include "vyre/front/batches.h"

namespace vyre::detail {

class BatchLoop {
 public:
  using Bytes = BatchKernel::Bytes;
  using Parts = AnyBatches::Parts;

  BatchLoop(BatchKernel kernel, const BatchOptions& options, Clock& clock);

  // By a thread of its own, until close().
  void run();
  void close();
  // Says what nobody has seen or run. After the end of run().
  void say_what_is_left();

  [[nodiscard]] Result<void> push(Parts inputs);
  [[nodiscard]] Result<void> check_due(std::size_t items);
  [[nodiscard]] Result<void> pull(std::size_t items, std::span<const std::span<std::byte>> outputs);
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] std::size_t due();
  [[nodiscard]] BatchStats stats();
  void deliver_to(AnyBatches::Deliver deliver);
  [[nodiscard]] const BatchKernel& kernel() const { return kernel_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Time = std::chrono::nanoseconds;

  // What one dispatch gave, or why it gave nothing.
  struct Block {
    std::size_t items = 0;
    std::size_t pulled = 0;
    Bytes outputs;
    std::optional<Error> error;
  };

  [[nodiscard]] Result<std::size_t> items_in(Parts inputs) const;
  [[nodiscard]] Result<void> stage(Parts inputs, std::size_t items, Lock& lock);
  void keep(const Error& error);
  [[nodiscard]] Result<void> is_due(std::size_t items) const;
  [[nodiscard]] std::uint64_t waiting() const { return queue_.waiting(); }
  // Items that are run at once; more than there is room for never come.
  [[nodiscard]] std::uint64_t enough() const {
    return std::min<std::uint64_t>(size_.now(), options_.room);
  }
  [[nodiscard]] bool is_ready(Time now) const;
  void wait_for_items(Lock& lock);
  void run_one(Lock& lock);
  void count(const tune::BatchRun& run);
  void finish(Block block, Lock& lock);
  [[nodiscard]] bool is_own_thread() const { return std::this_thread::get_id() == thread_; }

  BatchKernel kernel_;
  BatchOptions options_;
  Clock& clock_;
  AnyBatches::Deliver deliver_;
  std::thread::id thread_;

  std::mutex mutex_;
  std::condition_variable work_;  // for the thread
  std::condition_variable done_;  // for who pulls, flushes, or waits for room
  bool closed_ = false;
  tune::BatchSize size_;
  BatchStats stats_;
  ItemQueue queue_;
  std::deque<Block> blocks_;
  // Items, since the beginning:
  std::uint64_t ended_ = 0;           // whose results are there
  std::uint64_t pulled_ = 0;          // that somebody has asked for
  std::uint64_t given_ = 0;           // and got; threads that pull take turns
  std::uint64_t flushed_ = 0;         // that must not wait for others
  std::optional<Error> first_error_;  // since the last flush
  bool error_seen_ = true;
  Time idle_{};   // before the dispatch under way
  Bytes inputs_;  // of the dispatch under way
};

}  // namespace vyre::detail
