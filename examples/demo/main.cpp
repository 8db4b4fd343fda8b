// The demo: runs each program given on the interpreter and on the machine's OpenCL device, compares
// what they computed, and prints a table.
#include <fmt/format.h>
#include <vyre/device/device.h>
#include <vyre/ir/text.h>
#include <vyre/run/run.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "run/compare.h"
#include "run/data.h"

namespace {

using Content = std::vector<std::vector<std::byte>>;

struct Line {
  std::string program;
  std::uint64_t elements = 0;  // of all global buffers
  double interpreter_ms = 0;
  double device_ms = 0;
  std::string agreement;
  bool agrees = false;
};

std::vector<std::span<std::byte>> spans(Content& content) {
  return {content.begin(), content.end()};
}

// Random inputs; the same for both devices and in every run.
vyre::Result<Content> make_inputs(const vyre::ir::Program& program) {
  Content content;
  for (const vyre::ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == vyre::ir::Memory::shared) continue;
    const auto count = vyre::ir::evaluate_size(program, buffer.count);
    if (!count) return vyre::Unexpected(count.error());
    const bool is_output = buffer.access == vyre::Access::write;
    auto bytes = vyre::run::make_data(is_output ? "fill:0" : "random:1", buffer.element, *count);
    if (!bytes) return vyre::Unexpected(bytes.error());
    content.push_back(*std::move(bytes));
  }
  return content;
}

void compare(const vyre::ir::Program& program, const Content& expected, const Content& got,
             Line& line) {
  std::uint64_t worst = 0;
  std::size_t i = 0;
  for (const vyre::ir::Buffer& buffer : program.buffers) {
    if (buffer.memory == vyre::ir::Memory::shared) continue;
    line.elements += expected[i].size() / vyre::storage_bytes(buffer.element);
    const auto c = vyre::run::compare(buffer.element, expected[i], got[i]);
    worst = std::max(worst, c.worst_ulp);
    if (c.first) {
      line.agreement = fmt::format("{}[{}]: expected {}, got {}", buffer.name, c.first->index,
                                   c.first->expected, c.first->got);
      return;
    }
    ++i;
  }
  line.agrees = true;
  line.agreement = worst == 0 ? "identical" : fmt::format("within {} ulp", worst);
}

// The first launch compiles for its workgroup and fills the caches; the median of some more is
// shown.
vyre::Result<double> device_ms(vyre::device::Device& device, const vyre::run::Request& request,
                               Content& content) {
  auto executable = vyre::run::compile(device, request);
  if (!executable) return vyre::Unexpected(executable.error());
  std::vector<std::unique_ptr<vyre::device::Buffer>> owned;
  std::vector<vyre::device::Buffer*> buffers;
  for (const auto& bytes : content) {
    auto buffer = device.allocate(bytes.size());
    if (!buffer) return vyre::Unexpected(buffer.error());
    buffers.push_back(buffer->get());
    owned.push_back(*std::move(buffer));
  }
  std::vector<std::uint64_t> times;
  for (int round = 0; round < 8; ++round) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (auto done = device.write(*buffers[i], content[i]); !done) {
        return vyre::Unexpected(done.error());
      }
    }
    const auto timing = executable->time(buffers);
    if (!timing) return vyre::Unexpected(timing.error());
    if (round > 0) times.push_back(timing->device_ns);
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (auto done = device.read(content[i], *buffers[i]); !done) {
      return vyre::Unexpected(done.error());
    }
  }
  std::ranges::sort(times);
  return static_cast<double>(times[times.size() / 2]) / 1e6;
}

vyre::Result<Line> run(const std::string& path, vyre::device::Device& device) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto program = vyre::ir::parse(text);
  if (!program) return vyre::Unexpected(program.error());
  const auto inputs = make_inputs(*program);
  if (!inputs) return vyre::Unexpected(inputs.error());

  Line line{.program = program->name};
  Content expected = *inputs;
  const auto start = std::chrono::steady_clock::now();
  if (auto ran = vyre::interpret::run(*program, {}, spans(expected)); !ran) {
    return vyre::Unexpected(ran.error());
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  line.interpreter_ms = took.count();

  Content got = *inputs;
  const auto ms = device_ms(device, {*program, {}}, got);
  if (!ms) return vyre::Unexpected(ms.error());
  line.device_ms = *ms;
  compare(*program, expected, got, line);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  auto device = vyre::device::open("opencl");
  if (!device) {
    fmt::print(stderr, "demo: {}\n", to_string(device.error()));
    return 3;
  }
  const vyre::device::Adapter& adapter = (*device)->adapter();
  fmt::print("device: {} ({}), {} compute units\n\n", adapter.name, adapter.platform,
             adapter.limits.compute_units);
  fmt::print("{:<12} {:>10} {:>15} {:>12}   {}\n", "program", "elements", "interpreter", "device",
             "agreement");
  int agree = 0;
  for (int i = 1; i < argc; ++i) {
    const auto line = run(argv[i], **device);
    if (!line) {
      fmt::print(stderr, "demo: {}: {}\n", argv[i], to_string(line.error()));
      continue;
    }
    fmt::print("{:<12} {:>10} {:>12.2f} ms {:>9.3f} ms   {}\n", line->program, line->elements,
               line->interpreter_ms, line->device_ms, line->agreement);
    std::fflush(stdout);
    agree += line->agrees ? 1 : 0;
  }
  fmt::print("\n{} of {} programs agree with the interpreter\n", agree, argc - 1);
  return agree == argc - 1 ? 0 : 1;
}
