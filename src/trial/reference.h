// What says whether results are right: the interpreter on the same data, on all of it or on
// invocations from all over the grid, and the same evaluated in a higher precision where results
// may be rounded in other ways.
//
// Programs whose operations all round correctly, in an order that is given, are held to the bit.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trial/accuracy.h"
#include "trial/candidate.h"
#include "vyre/base/error.h"
#include "vyre/run/run.h"
#include "worker/session.h"

namespace vyre::trial {

// Of the interpreter: however long it takes.
inline constexpr std::uint64_t all_steps = std::numeric_limits<std::uint64_t>::max();

class Reference {
 public:
  struct Options {
    // About so many steps of the interpreter; all of it where that is less. Where invocations
    // depend on each other it is all or nothing, and all if it is at most ten times as much.
    std::uint64_t steps = 30'000'000;
    // In place of what follows from the arithmetic.
    std::optional<Tolerance> tolerance = {};
    std::vector<std::string> scratch = {};  // buffers in which anything may stand
  };

  // `buffers` are as for `candidate`. Errors are those of the program: an access out of bounds.
  [[nodiscard]] static Result<Reference> make(const run::Request& request,
                                              const std::vector<worker::Data>& buffers,
                                              const Options& options);

  // What every program that computes the same must leave in the buffers that it may write, from
  // what the program as it is left there on the device; an error of kind `run` if that is not what
  // the interpreter says. Requires: the output is of this program on these buffers.
  [[nodiscard]] Result<std::vector<Expected>> expected(worker::Output output) const;
  // The same from the interpreter alone. Requires: all_steps.
  [[nodiscard]] std::vector<Expected> expected() const;
  // One line for people: what counts as right, and what was compared with the interpreter.
  [[nodiscard]] std::string rule(const std::vector<Expected>& expected) const;

 private:
  struct Written {
    std::size_t argument = 0;
    std::string buffer;
    Scalar element = Scalar::f32;
    Tolerance tolerance;
    worker::Data before;
    std::vector<std::byte> after = {};    // by the interpreter; empty if it was not run
    std::vector<std::byte> precise = {};  // the same in the other precision; empty if not needed
  };

  Result<void> interpret(const run::Request& request, const std::vector<worker::Data>& buffers,
                         const Options& options);
  void evaluate_precisely(const run::Request& request, const std::vector<worker::Data>& buffers);
  [[nodiscard]] bool is_known(const Written& written, std::size_t element) const;
  [[nodiscard]] Accuracy accuracy(const Written& written, const std::vector<std::byte>& got) const;
  [[nodiscard]] Result<void> check(const Written& written, const std::vector<std::byte>& got) const;

  std::vector<Written> outputs_;
  Tolerance tolerance_;
  bool given_ = false;   // that tolerance, by the caller
  bool rounds_ = false;  // results may be rounded in other ways
  bool ran_ = false;
  bool whole_ = true;  // every invocation ran
  std::uint64_t steps_ = 0;
};

}  // namespace vyre::trial
