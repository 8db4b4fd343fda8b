// `vyre tune`: finds the fastest way to run programs on the device at hand, proves it right and
// remembers it.
#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/tune_outputs.h"
#include "cli/tune_problem.h"
#include "cli/tune_run.h"
#include "cli/tune_summary.h"
#include "formats/t4_writer.h"

namespace vyre::cli {
namespace {

struct TuneOptions {
  std::vector<std::string> files;
  std::vector<std::string> primitives;
  std::string device = "opencl";
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::string strategy = "natural";
  std::string budget = "30s";
  std::uint64_t seed = 0;
  std::uint64_t workers = 0;
  std::string tolerance;  // RELATIVE[,ABSOLUTE]; empty: as follows from the arithmetic
  bool reassociate = false;
  std::string output;
  std::string report;
  bool again = false;
  bool explain = false;
  bool json = false;
  bool stats = false;
};

// What was asked for, read and checked before anything is measured.
struct Plan {
  std::vector<ProblemFile> files;
  ProblemPrimitives primitives;
  tune::TuneOptions how;
  std::optional<trial::Tolerance> tolerance;
  std::vector<std::string> labels;   // one for each: files, named primitives, standard ones
  std::vector<std::string> outputs;  // one for each, or none

  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] bool has_program() const {
    return size() > files.size() ||
           std::ranges::any_of(files, [](const auto& file) { return file.program.has_value(); });
  }
};

// A program is called by its name, and by its file where that name is another's too.
void set_labels(std::vector<ProblemFile>& files) {
  std::map<std::string_view, int> uses;
  for (const ProblemFile& file : files) {
    if (file.program) ++uses[file.program->name];
  }
  for (ProblemFile& file : files) {
    const bool by_name = file.program && uses[file.program->name] == 1;
    file.label = by_name ? file.program->name : file.name;
  }
}

// One that cannot be read is a row with the reason, and no reason not to tune the others.
ProblemFile read_problem_file(const std::string& name, bool reassociate) {
  auto program = read_program(name, reassociate);
  if (program) return {.name = name, .program = *std::move(program), .label = {}};
  return {.name = name, .program = Unexpected(report_failure(name, program.error())), .label = {}};
}

std::vector<std::string> labels_of(const Plan& plan) {
  std::vector<std::string> labels;
  for (const ProblemFile& file : plan.files) labels.push_back(file.label);
  for (const auto& shape : plan.primitives.named) labels.push_back(to_string(shape));
  for (const auto& shape : plan.primitives.standard) labels.push_back(to_string(shape));
  return labels;
}

// The standard primitives share one budget; with one evaluation nothing is compared.
tune::TuneOptions how_at(const Plan& plan, std::size_t i) {
  tune::TuneOptions how = plan.how;
  const std::size_t sharing = plan.primitives.standard.size();
  if (i + sharing < plan.size() || sharing == 0) return how;
  how.time /= static_cast<std::int64_t>(sharing);
  how.evaluations = std::max<std::size_t>(how.evaluations / sharing, 2);
  return how;
}

Result<void> check_files(const Plan& plan, const TuneOptions& options) {
  std::vector<OutputFile> outputs;
  for (const std::string& path : plan.outputs) outputs.push_back({"--output", path});
  if (!options.report.empty()) outputs.push_back({"--report", options.report});
  return check_outputs(outputs, options.files);
}

Expected<Plan, ExitStatus> plan_of(const TuneOptions& options) {
  Plan plan;
  for (const std::string& name : options.files) {
    plan.files.push_back(read_problem_file(name, options.reassociate));
  }
  set_labels(plan.files);
  auto primitives = parse_primitives(options.primitives);
  if (!primitives) return Unexpected(report(primitives.error()));
  plan.primitives = *std::move(primitives);
  plan.labels = labels_of(plan);
  const auto budget = parse_budget(options.budget);
  if (!budget) return Unexpected(report(budget.error()));
  if (!options.tolerance.empty()) {
    const auto tolerance = parse_tolerance(options.tolerance);
    if (!tolerance) return Unexpected(report(tolerance.error()));
    plan.tolerance = {.ulps = 0, .absolute = tolerance->absolute, .relative = tolerance->relative};
  }
  plan.how.strategy = options.strategy;
  plan.how.seed = options.seed;
  plan.how.time = budget->time;
  plan.how.evaluations = budget->evaluations;
  if (plan.size() == 0) {
    return Unexpected(report(Error{ErrorKind::input,
                                   "nothing to tune: give a program's file or "
                                   "--primitive"}));
  }
  if (!options.output.empty()) plan.outputs = results_paths(options.output, plan.labels);
  if (auto can = check_files(plan, options); !can) return Unexpected(report(can.error()));
  return plan;
}

Expected<Problem, Reported> problem_at(const Plan& plan, const TuneOptions& options, std::size_t i,
                                       const device::Adapter& adapter) {
  if (i < plan.files.size()) {
    return problem_of(plan.files[i], options.inputs, options.uniforms, adapter.limits);
  }
  const auto& [named, standard] = plan.primitives;
  const std::size_t p = i - plan.files.size();
  auto made = problem_of(p < named.size() ? named[p] : standard[p - named.size()], adapter);
  if (!made) return Unexpected(report_failure(plan.labels[i], {made.error()}));
  return *std::move(made);
}

FailedProgram failed_program(const Plan& plan, std::size_t i, std::string reason) {
  const bool is_file = i < plan.files.size();
  return {is_file ? plan.files[i].name : plan.labels[i], plan.labels[i], std::move(reason)};
}

void print_rows(const TuneOptions& options, const device::Adapter* adapter,
                std::span<const TuneRow> rows) {
  if (options.json) {
    write_result(summary_json(adapter, rows));
  } else if (std::ranges::any_of(rows, &TuneRow::has_value)) {
    write_result(summary_table(rows) + explanations_text(rows));
  }
  flush_results();
}

// Nothing could be read: no device is needed to say so.
ExitStatus finish_without_device(const Plan& plan, const TuneOptions& options) {
  std::vector<TuneRow> rows;
  ExitStatus worst = done;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Reported& failure = plan.files[i].program.error();
    rows.push_back(Unexpected(failed_program(plan, i, failure.reason)));
    worst = std::max(worst, failure.status);
  }
  print_rows(options, nullptr, rows);
  return worst;
}

