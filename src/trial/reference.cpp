#include "trial/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "interpret/interpret.h"
#include "ir/facts.h"
#include "ir/precision.h"
#include "ir/visit.h"
#include "run/data.h"
#include "run/sizes.h"
#include "trial/verify.h"

namespace vyre::trial {
namespace {

// Where invocations depend on each other, all must run.
constexpr std::uint64_t whole_factor = 10;

using Contents = std::vector<std::vector<std::byte>>;

template <class T>
T element_of(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

double number_at(Scalar element, std::span<const std::byte> bytes, std::size_t index) {
  if (element == Scalar::f64) return element_of<double>(bytes, index);
  if (element == Scalar::f16) return static_cast<double>(element_of<Half>(bytes, index));
  return static_cast<double>(element_of<float>(bytes, index));
}

// An f16 is computed in f32.
Scalar other_precision(Scalar element) {
  return value_type(element) == Scalar::f32 ? Scalar::f64 : Scalar::f32;
}

bool adds_to(const ir::Program& program, const std::string& buffer) {
  return ir::any_stmt(program, [&](const ir::Stmt& s) {
    const auto* add = ir::as<ir::AtomicAdd>(s);
    return add != nullptr && add->buffer == buffer;
  });
}

bool adds_across_groups(const ir::Program& program) {
  return std::ranges::any_of(run::global_buffers(program), [&](const ir::Buffer& buffer) {
    return adds_to(program, buffer.name);
  });
}

bool has_float(const ir::Program& program, Scalar scalar) {
  return std::ranges::any_of(run::global_buffers(program), [&](const ir::Buffer& buffer) {
    return value_type(buffer.element) == scalar && buffer.access != Access::read;
  });
}

// All in another precision: what was f32 or f16 as f64, or f64 as f32.
template <class To>
std::vector<std::byte> converted(Scalar from, std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / storage_bytes(from);
  std::vector<std::byte> made(count * sizeof(To));
  for (std::size_t i = 0; i < count; ++i) {
    const To value = static_cast<To>(number_at(from, bytes, i));
    std::memcpy(made.data() + i * sizeof(To), &value, sizeof(To));
  }
  return made;
}

Contents contents_in(const run::Request& request, const std::vector<worker::Data>& buffers,
                     Scalar from) {
  Contents made;
  const auto declared = run::global_buffers(request.program);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const Scalar element = declared[i].element;
    if (value_type(element) != from) {
      made.push_back(*buffers[i]);
    } else {
      made.push_back(from == Scalar::f32 ? converted<double>(element, *buffers[i])
                                         : converted<float>(element, *buffers[i]));
    }
  }
  return made;
}

Result<interpret::Ran> run_on(const run::Request& request, Contents& contents,
                              const interpret::Options& options) {
  const std::vector<std::span<std::byte>> spans(contents.begin(), contents.end());
  return interpret::run(request.program, request.uniforms, spans, options);
}

// Devices may flush what is too small for a normal number.
Tolerance tolerance_for(const ir::Program& program) {
  return {.ulps = run::is_exact(program) ? 0 : run::ulp_bound(program), .absolute = FLT_MIN};
}

// Floats that are added to by atomics come in another order each time, so that the error of one run
// says little of the next, and may be none by chance. That of n additions grows as sqrt(n).
Tolerance with_any_order(Tolerance tolerance, const run::Request& request,
                         const ir::Buffer& buffer) {
  if (!is_float(buffer.element) || !adds_to(request.program, buffer.name)) return tolerance;
  const auto facts = ir::facts(request.program, request.uniforms);
  if (facts) tolerance.relative = std::sqrt(static_cast<double>(facts->atomics)) * FLT_EPSILON;
  return tolerance;
}

std::string text_of(const Tolerance& tolerance) {
  return fmt::format("within {:g} of a value or {:g}", tolerance.relative, tolerance.absolute);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

interpret::Options options_for(const ir::Program& program, std::uint64_t steps) {
  interpret::Options options;
  if (steps == all_steps) return options;
  if (adds_across_groups(program) || ir::has_stages(program)) {
    options.step_limit = steps * whole_factor;
  } else {
    options.sample = steps;
  }
  return options;
}

}  // namespace

Result<Reference> Reference::make(const run::Request& request,
                                  const std::vector<worker::Data>& buffers,
                                  const Options& options) {
  VYRE_TRY(const auto initial, initial_contents(request, buffers));
  Reference made;
  made.given_ = options.tolerance.has_value();
  made.rounds_ = !made.given_ && !run::is_exact(request.program);
  made.tolerance_ = options.tolerance.value_or(tolerance_for(request.program));
  const auto declared = run::global_buffers(request.program);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].access == Access::read || contains(options.scratch, declared[i].name)) continue;
    made.outputs_.push_back(
        {.argument = i,
         .buffer = declared[i].name,
         .element = declared[i].element,
         .tolerance =
             made.given_ ? made.tolerance_ : with_any_order(made.tolerance_, request, declared[i]),
         .before = initial[i]});
  }
  if (options.steps > 0) VYRE_CHECK(made.interpret(request, initial, options));
  if (made.ran_ && made.rounds_) made.evaluate_precisely(request, initial);
  return made;
}

