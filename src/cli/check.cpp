// `vyre check`: validates programs and prints their fingerprints; on request, what they become.

#include <CLI/App.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/races.h"
#include "cli/run_inputs.h"
#include "cli/scheduled.h"
#include "emit/emit.h"
#include "ir/facts.h"
#include "run/sizes.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
  std::string schedule;
  bool reassociate = false;
  std::string emit;
  bool races = false;
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::string limit = "60";           // for one program on the simulator
};

Json as_json(const ir::Facts& f) {
  return {{"invocations", f.invocations},
          {"integer_ops", f.integer_ops},
          {"float_ops", f.float_ops},
          {"special_ops", f.special_ops},
          {"comparisons", f.comparisons},
          {"conversions", f.conversions},
          {"loads", f.loads},
          {"stores", f.stores},
          {"atomics", f.atomics},
          {"global_bytes_read", f.global_bytes_read},
          {"global_bytes_written", f.global_bytes_written},
          {"shared_bytes_read", f.shared_bytes_read},
          {"shared_bytes_written", f.shared_bytes_written},
          {"shared_bytes", f.shared_bytes},
          {"barriers", f.barriers},
          {"branches", f.branches},
          {"loops", f.loops},
          {"divergent", f.divergent},
          {"exact", f.exact}};
}

// With these values in place of the defaults.
ir::Program with_defaults(ir::Program program, const ir::Uniforms& values) {
  for (ir::Uniform& uniform : program.uniforms) {
    const auto given = values.find(uniform.name);
    if (given != values.end()) uniform.value = given->second;
  }
  return program;
}

// The source that a device's compiler sees, for these sizes.
Result<std::string> emitted(const ir::Program& program, const ir::Uniforms& uniforms,
                            const std::string& language) {
  if (language == "vy") return ir::print(with_defaults(program, uniforms));
  std::vector<emit::Unit> units;
  for (const ir::Program& stage : ir::stages(program)) {
    units.push_back({stage, run::size_uniforms(stage, uniforms)});
  }
  const auto source = emit::emit(units, language == "cuda" ? Language::cuda_c : Language::opencl_c);
  if (!source) return Unexpected(source.error());
  return source->text;
}

// What is said of a valid program.
Result<void> show_program(const std::string& file, const ir::Program& program,
                          const CheckOptions& options, Json& rows) {
  VYRE_TRY(const auto uniforms, parse_uniforms(program, options.uniforms));
  VYRE_TRY(const auto facts, ir::facts(program, uniforms));
  if (!options.emit.empty()) {
    VYRE_TRY(const auto text, emitted(program, uniforms, options.emit));
    write_result(text);
    return {};
  }
  const std::string fingerprint = to_hex(ir::fingerprint(program));
  if (options.json) {
    rows.push_back({{"file", file},
                    {"program", program.name},
                    {"fingerprint", fingerprint},
                    {"facts", as_json(facts)}});
  } else {
    print_result("{}  {}  {}\n", fingerprint, program.name, file);
  }
  return {};
}

ExitStatus check_file(const std::string& file, const CheckOptions& options, Json& rows) {
  auto program = read_program(file, options.reassociate);
  if (program) program = scheduled(*program, options.schedule);
  if (!program) return report(file, program.error());
  const auto shown = show_program(file, *program, options, rows);
  return shown ? done : report(file, shown.error());
}

ExitStatus check_files(const CheckOptions& options) {
  ExitStatus worst = done;
  Json rows = Json::array();
  for (const std::string& file : options.files) {
    worst = std::max(worst, check_file(file, options, rows));
  }
  if (options.json) {
    write_result(json_text({{"programs", rows}}));
  }
  return worst;
}

// A fingerprint is the same for all sizes.
Result<void> check_sizes(const CheckOptions& options) {
  if (options.uniforms.empty() || options.json || !options.emit.empty()) return {};
  return fail(ErrorKind::input,
              "--set changes nothing here: it goes with --emit, --json or --races");
}

ExitStatus check_programs(const CheckOptions& options) {
  const auto sizes = check_sizes(options);
  return sizes ? check_files(options) : report(sizes.error());
}

ExitStatus races(const CheckOptions& options) {
  const auto limit = parse_duration(options.limit, "--limit", std::chrono::milliseconds(1));
  if (!limit) return report(limit.error());
  return check_races({.files = options.files,
                      .inputs = options.inputs,
                      .uniforms = options.uniforms,
                      .limit = std::chrono::duration_cast<std::chrono::milliseconds>(*limit)});
}

// --in and --limit mean nothing without --races.
void add_races(CLI::App& app, CheckOptions& options) {
  CLI::Option* races =
      app.add_flag("--races", options.races,
                   "run each on Oclgrind's simulator, which finds races and accesses out of bounds "
                   "in the emitted code; sizes that are not set are reduced");
  races->excludes("--json")->excludes("--emit")->excludes("--schedule");
  add_data(app, options.inputs, options.uniforms);
  app.add_option("--limit", options.limit,
                 "how long one may run there: a time (500ms, 2m), or a number of seconds")
      ->capture_default_str();
  for (const char* name : {"--in", "--limit"}) app.get_option(name)->needs(races);
}

}  // namespace

Command check_command() {
  return {
      .name = "check",
      .summary = "Validate programs: all problems with their places, or the fingerprint",
      .example =
          "vyre check saxpy.vy\n"
          "vyre check saxpy.vy --json           # with operations, bytes moved, barriers\n"
          "vyre check saxpy.vy --emit opencl    # the source that the device compiles\n"
          "vyre check saxpy.vy --schedule \"wg_x=8 vector=16\" --emit vy    # what that makes of "
          "it\n"
          "vyre check --races saxpy.vy          # that source on Oclgrind's simulator",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<CheckOptions>();
        app.add_option("files", options->files, "programs in the text form; - for standard input")
            ->required();
        app.add_flag("--json", options->json, "print fingerprints and static facts as JSON");
        add_schedule(app, options->schedule);
        app.add_option("--emit", options->emit, "print the source instead: vy, opencl or cuda")
            ->check(CLI::IsMember({"vy", "opencl", "cuda"}));
        add_reassociate(app, options->reassociate);
        add_races(app, *options);
        return [options](const Environment&) {
          return options->races ? races(*options) : check_programs(*options);
        };
      },
  };
}

}  // namespace vyre::cli
