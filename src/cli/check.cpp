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

// The source that a device's compiler sees, for the default sizes.
Result<std::string> emitted(const ir::Program& program, const std::string& language) {
  if (language == "vy") return ir::print(program);
  const emit::Unit unit{program, run::size_uniforms(program, {})};
  const auto source =
      emit::emit(std::span(&unit, 1), language == "cuda" ? Language::cuda_c : Language::opencl_c);
  if (!source) return Unexpected(source.error());
  return source->text;
}

ExitStatus check_file(const std::string& file, const CheckOptions& options, Json& rows) {
  const auto program = read_program(file);
  if (!program) return report(file, program.error());
  const auto facts = ir::facts(*program);
  if (!facts) return report(file, {facts.error()});
  if (!options.emit.empty()) {
    const auto text = emitted(*program, options.emit);
    if (!text) return report(file, {text.error()});
    write_result(*text);
    return done;
  }
  const std::string fingerprint = to_hex(ir::fingerprint(*program));
  if (options.json) {
    rows.push_back({{"file", file},
                    {"program", program->name},
                    {"fingerprint", fingerprint},
                    {"facts", as_json(*facts)}});
  } else {
    print_result("{}  {}  {}\n", fingerprint, program->name, file);
  }
  return done;
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

ExitStatus races(const CheckOptions& options) {
  const auto limit = parse_duration(options.limit, "--limit", std::chrono::milliseconds(1));
  if (!limit) return report(limit.error());
  return check_races({.files = options.files,
                      .inputs = options.inputs,
                      .uniforms = options.uniforms,
                      .limit = std::chrono::duration_cast<std::chrono::milliseconds>(*limit)});
}

// The options of --races mean nothing without it.
void add_races(CLI::App& app, CheckOptions& options) {
  CLI::Option* races =
      app.add_flag("--races", options.races,
                   "run each on Oclgrind's simulator, which finds races and accesses out of bounds "
                   "in the emitted code; sizes that are not set are reduced");
  races->excludes("--json")->excludes("--emit");
  add_data(app, options.inputs, options.uniforms);
  app.add_option("--limit", options.limit,
                 "how long one may run there: a time (500ms, 2m), or a number of seconds")
      ->capture_default_str();
  for (const char* name : {"--in", "--set", "--limit"}) app.get_option(name)->needs(races);
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
          "vyre check --races saxpy.vy          # that source on Oclgrind's simulator",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<CheckOptions>();
        app.add_option("files", options->files, "programs in the text form; - for standard input")
            ->required();
        app.add_flag("--json", options->json, "print fingerprints and static facts as JSON");
        app.add_option("--emit", options->emit, "print the source instead: vy, opencl or cuda")
            ->check(CLI::IsMember({"vy", "opencl", "cuda"}));
        add_races(app, *options);
        return [options](const Environment&) {
          return options->races ? races(*options) : check_files(*options);
        };
      },
  };
}

}  // namespace vyre::cli
