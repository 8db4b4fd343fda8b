// A worker that opens its device and then misbehaves at the first kernel, as FAKE_WORKER says; or
// one that follows FAKE_WORKER_SCRIPT.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "worker/fake/scripted.h"
#include "worker/message.h"
#include "worker/process.h"
#include "worker/server.h"
#include "worker/watchdog.h"

namespace {

using namespace vyre::worker;

void send_raw(const void* bytes, std::size_t count) {
  if (::send(channel_descriptor, bytes, count, MSG_NOSIGNAL) < 0) _exit(9);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

[[noreturn]] void misbehave(std::string_view how, Channel& channel) {
  constexpr std::uint64_t magic = 0x314b'5257'4552'5956;
  if (how == "garbage") {
    send_raw("this is not what you wanted to hear, nor what you asked for", 59);
  } else if (how == "huge") {
    const std::uint64_t header[] = {magic, ~std::uint64_t{0}};
    send_raw(header, sizeof header);
  } else if (how == "half") {
    const std::uint64_t header[] = {magic, 100};
    send_raw(header, sizeof header);
    send_raw("half", 4);
    close(channel_descriptor);
  } else if (how == "other") {
    (void)channel.send(encode(Answer{Launched{}}), std::nullopt);
  } else if (how == "close") {
    close(channel_descriptor);
  } else if (how == "exit") {
    _exit(3);
  } else if (how == "abort") {
    (void)!write(STDERR_FILENO, "LLVM ERROR: out of ideas\n", 25);
    std::abort();
  }
  sleep_for_ever();
}

// The second worker finds the file that the first one made.
bool is_second(const char* file) {
  if (file == nullptr) return false;
  const bool there = std::ifstream(file).good();
  std::ofstream(file) << "started\n";
  return there;
}

}  // namespace

int main() {
  const bool unplugged = is_second(std::getenv("FAKE_WORKER_UNPLUGGED"));
  Channel channel(channel_descriptor);
  if (const char* script = std::getenv("FAKE_WORKER_SCRIPT")) {
    die_with_parent(channel_descriptor, "");
    vyre::testing::serve_script(channel, script);
  }
  const char* how = std::getenv("FAKE_WORKER");
  const auto open = channel.receive(max_message_bytes, std::nullopt);
  if (!open) return 1;
  if (std::strcmp(how, "dead") == 0) return 4;
  if (unplugged) {
    (void)channel.send(encode(Answer{Failed{{vyre::ErrorKind::no_device, "no such device"}}}), {});
    sleep_for_ever();
  }
  (void)channel.send(encode(Answer{Opened{{.kind = "opencl", .name = "fake"}, {}}}), std::nullopt);
  if (!channel.receive(max_message_bytes, std::nullopt)) return 1;
  misbehave(how, channel);
}
