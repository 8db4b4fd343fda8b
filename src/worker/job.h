// What a worker process is asked to run: source text for a device's compiler, its arguments with
// their content, and a launch shape. It may be a program of vyre's that was emitted or a kernel
// that somebody wrote.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "vyre/base/launch.h"

namespace vyre::worker {

// The content of a buffer before a launch. Kernels that share it share one copy in the worker.
using Data = std::shared_ptr<const std::vector<std::byte>>;

[[nodiscard]] inline Data data(std::vector<std::byte> content) {
  return std::make_shared<const std::vector<std::byte>>(std::move(content));
}

// A buffer argument. What the kernel may write (`write`, `read_write`) starts from `content`;
// `read_write` is restored before every timed launch, all of it before a launch that is verified.
struct BufferArgument {
  Data content;
  Access access = Access::read;
};

// A bool is passed as one byte.
using Argument = std::variant<BufferArgument, Literal>;

// A kernel of the same source that is launched after the first: it takes all buffers of that, and
// then these scalars.
struct JobStage {
  std::string entry;
  std::vector<Literal> scalars;
  Shape shape;
};

struct Job {
  std::string source;
  std::string entry;
  std::string options;  // for the compiler, after the device's own
  std::vector<Argument> arguments;
  Shape shape;
  std::vector<JobStage> then = {};
};

}  // namespace vyre::worker
