// vyre inside a C++ program: one program as text, run on the interpreter and on the default device.
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/device/device.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"

namespace {

constexpr std::string_view saxpy = R"(
program saxpy {
  uniform n: u32 = 1000
  uniform a: f32 = 2.0
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n

  let i = invocation.x
  y[i] = fma(a, x[i], y[i])
}
)";

std::span<std::byte> bytes_of(std::vector<float>& values) {
  return std::as_writable_bytes(std::span(values));
}

// y after one launch on the device named.
vyre::Result<std::vector<float>> run_on(std::string_view which, const vyre::run::Request& request) {
  auto device = vyre::device::open(which);
  if (!device) return vyre::Unexpected(device.error());

  std::vector<float> x(1000, 0.0F);
  std::vector<float> y(1000, 1.0F);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);

  const std::array buffers = {bytes_of(x), bytes_of(y)};  // in the order of declaration
  const auto timing = vyre::run::once(**device, request, buffers);
  if (!timing) return vyre::Unexpected(timing.error());
  std::printf("%-40s y[10] = %g\n", (*device)->adapter().name.c_str(), static_cast<double>(y[10]));
  return y;
}

int stop(const std::string& why) {
  std::fprintf(stderr, "embed: %s\n", why.c_str());
  return 1;
}

}  // namespace

int main() {
  const auto program = vyre::ir::parse(saxpy);
  if (!program) return stop(to_string(program.error()));

  const vyre::run::Request request{*program, {}};
  const auto expected = run_on("reference", request);
  if (!expected) return stop(to_string(expected.error()));
  const auto computed = run_on("default", request);
  if (!computed) return stop(to_string(computed.error()));

  // fma rounds once on every device, so the two agree in every bit.
  if (*expected != *computed) return stop("the device and the interpreter disagree");
  std::printf("the same %zu values on both\n", computed->size());
}
