// `vyre compose`: several programs as one, with a region for each of them.
#include "vyre/ir/compose.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <span>

#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "vyre/ir/text.h"

namespace vyre::cli {
namespace {

struct ComposeCommandOptions {
  std::vector<std::string> files;
  std::string name = "composed";
  bool rename = false;
  std::string output;  // empty: standard output
};

void say_new_names(const std::string& file, std::string_view kind,
                   const ir::PartNames::Map& names) {
  for (const auto& [was, is] : names) {
    if (was != is) print_message("{}: {} '{}' is '{}'\n", file, kind, was, is);
  }
}

ExitStatus write_composed(const std::string& text, const ComposeCommandOptions& options) {
  if (options.output.empty()) {
    write_result(text);
    return done;
  }
  if (auto written = write_file(options.output, text); !written) return report(written.error());
  return done;
}

ExitStatus compose_files(const ComposeCommandOptions& options) {
  if (!options.output.empty()) {
    const OutputFile output{"--output", options.output};
    const auto good = check_outputs(std::span(&output, 1), options.files);
    if (!good) return report(good.error());
  }
  std::vector<ir::Program> parts;
  ExitStatus worst = done;
  for (const std::string& file : options.files) {
    auto program = read_program(file);
    if (program) {
      parts.push_back(*std::move(program));
    } else {
      worst = std::max(worst, report(file, program.error()));
    }
  }
  if (worst != done) return worst;
  const auto whole = ir::compose(options.name, parts, {.rename = options.rename});
  if (!whole) {
    for (const Error& problem : whole.error().all()) report(problem);
    return status_of(whole.error());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    say_new_names(options.files[i], "uniform", whole->parts[i].uniforms);
    say_new_names(options.files[i], "buffer", whole->parts[i].buffers);
  }
  return write_composed(ir::print(whole->program), options);
}

}  // namespace

Command compose_command() {
  return {
      .name = "compose",
      .summary = "Write several programs as one, so that they run in one dispatch",
      .example =
          "vyre compose scale.vy shift.vy -o both.vy     # buffers of one name are shared\n"
          "vyre compose a.vy b.vy --rename | vyre check -  # what differs gets another name",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<ComposeCommandOptions>();
        app.add_option("files", options->files,
                       "programs in the text form, in their order; - for standard input")
            ->required();
        app.add_option("--name", options->name, "of the program that is made")
            ->capture_default_str();
        app.add_flag("--rename", options->rename,
                     "give another name to what a program declares otherwise than one before it, "
                     "and say so, instead of refusing it");
        app.add_option("-o,--output", options->output, "write it to this file");
        return [options](const Environment&) { return compose_files(*options); };
      },
  };
}

}  // namespace vyre::cli
