// A worker process as its parent sees it: started, talked to over a channel, killed, reaped.
//
// It is another program, not a fork: the parent may have threads and may have used OpenCL itself.
// It gets no descriptor of the parent but its channel, and is alone in its process group, so that a
// linker it may have started dies with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/worker/options.h"
#include "worker/channel.h"

namespace vyre::worker {

// The descriptor at which a worker finds its end of the channel.
inline constexpr int channel_descriptor = 3;

// Where PoCL keeps what it compiled.
inline constexpr const char* cache_variable = "POCL_CACHE_DIR=";

// What waitpid says of a process: "was killed by signal 11 (Segmentation fault)", "ended with
// status 1".
[[nodiscard]] std::string how_it_ended(int status);

struct Command {
  std::vector<std::string> words;        // the program and its arguments
  std::vector<std::string> environment;  // NAME=VALUE, replacing what the parent has
};

// The program as a worker whose driver keeps its files in `scratch`, unless the environment of the
// options says another place.
[[nodiscard]] Command serve_command(std::string program, const std::string& scratch,
                                    const Options& options);

class Process {
 public:
  [[nodiscard]] static Result<Process> start(const Command& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  // Kills and reaps it.
  ~Process();

  [[nodiscard]] Channel& channel() { return channel_; }
  [[nodiscard]] pid_t id() const { return id_; }
  // That it has used so far; 0 if it has ended.
  [[nodiscard]] std::chrono::nanoseconds cpu_time() const;
  // Lets it and what it started stand still, or go on.
  void stand_still(bool still);
  // What it wrote to standard error; at most the first 64 KiB are kept.
  [[nodiscard]] std::string log() const;
  // Ends it, if it does not end within the grace, and says how it ended by itself; "" if it did
  // not.
  std::string end(std::chrono::milliseconds grace = {});
  // Ends it after its channel failed, and says what that was, with its log. `doing` is what it was
  // asked for, and `limit` how long that was allowed to take.
  [[nodiscard]] std::string lost(const ChannelError& error, std::string_view doing,
                                 std::chrono::milliseconds limit);

 private:
  Process(pid_t id, Channel channel, int log) : id_(id), channel_(std::move(channel)), log_(log) {}

  pid_t id_ = -1;
  Channel channel_;
  int log_ = -1;
  bool still_ = false;
};

}  // namespace vyre::worker
