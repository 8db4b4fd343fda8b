// Any bytes as a message of a worker: read or refused, without harm. What is read and written again
// is the same message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "worker/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre::worker;
  const auto bytes = std::as_bytes(std::span(data, size));
  if (const auto answer = decode_answer(bytes)) {
    if (!decode_answer(encode(*answer))) std::abort();
  }
  if (const auto request = decode_request(bytes)) {
    if (!decode_request(encode(*request))) std::abort();
  }
  return 0;
}
