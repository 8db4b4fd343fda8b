// A kernel to be tried, with what it must compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "run/compare.h"
#include "trial/accuracy.h"
#include "vyre/base/error.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/ir/type.h"
#include "vyre/run/run.h"
#include "worker/job.h"

namespace vyre::trial {

// A float is right within `ulps` of the expected value, or within absolute + relative * |expected|.
// Integers and bools must be equal.
struct Tolerance {
  std::uint64_t ulps = run::default_ulp_bound;
  double absolute = 0;
  double relative = 0;
};

// What a buffer argument must hold after a run.
struct Expected {
  std::size_t argument = 0;  // index into the kernel's arguments
  std::string buffer;        // its name in messages
  Scalar element = Scalar::f32;
  worker::Data content;
  Tolerance tolerance;
  std::shared_ptr<const Accuracy> accuracy = {};  // what it allows is right too
};

// Buffers that the kernel only reads must hold what they held before, without being listed.
struct Candidate {
  std::string name;
  worker::Job kernel;
  std::vector<Expected> expected;  // empty: only that it runs and stays in bounds is checked
};

// Content for a buffer that a kernel only writes. What the kernel leaves out stays recognisable,
// also if another kernel would have written it.
[[nodiscard]] worker::Data canary(std::size_t bytes);

// What buffers hold before a launch: those that are only written start as canaries. Refuses
// uniforms and contents that do not fit the program.
[[nodiscard]] Result<std::vector<worker::Data>> initial_contents(
    const run::Request& request, const std::vector<worker::Data>& buffers);

struct ProgramOptions {
  bool expect = true;  // what the interpreter computes, as exactly as trial/reference.h says
  // What is only written starts as a canary. Where many kernels share their contents, and so one
  // copy in the worker, the caller puts them there once.
  bool canaries = true;
  std::optional<Tolerance> tolerance = {};  // in place of what follows from the arithmetic
};

// A program of vyre's as a candidate for a device of this language. `buffers` are the contents of
// its global buffers in the order of declaration; see ProgramOptions. Its scratch buffers are
// arguments after them that start as canaries and that nothing is expected of.
[[nodiscard]] Result<Candidate> candidate(const run::Request& request,
                                          const std::vector<worker::Data>& buffers,
                                          Language language, const ProgramOptions& options = {});

}  // namespace vyre::trial
