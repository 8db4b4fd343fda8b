// What memory gives: a copy by all cores.
#pragma once

#include <cstddef>
#include <vector>

namespace vyre::bench {

class Copy {
 public:
  explicit Copy(std::size_t bytes) : from_(bytes / sizeof(float), 1.0F), to_(from_) {}
  void run();

 private:
  std::vector<float> from_, to_;
};

}  // namespace vyre::bench
