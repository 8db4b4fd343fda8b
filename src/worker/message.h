// What is asked of a worker and what it answers. docs/worker.md says who sends what when.
//
// Decoding trusts nothing: a worker whose memory a kernel wrote over may send any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "emit/emit.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "worker/job.h"
#include "worker/session.h"

namespace vyre::worker {

using Id = std::uint64_t;

inline constexpr std::uint64_t max_content_bytes = std::uint64_t{1} << 32U;
// No message is longer than the largest content and what stands around it.
inline constexpr std::uint64_t max_message_bytes = max_content_bytes + 65536;

// Requests. Ids are chosen by the parent and are never used twice in one worker.
struct Open {
  std::string device;
  bool guards = true;  // around every buffer
};
struct Put {  // content to be kept, and a buffer on the device that holds it
  Id id = 0;
  Data content;
  bool in_buffer = true;  // else it is only for comparison
};
struct Drop {  // content or a kernel
  Id id = 0;
};
struct Build {
  Id id = 0;
  std::string source, entry, options;
  std::vector<std::string> then = {};  // entries of what is launched after the first
};
struct BufferRef {  // an argument: content that was put, with what the kernel may do to it
  Id id = 0;
  Access access = Access::read;
};
// What gets its content again before the first launch; read_write buffers do before each.
enum class Restore : std::uint8_t { in_place, written, all };
struct LaunchStage {  // takes the buffers among the arguments, then these
  std::vector<Literal> scalars;
  Shape shape;
};
struct Launch {
  Id kernel = 0;
  std::vector<std::variant<BufferRef, Literal>> arguments;
  Shape shape;
  std::uint32_t launches = 1;
  Restore restore = Restore::in_place;
  bool announce = false;               // answer Started when the first launch has begun
  std::vector<LaunchStage> then = {};  // as many as were built
};
struct Read {
  Id id = 0;
  std::optional<Id> likely;  // content: if the buffer holds that, its bytes are not sent
};
struct List {};  // what devices there are; also before Open
using Request = std::variant<Open, Put, Drop, Build, Launch, Read, List>;

// Answers, besides the Content of a buffer.
struct Opened {
  device::Adapter adapter;
  Language language = Language::opencl_c;
};
struct Done {};
struct Started {};
struct Launched {
  device::Timing timing;  // of all launches
};
struct Failed {
  Error error;
};
struct Listed {
  device::Listing listing;
};
using Answer = std::variant<Opened, Done, Started, Launched, Content, Failed, Listed>;

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Answer& answer);

// Empty if the bytes are not exactly one message.
[[nodiscard]] std::optional<Request> decode_request(std::span<const std::byte> bytes);
[[nodiscard]] std::optional<Answer> decode_answer(std::span<const std::byte> bytes);

}  // namespace vyre::worker
