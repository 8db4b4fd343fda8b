// isolation_added_ms: restoring two buffers of 256 KiB, running a kernel and reading both back, in
// the worker process against the same in this process. worker_restart_ms: from the end of a worker
// until its replacement has compiled the kernel from the warm cache and run it.
#include <fmt/format.h>

#include "bench.h"
#include "vyre/device/device.h"
#include "worker_kernels.h"

namespace vyre::bench {
namespace {

constexpr std::uint32_t elements = 1U << 16U;

// The same kernel and buffers on a device of this process.
class InProcess {
 public:
  Result<void> prepare(const worker::Job& kernel) {
    auto device = device::open("opencl");
    if (!device) return Unexpected(device.error());
    device_ = *std::move(device);
    auto module = device_->compile(kernel.source);
    if (!module) return Unexpected(module.error());
    module_ = *std::move(module);
    auto made = module_->kernel(kernel.entry);
    if (!made) return Unexpected(made.error());
    kernel_ = *std::move(made);
    shape_ = kernel.shape;
    for (const worker::Argument& argument : kernel.arguments) {
      if (const auto* literal = std::get_if<Literal>(&argument)) {
        arguments_.emplace_back(*literal);
        continue;
      }
      contents_.push_back(std::get<worker::BufferArgument>(argument).content);
      auto buffer = device_->allocate(contents_.back()->size());
      if (!buffer) return Unexpected(buffer.error());
      arguments_.emplace_back(buffers_.emplace_back(*std::move(buffer)).get());
    }
    return {};
  }

  Result<void> run() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (auto done = device_->write(*buffers_[i], *contents_[i]); !done) return done;
    }
    if (auto done = device_->time(*kernel_, arguments_, shape_); !done) {
      return Unexpected(done.error());
    }
    for (const auto& buffer : buffers_) {
      std::vector<std::byte> bytes(buffer->bytes());
      if (auto done = device_->read(bytes, *buffer); !done) return done;
    }
    return {};
  }

 private:
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Module> module_;
  std::unique_ptr<device::Kernel> kernel_;
  std::vector<worker::Data> contents_;
  std::vector<std::unique_ptr<device::Buffer>> buffers_;
  std::vector<device::Argument> arguments_;
  Shape shape_;
};

Result<Row> added(worker::Session& session, worker::KernelId id, InProcess& in_process) {
  std::vector<double> differences;
  std::vector<double> own;
  bool failed = false;
  for (int round = 0; round < 200; ++round) {
    const auto here = [&] { failed = failed || !in_process.run(); };
    const auto there = [&] { failed = failed || !session.run(id); };
    double ours = 0;
    if (round % 2 == 0) ours = wall_ns(here);
    const double theirs = wall_ns(there);
    if (round % 2 == 1) ours = wall_ns(here);
    differences.push_back((theirs - ours) / 1e6);
    own.push_back(ours / 1e6);
  }
  if (failed) return fail(ErrorKind::device, "a run failed");
  return Row{
      .name = "isolation_added_ms",
      .value = median(differences),
      .target = 1,
      .better = Better::lower,
      .baseline = "the same work in process",
      .note = fmt::format("in process {:.3f} ms, 512 KiB restored and read back", median(own))};
}

Result<Row> restart(worker::Session& session, worker::KernelId id) {
  std::vector<double> times;
  bool failed = false;
  for (int round = 0; round < 15; ++round) {
    session.renew();
    times.push_back(wall_ns([&] { failed = failed || !session.time(id); }) / 1e6);
  }
  if (failed) return fail(ErrorKind::device, "a run failed");
  return Row{.name = "worker_restart_ms",
             .value = median(times),
             .target = 300,
             .better = Better::lower,
             .baseline = "fixed time",
             .note = "until a kernel that was compiled before has run again"};
}

Result<std::vector<Row>> measure() {
  const worker::Job kernel = chain(elements, 20);
  auto session = worker::Session::start(bench_worker());
  if (!session) return Unexpected(session.error());
  const auto id = session->build(kernel);
  if (!id) return Unexpected(id.error());
  InProcess in_process;
  if (auto ready = in_process.prepare(kernel); !ready) return Unexpected(ready.error());
  for (int i = 0; i < 5; ++i) {
    if (auto ran = in_process.run(); !ran) return Unexpected(ran.error());
    if (auto ran = session->run(*id); !ran) return Unexpected(ran.error());
  }
  const auto first = added(*session, *id, in_process);
  if (!first) return Unexpected(first.error());
  const auto second = restart(*session, *id);
  if (!second) return Unexpected(second.error());
  return std::vector<Row>{*first, *second};
}

}  // namespace

Benchmark isolation_cost() { return {{"isolation_added_ms", "worker_restart_ms"}, measure}; }

}  // namespace vyre::bench
