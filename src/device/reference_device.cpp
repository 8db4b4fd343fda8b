#include "device/reference_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/clock.h"
#include "device/launch_shape.h"
#include "device/part.h"
#include "device/reference_kernel.h"
#include "device/reference_queue.h"
#include "ir/lexer.h"
#include "vyre/ir/text.h"

namespace vyre::device {
namespace {

class ReferenceModule final : public Module {
 public:
  explicit ReferenceModule(std::vector<ir::Program> programs) : programs_(std::move(programs)) {}

  [[nodiscard]] Result<std::unique_ptr<Kernel>> kernel(std::string_view entry) override {
    const auto found = std::ranges::find(programs_, entry, &ir::Program::name);
    if (found != programs_.end()) return std::make_unique<ReferenceKernel>(*found);
    std::vector<std::string> names;
    for (const ir::Program& program : programs_) names.push_back(program.name);
    return fail(ErrorKind::input, fmt::format("there is no kernel '{}' in the source; it has: {}",
                                              entry, fmt::join(names, ", ")));
  }

 private:
  std::vector<ir::Program> programs_;
};

// One line per problem, placed in the whole source.
std::string log_of(Problems problems, std::uint32_t first_line) {
  std::string log;
  for (Error& problem : problems) {
    if (problem.place.known()) problem.place.line += first_line - 1;
    log += to_string(problem) + "\n";
  }
  return log;
}

class ReferenceDevice final : public Device {
 public:
  [[nodiscard]] const Adapter& adapter() const override { return adapter_; }
  [[nodiscard]] Language language() const override { return Language::vy; }
  [[nodiscard]] Result<std::unique_ptr<Module>> compile(const std::string& source,
                                                        const std::string& options) override;
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override;
  [[nodiscard]] Result<std::unique_ptr<Buffer>> allocate_guarded(std::size_t bytes) override {
    return allocate(bytes);
  }
  [[nodiscard]] Result<std::optional<Touched>> check_guards(Buffer& /*buffer*/) override {
    return std::nullopt;
  }
  [[nodiscard]] Result<std::unique_ptr<Buffer>> slice(Buffer& whole, std::size_t offset,
                                                      std::size_t bytes) override;
  [[nodiscard]] Result<std::unique_ptr<Queue>> make_queue(const QueueOptions& options) override {
    return make_reference_queue(*this, options.timed);
  }
  [[nodiscard]] Result<void> write(Buffer& to, std::span<const std::byte> from) override;
  [[nodiscard]] Result<void> read(std::span<std::byte> to, const Buffer& from) override;
  [[nodiscard]] Result<void> launch(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape) override;
  [[nodiscard]] Result<Timing> time(Kernel& kernel, std::span<const Argument> arguments,
                                    const Shape& shape, const TimeOptions& options) override;

