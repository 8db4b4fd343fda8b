#include "cli/time_contest.h"

#include <utility>

#include "cli/print.h"
#include "cli/run_inputs.h"
#include "cli/scheduled.h"
#include "cli/store_files.h"
#include "cli/stored_schedule.h"
#include "trial/reference.h"

namespace vyre::cli {

// A program with its data.
struct TimeContest::Source {
  const std::string& file;
  const ir::Program& program;
  ir::Uniforms uniforms;
  std::vector<worker::Data> buffers;
};

TimeContest::TimeContest(ContestOptions options, worker::Session& session,
                         const Environment& environment)
    : options_(std::move(options)), session_(session) {
  if (!options_.tuned) return;
  store_.emplace(store_directory(environment), store::owner_of(session.adapter()));
  for (const std::string& problem : store_->problems()) print_message("vyre: {}\n", problem);
}

void TimeContest::add(const std::string& file, const Expected<ir::Program, Reported>& program) {
  if (!program) return add_entry(file, "", Unexpected(program.error()));
  const auto source = source_of(file, *program);
  if (!source) return add_entry(file, "", Unexpected(source.error()));
  const Made plain = plain_candidate(*source);
  add_entry(file, "", plain);
  if (options_.tuned) add_tuned(*source, plain);
  if (options_.schedule.empty()) return;
  add_entry(file, options_.schedule, scheduled_candidate(*source, options_.schedule, plain));
}

Expected<TimeContest::Source, Reported> TimeContest::source_of(const std::string& file,
                                                               const ir::Program& program) const {
  const auto inputs = RunInputs::make(program, options_.inputs, options_.uniforms);
  if (!inputs) return Unexpected(report_failure(file, inputs.error()));
  for (const std::string& note : inputs->notes()) print_message("{}: {}\n", file, note);
  Source made{file, program, inputs->uniforms(), {}};
  for (const RunInputs::Buffer& buffer : inputs->buffers()) {
    made.buffers.push_back(worker::data(buffer.bytes));
  }
  return made;
}

namespace {

// What the program as it is leaves on the device, where that is what a part of it does on the
// interpreter: all of a large one would take minutes there.
Result<std::vector<trial::Expected>> sampled(worker::Session& session, const run::Request& request,
                                             const std::vector<worker::Data>& buffers,
                                             const worker::Job& kernel) {
  VYRE_TRY(const auto reference, trial::Reference::make(request, buffers, {}));
  VYRE_TRY(const worker::KernelId id, session.build(kernel));
  auto output = session.run(id);
  session.forget(id);
  if (!output) return Unexpected(output.error());
  return reference.expected(*std::move(output));
}

}  // namespace

// One that fails on the device is held to all that the interpreter says, and fails in the race.
TimeContest::Made TimeContest::plain_candidate(const Source& source) {
  const run::Request request = {source.program, source.uniforms};
  auto made = trial::candidate(request, source.buffers, session_.language(), {.expect = false});
  if (made && options_.checked) {
    auto expected = sampled(session_, request, source.buffers, made->kernel);
    if (expected) {
      made->expected = *std::move(expected);
    } else {
      made = trial::candidate(request, source.buffers, session_.language());
    }
  }
  if (!made) return Unexpected(report_failure(source.file, made.error()));
  return *std::move(made);
}

TimeContest::Made TimeContest::scheduled_candidate(const Source& source,
                                                   const std::string& schedule,
                                                   const Made& plain) const {
  if (!plain) return plain;
  auto program = scheduled(source.program, schedule);
  if (!program) return Unexpected(report_failure(source.file, program.error()));
  auto made = trial::candidate({*std::move(program), source.uniforms}, source.buffers,
                               session_.language(), {.expect = false});
  if (!made) return Unexpected(report_failure(source.file, made.error()));
  made->expected = plain->expected;
  return *std::move(made);
}

void TimeContest::add_tuned(const Source& source, const Made& plain) {
  const auto stored =
      stored_schedule(*store_, source.program, source.uniforms, session_.adapter().limits);
  if (!stored) {
    Reported failure = report_failure(source.file, stored.error());
    return add_entry(source.file, "--tuned", Unexpected(std::move(failure)));
  }
  const std::string& schedule = stored->text;
  for (const std::string& note : stored->notes) print_message("{}: {}\n", source.file, note);
  print_message("{}: {}: {}\n", source.file, stored->origin,
                schedule.empty() ? "as it is" : schedule);
  if (schedule.empty()) return;  // it is a row already
  add_entry(source.file, schedule, scheduled_candidate(source, schedule, plain));
}

void TimeContest::add_entry(const std::string& file, const std::string& schedule, Made made) {
  TimeEntry& entry = entries_.emplace_back(TimeEntry{.file = file, .schedule = schedule});
  if (!made) {
    entry.refused = std::move(made).error();
    return;
  }
  made->name = entry.name();
  candidates_.push_back(*std::move(made));
}

}  // namespace vyre::cli
