#include "worker/serve.h"

#include <optional>

#include "worker/message.h"
#include "worker/stock.h"

namespace vyre::worker {

void serve(Channel& channel) {
  bool there = true;
  Stock stock([&] { there = channel.send(encode(Answer{Started{}}), std::nullopt).has_value(); });
  while (there) {
    const auto bytes = channel.receive(max_message_bytes, std::nullopt);
    if (!bytes) return;
    const auto request = decode_request(*bytes);
    if (!request) return;
    if (!channel.send(encode(stock.answer(*request)), std::nullopt)) return;
  }
}

}  // namespace vyre::worker
