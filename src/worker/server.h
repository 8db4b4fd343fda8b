// The worker's side of the channel: a server holds the device, uploaded contents with their buffers
// and compiled kernels, and answers one request after the other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "vyre/device/device.h"
#include "worker/channel.h"
#include "worker/message.h"

namespace vyre::worker {

class Server {
 public:
  // `started` is called when the first launch of a run that asks for it has begun.
  explicit Server(std::function<void()> started) : started_(std::move(started)) {}

  [[nodiscard]] Answer answer(const Request& request);

 private:
  struct Upload {
    Data content;
    std::unique_ptr<device::Buffer> buffer;
  };
  struct Built {
    std::unique_ptr<device::Module> module;
    std::vector<std::unique_ptr<device::Kernel>> kernels;  // one for each stage
  };
  struct Bound {
    std::vector<device::Argument> arguments;
    Shape shape;
  };

  [[nodiscard]] Result<Answer> handle(const Open& request);
  [[nodiscard]] Result<Answer> handle(const Put& request);
  [[nodiscard]] Result<Answer> handle(const Drop& request);
  [[nodiscard]] Result<Answer> handle(const Build& request);
  [[nodiscard]] Result<Answer> handle(const Launch& request);
  [[nodiscard]] Result<Answer> handle(const Read& request);
  [[nodiscard]] static Result<Answer> handle(const List& request);
  [[nodiscard]] Result<std::vector<Bound>> bound(const Launch& request);
  [[nodiscard]] Result<void> restore(const Launch& request, Restore what);
  [[nodiscard]] Result<device::Timing> time(const Launch& request, const Built& built);

  std::function<void()> started_;
  std::unique_ptr<device::Device> device_;
  bool guards_ = true;
  std::map<Id, Upload> uploads_;
  std::vector<std::byte> read_;  // from a buffer, to be compared: what was allocated is used again
  std::map<Id, Built> kernels_;
};

// A worker's life: answers requests on its channel until the other end is gone.
void serve(Channel& channel);

}  // namespace vyre::worker
