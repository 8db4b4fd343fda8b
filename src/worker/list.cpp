#include "worker/list.h"

#include <utility>

#include "worker/message.h"
#include "worker/place.h"
#include "worker/process.h"
#include "worker/scratch.h"

namespace vyre::worker {
namespace {

constexpr std::uint64_t max_listing_bytes = 1U << 24U;

ChannelResult<device::Listing> ask(Channel& channel, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  if (auto sent = channel.send(encode(Request{List{}}), deadline); !sent) {
    return Unexpected(sent.error());
  }
  const auto bytes = channel.receive(max_listing_bytes, deadline);
  if (!bytes) return Unexpected(bytes.error());
  auto answer = decode_answer(*bytes);
  auto* listed = answer ? std::get_if<Listed>(&*answer) : nullptr;
  if (listed == nullptr) {
    return Unexpected(ChannelError{ChannelError::Kind::garbage, "it is no list of devices"});
  }
  return std::move(listed->listing);
}

}  // namespace

Result<device::Listing> list(const Options& options) {
  auto program = find_program(options.program);
  if (!program) return Unexpected(program.error());
  const auto scratch = Scratch::make(options.scratch);
  if (!scratch) return Unexpected(scratch.error());
  auto process =
      Process::start(serve_command(*std::move(program), scratch->path().string(), options));
  if (!process) return Unexpected(process.error());
  auto listing = ask(process->channel(), options.start_limit);
  if (listing) return *std::move(listing);
  return fail(ErrorKind::no_device,
              process->lost(listing.error(), "listing the devices", options.start_limit));
}

}  // namespace vyre::worker
