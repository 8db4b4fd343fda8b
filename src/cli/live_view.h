// What a person sees of live tuning: a picture that is redrawn on a terminal, else a line now and
// then, when something happened.
#pragma once

#include <chrono>
#include <string>

#include "vyre/tune/live_status.h"

namespace vyre::cli {

struct LiveMoment {
  tune::LiveStatus status;
  std::chrono::nanoseconds elapsed{};
  std::chrono::nanoseconds first_call{};  // of that, until it returned
  double rate = 0;                        // dispatches per second, lately
  double first_rate = 0;                  // at the beginning
};

// "  3.0 s  1234 dispatches/s, 2.3 times as it is; wg_x=8 vector=16, ...": one line.
[[nodiscard]] std::string line_of(const LiveMoment& moment);
// The line, and below it a bar for each member that is in turn or was the best.
[[nodiscard]] std::string picture_of(const LiveMoment& moment, std::size_t width);
// What came of it.
[[nodiscard]] std::string summary_of(const LiveMoment& moment);
// The same for programs, with the configuration that ran at the end.
[[nodiscard]] std::string json_of(const LiveMoment& moment, const std::string& configuration);

// Shows moments on standard error.
class LiveView {
 public:
  explicit LiveView(bool terminal) : terminal_(terminal) {}
  void show(const LiveMoment& moment);

 private:
  bool terminal_;
  std::size_t drawn_ = 0;  // lines of the picture before
  std::string last_;       // what the last line said of the members
  std::chrono::nanoseconds last_at_{-1};
};

}  // namespace vyre::cli
