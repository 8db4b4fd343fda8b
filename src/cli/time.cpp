// `vyre time`: times programs against each other in a worker process and says who ties with whom.
#include "trial/time.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/run_inputs.h"
#include "cli/time_report.h"
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
  made.race.budget = *budget * static_cast<std::int64_t>(options.files.size());
  made.race.seed = options.seed;
  if (options.oclgrind) made.evaluate.oclgrind = trial::oclgrind_library();
  made.evaluate.oclgrind_worker = worker;
  return made;
}

// The file's program as a candidate; problems are printed.
Expected<trial::Candidate, Reported> candidate_of(const std::string& file,
                                                  const ir::Program& program,
                                                  const TimeOptions& options, Language language) {
  const auto inputs = RunInputs::make(program, options.inputs, options.uniforms);
  if (!inputs) return Unexpected(report_failure(file, {inputs.error()}));
  for (const std::string& note : inputs->notes()) print_message("{}: {}\n", file, note);
  std::vector<worker::Data> buffers;
  for (const RunInputs::Buffer& buffer : inputs->buffers()) {
    buffers.push_back(worker::data(buffer.bytes));
  }
  auto made = trial::candidate({program, inputs->uniforms()}, buffers, language,
                               {.expect = !options.unchecked});
  if (!made) return Unexpected(report_failure(file, {made.error()}));
  made->name = file;
  return *std::move(made);
}

// The candidates, in order; those that cannot be one are refused.
std::vector<trial::Candidate> candidates_of(const std::map<std::size_t, ir::Program>& programs,
                                            const TimeOptions& options, Language language,
                                            RefusedFiles& refused) {
  std::vector<trial::Candidate> made;
  for (const auto& [at, program] : programs) {
    auto candidate = candidate_of(options.files[at], program, options, language);
    if (candidate) {
      made.push_back(*std::move(candidate));
    } else {
      refused[at] = candidate.error();
    }
  }
  return made;
}

ExitStatus time_programs(const TimeOptions& options) {
  std::map<std::size_t, ir::Program> programs;  // by their place in the call
  RefusedFiles refused;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    auto program = read_program(options.files[i]);
    if (program) {
      programs[i] = *std::move(program);
    } else {
      refused[i] = report_failure(options.files[i], program.error());
    }
  }
  const auto worker = worker_options(options);
  if (!worker) return report(worker.error());
  const auto how = time_options(options, *worker);
  if (!how) return report(how.error());
  if (programs.empty()) return print_report({}, options.files, refused, options.json);
  auto session = worker::Session::start(*worker);
  if (!session) return report(session.error());
  const auto candidates = candidates_of(programs, options, session->language(), refused);
  if (candidates.empty()) return print_report({}, options.files, refused, options.json);
  const auto timed = trial::time(*session, candidates, *how);
  if (!timed) return report(timed.error());
  return print_report(*timed, options.files, refused, options.json);
}

}  // namespace

Command time_command() {
  return {
      .name = "time",
      .summary = "Time programs against each other, with intervals and ties",
      .example =
          "vyre time row.vy column.vy --set n=1000000\n"
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
        app.add_flag("--no-check", options->unchecked,
                     "do not compare the results with the interpreter's");
        app.add_flag("--oclgrind", options->oclgrind,
                     "run each program on Oclgrind's simulator before it is timed");
        app.add_flag("--json", options->json, "print everything, all samples too, as JSON");
        return [options](const Environment&) { return time_programs(*options); };
      },
  };
}

}  // namespace vyre::cli