 private:
  Adapter adapter_ = reference_adapter();
};

Result<std::unique_ptr<Module>> ReferenceDevice::compile(const std::string& source,
                                                         const std::string& /*options*/) {
  std::vector<ir::Program> programs;
  std::string log;
  for (const ProgramText& piece : program_texts(source)) {
    auto program = ir::parse(piece.text);
    if (program) {
      programs.push_back(*std::move(program));
    } else {
      log += log_of(program.error().all(), piece.first_line);
    }
  }
  if (log.empty() && programs.empty()) log = "it holds no program\n";
  if (!log.empty()) {
    return fail(ErrorKind::compile, "the reference device cannot read the source:\n" + log);
  }
  return std::make_unique<ReferenceModule>(std::move(programs));
}

Result<std::unique_ptr<Buffer>> ReferenceDevice::allocate(std::size_t bytes) {
  if (bytes > adapter_.limits.max_buffer_bytes) {
    return fail(ErrorKind::limit,
                fmt::format("a buffer of {} bytes is too large: {} is the most in one buffer",
                            bytes, adapter_.limits.max_buffer_bytes));
  }
  try {
    return std::make_unique<ReferenceBuffer>(bytes);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::device, fmt::format("the host has no memory for {} bytes", bytes));
  }
}

Result<std::unique_ptr<Buffer>> ReferenceDevice::slice(Buffer& whole, std::size_t offset,
                                                       std::size_t bytes) {
  VYRE_CHECK(check_part({&whole, offset, bytes}));
  auto* own = dynamic_cast<ReferenceBuffer*>(&whole);
  if (own == nullptr) {
    return fail(ErrorKind::input, "the buffer belongs to another device than the reference");
  }
  return std::make_unique<ReferenceBuffer>(*own, offset, bytes);
}

// The content of a buffer of this kind, of the length of the host memory.
Result<ReferenceBuffer*> own_for_copy(Buffer& buffer, std::size_t host_bytes) {
  auto* own = dynamic_cast<ReferenceBuffer*>(&buffer);
  if (own == nullptr) {
    return fail(ErrorKind::input, "the buffer belongs to another device than the reference");
  }
  if (own->bytes() != host_bytes) {
    return fail(ErrorKind::input, fmt::format("the buffer has {} bytes and the host memory {}",
                                              own->bytes(), host_bytes));
  }
  return own;
}

Result<void> ReferenceDevice::write(Buffer& to, std::span<const std::byte> from) {
  const auto own = own_for_copy(to, from.size());
  if (!own) return Unexpected(own.error());
  std::ranges::copy(from, (*own)->content().begin());
  return {};
}

Result<void> ReferenceDevice::read(std::span<std::byte> to, const Buffer& from) {
  const auto own = own_for_copy(const_cast<Buffer&>(from), to.size());
  if (!own) return Unexpected(own.error());
  std::ranges::copy((*own)->content(), to.begin());
  return {};
}

Result<void> ReferenceDevice::launch(Kernel& kernel, std::span<const Argument> arguments,
                                     const Shape& shape) {
  auto* own = dynamic_cast<ReferenceKernel*>(&kernel);
  if (own == nullptr) {
    return fail(ErrorKind::input, "the kernel belongs to another device than the reference");
  }
  if (auto legal = check_shape(shape, adapter_.limits); !legal) return legal;
  return own->run(arguments, shape);
}

Result<Timing> ReferenceDevice::time(Kernel& kernel, std::span<const Argument> arguments,
                                     const Shape& shape, const TimeOptions& options) {
  using Clock = std::chrono::steady_clock;
  if (options.started) options.started();
  const std::uint64_t cpu = process_cpu_ns();
  const auto begin = Clock::now();
  for (std::uint32_t i = 0; i < options.launches; ++i) {
    if (auto ran = launch(kernel, arguments, shape); !ran) return Unexpected(ran.error());
  }
  const auto wall = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  const auto ns = static_cast<std::uint64_t>(wall.count());
  return Timing{.device_ns = ns, .wall_ns = ns, .cpu_ns = process_cpu_ns() - cpu};
}

}  // namespace

Adapter reference_adapter() {
  // The limits are the language's own: the definition of the IR runs whatever the IR allows.
  constexpr std::uint32_t most = 1U << 31U;
  return {
      .kind = "reference",
      .platform = "vyre",
      .vendor = "vyre",
      .name = "reference",
      .driver = "interpreter 1",
      .is_cpu = true,
      .limits = {.max_workgroup = most,
                 .max_workgroup_dims = {most, most, most},
                 .shared_bytes = std::uint64_t{1} << 30U,
                 .max_buffer_bytes = std::uint64_t{1} << 35U,
                 .compute_units = 1,
                 .preferred_multiple = 1,
                 .has_f64 = true},
  };
}

std::unique_ptr<Device> open_reference() { return std::make_unique<ReferenceDevice>(); }

std::vector<ProgramText> program_texts(std::string_view source) {
  std::vector<ProgramText> pieces;
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::uint32_t line = 1;
  const auto cut = [&](std::size_t end) {
    const std::string_view piece = source.substr(begin, end - begin);
    pieces.push_back({piece, line});
    line += static_cast<std::uint32_t>(std::ranges::count(piece, '\n'));
    begin = end;
  };
  ir::Lexer lexer(source);
  bool open = false;  // a piece has begun
  for (auto token = lexer.next(); token.kind != ir::TokenKind::end; token = lexer.next()) {
    open = true;
    if (token.kind != ir::TokenKind::sign) continue;
    if (token.text == "{") ++depth;
    if (token.text == "}" && depth > 0 && --depth == 0) {
      cut(static_cast<std::size_t>(token.text.data() - source.data()) + 1);
      open = false;
    }
  }
  if (open) cut(source.size());
  return pieces;
}

}  // namespace vyre::device
