// The tuner as learning needs it: the only place here that knows how a program is tuned.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "schedule/examples.h"
#include "schedule/features.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/tune/family.h"
#include "vyre/tune/tune.h"
#include "worker/session.h"

namespace vyre::learn {

// A program that is learned from, and what is known of it.
struct Subject {
  std::string name;
  schedule::Features features;
  tune::Family family;
  tune::Workload workload;
  std::vector<space::Index> promising;  // by what the library was made with
};

struct Found {
  space::Index member = 0;
  double gain = 1;
  bool sure = false;  // the whole interval of the gain is above 1
};

struct Budget {
  std::chrono::milliseconds time{};
  std::size_t tries = 0;
};

class Tuner {
 public:
  [[nodiscard]] static Result<Tuner> start(const std::string& device);

  [[nodiscard]] const device::Adapter& adapter() const { return session_.adapter(); }
  [[nodiscard]] Result<Subject> subject(const ir::Program& program) const;

  // Tries `first`, then searches.
  [[nodiscard]] Result<Found> search(const Subject& subject, std::vector<space::Index> first,
                                     const Budget& budget);
  // How many times faster than the program as it is each of these is; 0 where it fails.
  [[nodiscard]] Result<std::vector<double>> gains(const Subject& subject,
                                                  const std::vector<space::Index>& members);

 private:
  explicit Tuner(worker::Session session) : session_(std::move(session)) {}

  worker::Session session_;
};

}  // namespace vyre::learn
