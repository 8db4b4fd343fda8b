// A million numbers added up by a primitive of the layer below, laid out as
// `vyre tune --primitive reduce:1048576` decided on this device, or as is usual on it.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "vyre/device/device.h"
#include "vyre/primitives/everyday.h"
#include "vyre/tune/stored_primitives.h"

constexpr std::uint32_t n = 1048576;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

vyre::Result<void> run() {
  VYRE_TRY(const auto device, vyre::device::open("default"));
  const auto directory = vyre::store::directory(variable("XDG_CACHE_HOME"), variable("HOME"));
  const vyre::store::Store store(directory, vyre::store::owner_of(device->adapter()));
  vyre::tune::Counters counters;
  const vyre::tune::StoredPrimitives decisions(store, &counters);

  VYRE_TRY(auto total, vyre::primitives::reduce(*device, {.n = n, .decisions = &decisions}));
  const std::vector<float> x(n, 0.5F);
  float sum = 0;
  VYRE_CHECK(total({x}, std::span(&sum, 1)));

  std::printf("%g\n%s", sum, to_string(counters.read()).c_str());  // a decision was exact, or none
  for (const std::string& problem : decisions.problems()) std::printf("%s\n", problem.c_str());
  if (sum == 0.5F * n) return {};
  return vyre::fail(vyre::ErrorKind::run, "it is " + std::to_string(sum));
}

int main() { return vyre::exit_status(run()); }
