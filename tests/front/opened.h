// Contexts for tests: their own store or none, the worker that was built with the tests, and what
// they log.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/paths.h"
#include "support/subprocess.h"
#include "vyre/vyre.h"

namespace vyre::testing {

// The lines that contexts said, by any thread.
class Log {
 public:
  void add(std::string_view line) {
    const std::lock_guard guard(mutex_);
    lines_.emplace_back(line);
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    const std::lock_guard guard(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

// Nothing is searched and nothing is remembered, unless a test says so.
inline ContextOptions quiet(const std::shared_ptr<Log>& log = std::make_shared<Log>()) {
  ContextOptions options;
  options.mode = tune::Mode::stored;
  options.store = "none";
  options.log = [log](std::string_view line) { log->add(line); };
  options.worker.program = paths::worker;
  return options;
}

// Searches at a first call, shortly, and remembers in `directory`.
inline ContextOptions searching(const std::filesystem::path& directory) {
  auto options = quiet();
  options.mode = tune::Mode::natural;
  options.store = directory.string();
  options.search = {.evaluations = 3, .time = std::chrono::minutes(10)};
  return options;
}

inline Context opened(ContextOptions options = quiet()) {
  auto context = Context::open(std::move(options));
  if (!context) throw std::runtime_error(to_string(context.error()));
  return *std::move(context);
}

// The value; throws, which fails the test, with the reason if there is none.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return *std::move(result);
}

inline Context opened_on(const std::string& device) {
  auto options = quiet();
  options.device = device;
  return opened(std::move(options));
}

// What `use` calls first is searched for once, and found by the next context.
template <class Use>
void expect_searched_once(const Use& use) {
  const TemporaryDirectory directory;
  for (const char* how : {"tunings: 1", "decisions that fit exactly: 1"}) {
    const Context gpu = opened(searching(directory.path()));
    use(gpu);
    EXPECT_NE(gpu.stats().find(how), std::string::npos) << gpu.stats();
  }
}

inline constexpr const char* scale_text = R"(program scale {
  uniform n: u32 = 4
  uniform factor: f32 = 2.0
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  y[invocation.x] = x[invocation.x] * factor
}
)";

inline constexpr const char* add_one_text = R"(program add_one {
  uniform n: u32 = 4
  buffer x: u32[n] read_write
  grid n
  x[invocation.x] = x[invocation.x] + 1
}
)";

}  // namespace vyre::testing