// A page with what an earlier run measured is worth more than one that only repeats the store.
Result<void> write_report(const std::string& path, const TuneRun& run) {
  const bool measured = std::ranges::any_of(
      run.rows(), [](const TuneRow& row) { return row && row->results.has_value(); });
  std::error_code ignored;
  if (!measured && std::filesystem::exists(path, ignored)) {
    print_message("report: nothing was measured; {} stays as it is\n", path);
    return {};
  }
  const auto written = write_page(path, run.adapter(), run.rows());
  if (written) print_message("report: {}\n", path);
  return written;
}

// An output that could not be written costs the status, not what was found.
ExitStatus finish(const TuneOptions& options, const TuneRun& run) {
  print_rows(options, &run.adapter(), run.rows());
  ExitStatus status = done;
  if (!options.report.empty()) {
    const auto written = write_report(options.report, run);
    if (!written) status = report(written.error());
  }
  if (options.stats) write_message(to_string(run.counters().read()));
  if (run.interrupted()) {
    const auto remembered = [](const TuneRow& row) { return row && row->remembered; };
    print_message("vyre: interrupted; {} of {} programs have a decision\n",
                  std::ranges::count_if(run.rows(), remembered), run.rows().size());
  }
  return status;
}

ExitStatus write_results(const std::string& path, const TunedProgram& program) {
  if (!program.results) {
    print_message("{}: nothing was measured, so {} is not written; --again measures\n",
                  program.name, path);
    return done;
  }
  const auto written = formats::write_t4(path, *program.results);
  return written ? done : report(written.error());
}

