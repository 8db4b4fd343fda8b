// What a worker holds for its parent: the device, contents with their buffers, kernels. Answers one
// request after the other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "vyre/device/device.h"
#include "worker/message.h"

namespace vyre::worker {

class Stock {
 public:
  // `started` is called when the first launch of a run that asks for it has begun.
  explicit Stock(std::function<void()> started) : started_(std::move(started)) {}

  [[nodiscard]] Answer answer(const Request& request);

 private:
  struct Item {
    Data content;
    std::unique_ptr<device::Buffer> buffer;
  };
  struct Built {
    std::unique_ptr<device::Module> module;
    std::unique_ptr<device::Kernel> kernel;
  };

  [[nodiscard]] Result<Answer> handle(const Open& request);
  [[nodiscard]] Result<Answer> handle(const Put& request);
  [[nodiscard]] Result<Answer> handle(const Drop& request);
  [[nodiscard]] Result<Answer> handle(const Build& request);
  [[nodiscard]] Result<Answer> handle(const Run& request);
  [[nodiscard]] Result<Answer> handle(const Read& request);
  [[nodiscard]] Result<std::vector<device::Argument>> arguments(const Run& request);
  [[nodiscard]] Result<void> restore(const Run& request, bool all);
  [[nodiscard]] Result<device::Timing> time(const Run& request, device::Kernel& kernel);

  std::function<void()> started_;
  std::unique_ptr<device::Device> device_;
  bool guards_ = true;
  std::map<Id, Item> items_;
  std::map<Id, Built> kernels_;
};

}  // namespace vyre::worker
