#include "cli/run_tuned.h"

#include <fmt/format.h>

#include <memory>

#include "cli/print.h"
#include "cli/store_files.h"
#include "vyre/tune/tuned.h"

namespace vyre::cli {
namespace {

struct DeviceBuffers {
  std::vector<std::unique_ptr<device::Buffer>> owned;
  std::vector<device::Buffer*> pointers;
};

Result<DeviceBuffers> copy_in(device::Device& device, RunInputs& inputs) {
  DeviceBuffers buffers;
  for (const auto bytes : inputs.spans()) {
    auto buffer = device.allocate(bytes.size());
    if (!buffer) return Unexpected(buffer.error());
    if (auto written = device.write(**buffer, bytes); !written) {
      return Unexpected(written.error());
    }
    buffers.pointers.push_back(buffer->get());
    buffers.owned.push_back(*std::move(buffer));
  }
  return buffers;
}

Result<void> copy_out(device::Device& device, const DeviceBuffers& buffers, RunInputs& inputs) {
  const auto spans = inputs.spans();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (inputs.buffers()[i].declared->access == Access::read) continue;
    if (auto read = device.read(spans[i], *buffers.pointers[i]); !read) return read;
  }
  return {};
}

tune::Mode mode_of(const Environment& environment) {
  const auto choice = tune::mode_of(environment.autotuner);
  if (!choice.warning.empty()) print_message("vyre: {}\n", choice.warning);
  return choice.mode;
}

std::string status_speedup_text(const tune::Status& status) {
  if (status.speedup == 1) return {};
  const char* where = status.origin == tune::Origin::nearest_size    ? " at that size"
                      : status.origin == tune::Origin::other_adapter ? " there"
                                                                     : "";
  return fmt::format(", {:.2f} times the default{}", status.speedup, where);
}

std::string text_of(const tune::Status& status) {
  return fmt::format("{}: {}{}", to_string(status.origin), status.configuration,
                     status_speedup_text(status));
}

}  // namespace

Result<std::string> run_tuned(device::Device& device, const ir::Program& program, RunInputs& inputs,
                              bool stats, const Environment& environment) {
  store::Store store(store_directory(environment), store::owner_of(device.adapter()));
  for (const std::string& problem : store.problems()) print_message("vyre: {}\n", problem);
  tune::Counters counters;
  auto tuned =
      tune::Tuned::make(device, program, inputs.uniforms(),
                        {.mode = mode_of(environment), .store = &store, .counters = &counters});
  if (!tuned) return Unexpected(tuned.error());
  const auto buffers = copy_in(device, inputs);
  if (!buffers) return Unexpected(buffers.error());
  if (auto ran = tuned->dispatch(buffers->pointers); !ran) return Unexpected(ran.error());
  if (auto read = copy_out(device, *buffers, inputs); !read) return Unexpected(read.error());
  if (const std::string problem = tuned->problem(); !problem.empty()) {
    print_message("vyre: {}\n", problem);
  }
  if (stats) write_message(to_string(counters.read()));
  return text_of(tuned->status());
}

}  // namespace vyre::cli
