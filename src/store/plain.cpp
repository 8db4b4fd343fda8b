#include "store/plain.h"

#include "store/render.h"
#include "store/steps.h"

namespace vyre::store {
namespace {

constexpr std::size_t key_length = 3 + 64;

Key key(Steps& steps) {
  const auto parsed = parse_key(steps.characters(key_length));
  if (!parsed) steps.take("a key");
  return parsed.value_or(Key{});
}

template <class T>
void field(Steps& steps, std::string_view name, T& into, T (Steps::*value)()) {
  steps.field(name);
  into = (steps.*value)();
  steps.take("\n");
}

void dispatch(Steps& steps, Evidence& into) {
  Dispatch& d = into.dispatch;
  steps.field("program");
  steps.take("\"");
  const auto program = parse_digest(steps.characters(2 * d.program.size()));
  steps.take(program ? "\"\n" : "a digest");
  d.program = program.value_or(Digest{});
  field(steps, "name", into.program_name, &Steps::string);
  field(steps, "declared", d.workgroup, &Steps::size);
  if (steps.sees("groups")) field(steps, "groups", d.groups.emplace(), &Steps::size);
  field(steps, "output_bytes", d.output_bytes, &Steps::natural);
  if (steps.sees("input_bytes")) field(steps, "input_bytes", d.input_bytes, &Steps::natural);
}

void elapsed(Steps& steps, std::string_view name, measure::Estimate& into) {
  const auto real = [&](std::string_view ending, double& number) {
    steps.take(name);
    field(steps, ending, number, &Steps::real);
  };
  real("_ns", into.value);
  real("_low_ns", into.interval.low);
  real("_high_ns", into.interval.high);
}

void baseline(Steps& steps, Baseline& into) {
  elapsed(steps, "default", into.elapsed);
  field(steps, "speedup", into.speedup.value, &Steps::real);
  field(steps, "speedup_low", into.speedup.interval.low, &Steps::real);
  field(steps, "speedup_high", into.speedup.interval.high, &Steps::real);
}

void full(Steps& steps, Decision& into) {
  Evidence& e = into.evidence.emplace();
  steps.take("[\"");
  into.key = key(steps);
  steps.take("\"]\n");
  dispatch(steps, e);
  field(steps, "workgroup", into.workgroup, &Steps::size);
  field(steps, "configuration", e.configuration, &Steps::settings);
  elapsed(steps, "elapsed", e.elapsed);
  if (steps.sees("default_ns")) baseline(steps, e.baseline.emplace());
  field(steps, "samples", e.samples, &Steps::natural);
  field(steps, "date", e.date, &Steps::date);
  field(steps, "strategy", e.strategy, &Steps::string);
  field(steps, "vyre", e.vyre, &Steps::string);
  field(steps, "driver", e.driver, &Steps::string);
  if (steps.failed()) return;
  const std::string_view checked = steps.taken();
  steps.field("check");
  steps.take("\"");
  steps.take(checksum(checked));
  steps.take("\"");
}

void brief(Steps& steps, Decision& into) {
  steps.take("\"");
  into.key = key(steps);
  steps.take("\" = ");
  into.workgroup = steps.size();
}

}  // namespace

std::optional<PlainRead> read_plain(std::string_view text) {
  Steps steps(text.substr(0, max_entry_bytes));
  PlainRead made;
  if (steps.sees("[")) {
    full(steps, made.decision);
  } else {
    brief(steps, made.decision);
  }
  if (steps.failed()) return {};
  made.length = steps.taken().size();
  return made;
}

}  // namespace vyre::store
