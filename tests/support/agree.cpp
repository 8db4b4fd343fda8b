#include "support/agree.h"

#include <fmt/format.h>

#include <cstdlib>

#include "run/compare.h"

namespace vyre::testing {

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::vector<std::span<std::byte>> spans(Content& content) {
  return {content.begin(), content.end()};
}

Result<void> launch_on(device::Device& device, run::Executable& executable, Content& content) {
  std::vector<std::unique_ptr<device::Buffer>> owned;
  std::vector<device::Buffer*> buffers;
  for (const auto& bytes : content) {
    auto buffer = device.allocate(bytes.size());
    if (!buffer) return Unexpected(buffer.error());
    if (auto written = device.write(**buffer, bytes); !written) return written;
    buffers.push_back(buffer->get());
    owned.push_back(*std::move(buffer));
  }
  if (auto launched = executable.launch(buffers); !launched) return launched;
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (auto read = device.read(content[i], *buffers[i]); !read) return read;
  }
  return {};
}

std::optional<std::string> first_difference(const ir::Program& program, const Content& expected,
                                            const Content& got) {
  return first_difference(program, expected, got, run::ulp_bound(program));
}

std::optional<std::string> first_difference(const ir::Program& program, const Content& expected,
                                            const Content& got, std::uint64_t ulp_bound) {
  std::size_t i = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    if (const auto found = run::compare(buffer.element, expected[i], got[i], ulp_bound).first) {
      return fmt::format("{}[{}]: expected {}, got {}", buffer.name, found->index, found->expected,
                         found->got);
    }
    ++i;
  }
  return std::nullopt;
}

}  // namespace vyre::testing
