// Two threads that share work, for peers that have no threads of their own.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>

namespace vyre::bench {

class Team {
 public:
  Team();
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls `work` for the two halves of 0 .. count at once, and waits for both.
  void split(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work);

 private:
  std::atomic<int> turn_ = 0;  // 1: the second thread has work; -1: it must end
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::thread second_;
};

}  // namespace vyre::bench
