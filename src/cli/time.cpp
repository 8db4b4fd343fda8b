// `vyre time`: times programs against each other in a worker process and says who ties with whom.
#include "trial/time.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/time_contest.h"
#include "cli/time_report.h"
#include "trial/back_to_back.h"
#include "trial/oclgrind.h"

namespace vyre::cli {
namespace {

struct TimeOptions {
  std::vector<std::string> files;
  std::string device = "opencl";
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::string limit = "10";           // for one run
  std::string budget = "2";           // for measuring one program
  std::uint64_t seed = 0;
  std::string schedule;
  bool tuned = false;
  bool reassociate = false;
  bool unchecked = false;
  bool oclgrind = false;
  bool json = false;
};

Result<worker::Options> worker_options(const TimeOptions& options) {
  worker::Options made{.device = options.device};
  const auto limit = parse_duration(options.limit, "--limit", std::chrono::milliseconds(1));
  if (!limit) return Unexpected(limit.error());
  made.run_limit = std::chrono::duration_cast<std::chrono::milliseconds>(*limit);
  return made;
}

Result<trial::TimeOptions> time_options(const TimeOptions& options, const worker::Options& worker) {
  const auto budget = parse_duration(options.budget, "--budget", std::chrono::nanoseconds(1));
  if (!budget) return Unexpected(budget.error());
  trial::TimeOptions made;
  made.evaluate.repeat.budget = *budget;
  made.evaluate.repeat.seed = options.seed;
  made.race.seed = options.seed;
  if (options.oclgrind) made.evaluate.oclgrind = trial::oclgrind_library();
  made.evaluate.oclgrind_worker = worker;
  return made;
}

using ReadFiles = std::vector<Expected<ir::Program, Reported>>;  // one for each of the call

ReadFiles read_files(const TimeOptions& options) {
  ReadFiles made;
  for (const std::string& file : options.files) {
    auto program = read_program(file, options.reassociate);
    if (program) {
      made.emplace_back(*std::move(program));
    } else {
      made.emplace_back(Unexpected(report_failure(file, program.error())));
    }
  }
  return made;
}

ContestOptions contest_options(const TimeOptions& options) {
  return {.inputs = options.inputs,
          .uniforms = options.uniforms,
          .schedule = options.schedule,
          .tuned = options.tuned,
          .checked = !options.unchecked};
}

// Of all that were correct; what fails now is a message, and no reason to forget the race.
Result<void> add_back_to_back(worker::Session& session, const trial::Report& report,
                              TimeContest& contest) {
  std::size_t next = 0;
  for (TimeEntry& entry : contest.entries()) {
    if (entry.refused) continue;
    const std::size_t at = next++;
    if (report.rows[at].outcome.verdict != Verdict::correct) continue;
    auto taken = trial::back_to_back(session, contest.candidates()[at]);
    if (taken) {
      entry.back_to_back = *taken;
    } else if (trial::verdict_of(taken.error())) {
      print_message("{}: back to back: {}\n", entry.name(), taken.error().message);
    } else {
      return Unexpected(taken.error());
    }
  }
  return {};
}

// Nothing could be read: no device is needed to say so.
ExitStatus finish_without_device(const TimeOptions& options, const ReadFiles& files) {
  std::vector<TimeEntry> entries;
  for (std::size_t i = 0; i < files.size(); ++i) {
    entries.push_back({.file = options.files[i], .refused = files[i].error()});
  }
  return print_report({}, entries, options.json);
}

ExitStatus time_programs(const TimeOptions& options, const Environment& environment) {
  const ReadFiles files = read_files(options);
  const auto worker = worker_options(options);
  if (!worker) return report(worker.error());
  auto how = time_options(options, *worker);
  if (!how) return report(how.error());
  if (std::ranges::none_of(files, &ReadFiles::value_type::has_value)) {
    return finish_without_device(options, files);
  }
  auto session = worker::Session::start(*worker);
  if (!session) return report(session.error());
  TimeContest contest(contest_options(options), *session, environment);
  for (std::size_t i = 0; i < files.size(); ++i) contest.add(options.files[i], files[i]);
  if (contest.candidates().empty()) return print_report({}, contest.entries(), options.json);
  how->race.budget =
      how->evaluate.repeat.budget * static_cast<std::int64_t>(contest.candidates().size());
  const auto timed = trial::time(*session, contest.candidates(), *how);
  if (!timed) return report(timed.error());
  const auto added = add_back_to_back(*session, *timed, contest);
  if (!added) return report(added.error());
  return print_report(*timed, contest.entries(), options.json);
}

}  // namespace

Command time_command() {
  return {
      .name = "time",
      .summary = "Time programs against each other, with intervals and ties",
      .example =
          "vyre time row.vy column.vy --set n=1000000\n"
          "vyre time saxpy.vy --schedule \"wg_x=8 vector=16\"    # as it is, and so\n"
          "vyre time saxpy.vy --tuned                           # as the store says\n"
          "vyre time saxpy.vy --in x=ramp --device reference --json\n"
          "vyre time mine.vy theirs.vy --oclgrind --limit 2",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<TimeOptions>();
        app.add_option("files", options->files, "programs in the text form")->required();
        add_device(app, options->device);
        add_data(app, options->inputs, options->uniforms);
        app.add_option("--limit", options->limit,
                       "how long one run may take: a time (500ms, 2m), or a number of seconds")
            ->capture_default_str();
        app.add_option("--budget", options->budget, "for measuring one program: the same")
            ->capture_default_str();
        add_count(app, "--seed", options->seed, "of the order in the race and of the intervals")
            ->capture_default_str();
        CLI::Option* schedule = add_schedule(app, options->schedule);
        app.add_flag("--tuned", options->tuned,
                     "each program as the store says, too; `vyre tune` decides")
            ->excludes(schedule);
        add_reassociate(app, options->reassociate);
        app.add_flag("--no-check", options->unchecked,
                     "do not compare the results with the interpreter's");
        app.add_flag("--oclgrind", options->oclgrind,
                     "run each program on Oclgrind's simulator before it is timed");
        app.add_flag("--json", options->json, "print everything, all samples too, as JSON");
        return [options](const Environment& environment) {
          return time_programs(*options, environment);
        };
      },
  };
}

}  // namespace vyre::cli