Result<void> Reference::interpret(const run::Request& request,
                                  const std::vector<worker::Data>& buffers,
                                  const Options& options) {
  Contents contents = contents_in(request, buffers, Scalar::unknown);
  const auto how = options_for(request.program, options.steps);
  const auto ran = run_on(request, contents, how);
  const bool too_long = !ran && ran.error().kind == ErrorKind::timeout;
  if (too_long && options.steps != all_steps) return {};
  if (!ran) return Unexpected(ran.error());
  ran_ = true;
  whole_ = ran->whole;
  steps_ = ran->steps;
  for (Written& written : outputs_) written.after = std::move(contents[written.argument]);
  return {};
}

// Programs that cannot be, because they look at bits or do something else that they must not, are
// held to what their operations allow.
void Reference::evaluate_precisely(const run::Request& request,
                                   const std::vector<worker::Data>& buffers) {
  for (const Scalar from : {Scalar::f32, Scalar::f64}) {
    if (!has_float(request.program, from)) continue;
    const Scalar to = other_precision(from);
    auto program = ir::in_precision(request.program, from, to);
    if (!program) continue;
    const run::Request other{*std::move(program), ir::in_precision(request.uniforms, from, to)};
    Contents contents = contents_in(request, buffers, from);
    interpret::Options options;
    if (!whole_) options.sample = steps_;  // the same invocations, or nearly
    if (!run_on(other, contents, options)) continue;
    for (Written& written : outputs_) {
      if (value_type(written.element) == from)
        written.precise = std::move(contents[written.argument]);
    }
  }
}

// What a part of the invocations left as it was says nothing.
bool Reference::is_known(const Written& written, std::size_t element) const {
  if (written.after.empty()) return false;
  const std::size_t size = storage_bytes(written.element);
  return whole_ || std::memcmp(written.after.data() + element * size,
                               written.before->data() + element * size, size) != 0;
}

// Of an f64 program the errors in f32 are known; in f64 they are smaller as the precision is.
Accuracy Reference::accuracy(const Written& written, const std::vector<std::byte>& got) const {
  Accuracy made;
  const Scalar element = written.element;
  const std::size_t count = written.precise.empty() ? 0 : got.size() / storage_bytes(element);
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_known(written, i)) continue;
    const double other = number_at(other_precision(element), written.precise, i);
    // Another precision may have taken other ways, and so not have come to this element.
    if (!whole_ && other == number_at(element, *written.before, i)) continue;
    if (element == Scalar::f64) {
      made.see(number_at(element, written.after, i), other);
    } else {
      made.see(other, number_at(element, written.after, i));
      made.see(other, number_at(element, got, i));
    }
  }
  made.settle(element == Scalar::f64 ? DBL_EPSILON / FLT_EPSILON : 1);
  return made;
}

Result<void> Reference::check(const Written& written, const std::vector<std::byte>& got) const {
  // The interpreter rounds functions correctly; a device is as far off as it may be, each time.
  auto allowed = std::make_shared<Accuracy>(accuracy(written, written.after));
  allowed->settle(static_cast<double>(tolerance_.ulps));
  std::vector<std::byte> known = got;
  const std::size_t size = storage_bytes(written.element);
  for (std::size_t i = 0; i < got.size() / size; ++i) {
    if (is_known(written, i)) std::memcpy(&known[i * size], &written.after[i * size], size);
  }
  const std::string wrong = wrong_elements({.argument = written.argument,
                                            .buffer = written.buffer,
                                            .element = written.element,
                                            .content = worker::data(std::move(known)),
                                            .tolerance = written.tolerance,
                                            .accuracy = std::move(allowed)},
                                           got);
  if (wrong.empty()) return {};
  return fail(ErrorKind::run, fmt::format("buffer '{}': {}", written.buffer, wrong));
}

Result<std::vector<Expected>> Reference::expected(worker::Output output) const {
  std::vector<Expected> all;
  for (const Written& written : outputs_) {
    std::vector<std::byte>& got = output.buffers[written.argument].bytes;
    if (ran_) VYRE_CHECK(check(written, got));
    auto accurate = std::make_shared<Accuracy>(accuracy(written, got));
    all.push_back({.argument = written.argument,
                   .buffer = written.buffer,
                   .element = written.element,
                   .content = worker::data(std::move(got)),
                   .tolerance = written.tolerance,
                   .accuracy = rounds_ ? std::move(accurate) : nullptr});
  }
  return all;
}

std::vector<Expected> Reference::expected() const {
  std::vector<Expected> all;
  for (const Written& written : outputs_) {
    auto accurate = std::make_shared<Accuracy>(accuracy(written, written.after));
    accurate->settle(static_cast<double>(tolerance_.ulps));
    all.push_back({.argument = written.argument,
                   .buffer = written.buffer,
                   .element = written.element,
                   .content = worker::data(written.after),
                   .tolerance = written.tolerance,
                   .accuracy = rounds_ ? std::move(accurate) : nullptr});
  }
  return all;
}

std::string Reference::rule(const std::vector<Expected>& expected) const {
  std::string made = given_ ? text_of(tolerance_) : "to the bit";
  if (rounds_) {
    double worst = 0;
    for (const Expected& one : expected) {
      if (one.accuracy) worst = std::max(worst, one.accuracy->worst());
    }
    made = fmt::format(
        "within {:g} times the error of the program as it is ({:.2g} of a value at "
        "most, by f64), or {} ulp",
        Accuracy::factor, worst, tolerance_.ulps);
  }
  if (!ran_) return made + "; too long for the interpreter, so compared with the program as it is";
  if (whole_) return made + "; the program as it is agrees with the interpreter";
  return fmt::format(
      "{}; the program as it is agrees with the interpreter on {:.2g} steps from all "
      "over the grid",
      made, static_cast<double>(steps_));
}

}  // namespace vyre::trial
