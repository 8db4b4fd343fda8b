// Sessions with the worker that was built with the tests, and kernels for them.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/device.h"
#include "support/paths.h"
#include "trial/evaluator.h"
#include "worker/session.h"

namespace vyre::testing {

inline worker::Options worker_options(std::string device = "opencl") {
  return {.device = std::move(device), .program = paths::worker};
}

// A worker on the reference device that takes the times and fails as the script says: see
// worker/fake/scripted.h.
inline worker::Options scripted_options(const std::string& script) {
  return {.device = "reference",
          .program = paths::fake_worker,
          .environment = {"FAKE_WORKER_SCRIPT=" + script}};
}

// Throws, which fails the test, with the reason if it does not start.
inline worker::Session worker_session(worker::Options options = worker_options()) {
  auto session = worker::Session::start(std::move(options));
  if (!session) throw std::runtime_error(session.error().message);
  return *std::move(session);
}

inline trial::Evaluator evaluator(worker::Options options = worker_options(),
                                  std::size_t workers = 1) {
  auto made = trial::Evaluator::start(options, workers);
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

template <class T>
worker::Data data_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return worker::data({bytes.begin(), bytes.end()});
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace vyre::testing