ExitStatus tune_one(const Plan& plan, const TuneOptions& options, std::size_t i, TuneRun& run) {
  if (run.interrupted()) {
    run.add(failed_program(plan, i, "the run was interrupted before it was begun"));
    return check_failed;
  }
  const auto problem = problem_at(plan, options, i, run.adapter());
  if (!problem) {
    run.add(failed_program(plan, i, problem.error().reason));
    return problem.error().status;
  }
  ExitStatus status = run.tune(*problem, how_at(plan, i));
  if (options.explain) status = std::max(status, run.explain(*problem));
  if (plan.outputs.empty() || !run.rows().back()) return status;
  return std::max(status, write_results(plan.outputs[i], *run.rows().back()));
}

ExitStatus tune_programs(const TuneOptions& options, const Environment& environment) {
  const auto plan = plan_of(options);
  if (!plan) return plan.error();
  if (!plan->has_program()) return finish_without_device(*plan, options);
  auto evaluator = trial::Evaluator::start({.device = options.device}, options.workers);
  if (!evaluator) return report(evaluator.error());
  TuneRun run(*std::move(evaluator), environment,
              {.again = options.again, .tolerance = plan->tolerance});
  print_message("on {}\n", run.adapter().name);
  ExitStatus worst = done;
  for (std::size_t i = 0; i < plan->size(); ++i) {
    worst = std::max(worst, tune_one(*plan, options, i, run));
  }
  return std::max(worst, finish(options, run));
}

}  // namespace

Command tune_command() {
  return {
      .name = "tune",
      .summary = "Find the fastest way to run programs here, and remember it",
      .example =
          "vyre tune saxpy.vy\n"
          "vyre tune gemm.vy stencil.vy --budget 20s --report tuned.html\n"
          "vyre tune saxpy.vy --explain         # how much better could it be, and why not\n"
          "vyre tune gemm.vy --set n=512 --budget 200 --output gemm.json.gz --json\n"
          "vyre tune softmax.vy --reassociate   # as if the program said that order does not "
          "matter\n"
          "vyre tune --primitive kfac:1000x16 --primitive gemm:512x512x512\n"
          "vyre tune --primitive all --budget 60s",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<TuneOptions>();
        app.add_option("files", options->files, "programs in the text form");
        add_repeated(app, "--primitive", options->primitives,
                     "a program of the library in the ways that it can be laid out: " +
                         primitive_forms() + "; all: a shape of each");
        add_device(app, options->device);
        add_data(app, options->inputs, options->uniforms);
        app.add_option("--strategy", options->strategy,
                       "which configuration to try next; `vyre simulate -h` lists them")
            ->capture_default_str();
        app.add_option("--budget", options->budget,
                       "for each program, and for `--primitive all` together: a time (500ms, 30s, "
                       "2m) or a number of evaluations")
            ->capture_default_str();
        add_count(app, "--seed", options->seed, "of the search")->capture_default_str();
        add_count(app, "--workers", options->workers,
                  "processes that build and verify side by side; 0: one for each core, up to 4");
        app.add_option("--tolerance", options->tolerance,
                       "how far floats may be off: RELATIVE or RELATIVE,ABSOLUTE; if not given, a "
                       "few times as far as the program as it is, by an evaluation in f64");
        add_reassociate(app, options->reassociate);
        app.add_option("--output", options->output,
                       "write every measurement to this file, in the T4 format; .gz by name; of "
                       "several programs to a file each, with the program's name in it");
        app.add_option("--report", options->report, "write a page with plots to this HTML file");
        app.add_flag("--again", options->again, "tune also what the store has a decision for");
        app.add_flag("--explain", options->explain,
                     "say what bounds each program here, how near it came to that, and which steps "
                     "it refuses");
        app.add_flag("--json", options->json, "print the decisions as JSON");
        app.add_flag("--stats", options->stats, "count what happened, at the end");
        return [options](const Environment& environment) {
          return tune_programs(*options, environment);
        };
      },
  };
}

}  // namespace vyre::cli
