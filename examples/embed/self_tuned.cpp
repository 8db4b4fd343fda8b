// A program that tunes itself: the first dispatch searches and stores its decision in the directory
// given, the next run finds it there. VYRE_AUTOTUNER=off measures nothing.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "vyre/device/device.h"
#include "vyre/ir/text.h"
#include "vyre/store/store.h"
#include "vyre/tune/tuned.h"

namespace {

constexpr const char* squares = R"(
program squares {
  buffer x: f32[65536] read
  buffer y: f32[65536] write
  grid 65536
  let i = invocation.x
  y[i] = x[i] * x[i]
}
)";

int stop(const vyre::Error& error) {
  std::fprintf(stderr, "self_tuned: %s\n", to_string(error).c_str());
  return 1;
}

vyre::tune::Mode mode() {
  const char* word = std::getenv("VYRE_AUTOTUNER");
  return vyre::tune::mode_of(word == nullptr ? std::nullopt : std::optional<std::string_view>(word))
      .mode;
}

}  // namespace

int main(int argc, char** argv) {
  const auto program = vyre::ir::parse(squares);
  if (!program) return stop(program.error());
  const auto device = vyre::device::open("default");
  if (!device) return stop(device.error());
  vyre::store::Store store(argc > 1 ? argv[1] : "decisions",
                           vyre::store::owner_of((*device)->adapter()));
  auto tuned = vyre::Tuned::make(**device, *program, {}, {.mode = mode(), .store = &store});
  if (!tuned) return stop(tuned.error());

  const std::vector<float> three(65536, 3.0F);
  const auto x = (*device)->allocate(three.size() * sizeof(float));
  const auto y = (*device)->allocate(three.size() * sizeof(float));
  if (!x || !y) return stop((x ? y : x).error());
  if (auto done = (*device)->write(**x, std::as_bytes(std::span(three))); !done) {
    return stop(done.error());
  }
  const std::array buffers = {x->get(), y->get()};
  for (int i = 0; i < 1000; ++i) {
    if (auto done = tuned->dispatch(buffers); !done) return stop(done.error());
  }
  std::vector<float> nine(three.size());
  if (auto done = (*device)->read(std::as_writable_bytes(std::span(nine)), **y); !done) {
    return stop(done.error());
  }
  const auto status = tuned->status();
  std::printf("squares: %s, %s, y[7] = %g\n", to_string(status.origin).data(),
              status.configuration.c_str(), static_cast<double>(nine[7]));
  if (!tuned->problem().empty()) std::fprintf(stderr, "%s\n", tuned->problem().c_str());
  return nine[7] == 9.0F ? 0 : 1;
}
