// `vyre run`: runs one program on one device with the inputs given, and prints what it computed.
#include "vyre/run/run.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/command.h"
#include "cli/isolate.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/run_inputs.h"
#include "cli/run_tuned.h"
#include "interpret/interpret.h"
#include "run/data.h"
#include "vyre/device/device.h"

namespace vyre::cli {
namespace {

struct RunOptions {
  std::string file;
  std::string device = "opencl";
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::vector<std::string> outputs;   // name or name=@file
  bool tuned = false;
  bool reassociate = false;
  bool stats = false;
};

// "name" or "name=@file", checked before anything runs.
struct Output {
  const RunInputs::Buffer* buffer = nullptr;
  std::string file;
};

Result<std::vector<Output>> find_outputs(const RunInputs& inputs, const RunOptions& options) {
  std::vector<Output> found;
  for (const std::string& text : options.outputs) {
    const std::size_t equals = text.find("=@");
    const std::string name = text.substr(0, equals);
    const RunInputs::Buffer* buffer = inputs.find(name);
    if (buffer == nullptr) {
      return fail(
          ErrorKind::input,
          fmt::format("--out {}: the program has no such buffer; it has {}", text, inputs.names()));
    }
    found.push_back({buffer, equals == std::string::npos ? "" : text.substr(equals + 2)});
  }
  // Without --out, what the program writes is shown.
  if (options.outputs.empty()) {
    for (const RunInputs::Buffer& b : inputs.buffers()) {
      if (b.declared->access != Access::read) found.push_back({&b, ""});
    }
  }
  return found;
}

Result<void> check_files(const std::vector<Output>& outputs, const std::string& program) {
  std::vector<OutputFile> files;
  for (const Output& output : outputs) {
    if (output.file.empty()) continue;
    files.push_back({"--out " + output.buffer->declared->name, output.file});
  }
  return check_outputs(files, std::span(&program, 1));
}

// All elements, as --in reads them; only the first ones where they were not asked for.
void print_values(const RunInputs::Buffer& buffer, std::size_t most) {
  const Scalar element = buffer.declared->element;
  const std::size_t count = buffer.bytes.size() / storage_bytes(element);
  std::string text = buffer.declared->name + "=";
  for (std::size_t i = 0; i < std::min(count, most); ++i) {
    if (i > 0) text += ',';
    text += run::element_text(buffer.bytes, element, i);
  }
  if (count > most) text += fmt::format(",... ({} elements)", count);
  print_result("{}\n", text);
}

std::string_view content_of(const RunInputs::Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size()};
}

// The reference device runs the program printed anew; run from its own text, a mistake in the
// program is reported at its place in the user's file.
Result<device::Timing> launch(device::Device& device, const ir::Program& program,
                              RunInputs& inputs) {
  if (device.language() != Language::vy) {
    return run::once(device, {program, inputs.uniforms()}, inputs.spans());
  }
  const auto start = std::chrono::steady_clock::now();
  const auto ran = interpret::run(program, inputs.uniforms(), inputs.spans());
  if (!ran) return Unexpected(ran.error());
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
  const auto ns = static_cast<std::uint64_t>(took.count());
  return device::Timing{.device_ns = ns, .wall_ns = ns};
}

Result<void> write_outputs(const std::vector<Output>& outputs, bool all) {
  for (const Output& output : outputs) {
    if (output.file.empty()) {
      print_values(*output.buffer, all ? output.buffer->bytes.size() : 8);
    } else if (auto written = write_file(output.file, content_of(*output.buffer)); !written) {
      return written;
    }
  }
  flush_results();
  return {};
}

// What happened, for people.
Result<std::string> run_on(device::Device& device, const ir::Program& program, RunInputs& inputs,
                           const RunOptions& options, const Environment& environment) {
  if (options.tuned) return run_tuned(device, program, inputs, options.stats, environment);
  const auto timing = launch(device, program, inputs);
  if (!timing) return Unexpected(timing.error());
  return fmt::format("{:.3f} ms", static_cast<double>(timing->device_ns) / 1e6);
}

ExitStatus run(const RunOptions& options, const Environment& environment) {
  const auto program = read_program(options.file, options.reassociate);
  if (!program) return report(options.file, program.error());
  auto inputs = RunInputs::make(*program, options.inputs, options.uniforms);
  if (!inputs) return report(inputs.error());
  const auto outputs = find_outputs(*inputs, options);
  if (!outputs) return report(outputs.error());
  if (auto can = check_files(*outputs, options.file); !can) return report(can.error());
  auto device = device::open(options.device);
  if (!device) return report(device.error());
  for (const std::string& note : inputs->notes()) print_message("{}\n", note);
  const auto ran = run_on(**device, *program, *inputs, options, environment);
  if (!ran && ran.error().place.known()) return report(options.file, {ran.error()});
  if (!ran) return report(ran.error());
  const auto written = write_outputs(*outputs, !options.outputs.empty());
  print_message("{} on {}: {}\n", program->name, (*device)->adapter().name, *ran);
  return written ? done : report(written.error());
}

}  // namespace

Command run_command() {
  return {
      .name = "run",
      .summary = "Run a program on a device",
      .example =
          "vyre run saxpy.vy --in x=ramp:1024 --in y=fill:1 --out y\n"
          "vyre run saxpy.vy --device reference --set n=8 --set a=0.5 --in x=1,2,3,4,5,6,7,8\n"
          "vyre run saxpy.vy --in x=random:7:1024 --in y=@y.bin --out y=@result.bin\n"
          "VYRE_AUTOTUNER=off vyre run saxpy.vy --tuned",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<RunOptions>();
        app.add_option("file", options->file, "the program; - for standard input")->required();
        add_device(app, options->device);
        add_repeated(
            app, "--in", options->inputs,
            "content of a buffer: NAME=ramp[:COUNT], random:SEED[:COUNT], fill:VALUE[:COUNT], "
            "1,2,3 or @FILE; random:0 if not given");
        add_repeated(app, "--set", options->uniforms, "value of a uniform: NAME=VALUE");
        add_repeated(
            app, "--out", options->outputs,
            "buffer to print, or NAME=@FILE to write its bytes; if not given, the start of "
            "what the program writes");
        CLI::Option* tuned =
            app.add_flag("--tuned", options->tuned,
                         "as the store of decisions says; without one, tune first "
                         "(VYRE_AUTOTUNER=on sweeps workgroups, off measures nothing)");
        add_reassociate(app, options->reassociate);
        app.get_option("--reassociate")->needs(tuned);
        app.add_flag("--stats", options->stats, "with --tuned: count what happened")->needs(tuned);
        return [options](const Environment& environment) {
          return isolated("running it", [&] { return run(*options, environment); });
        };
      },
  };
}

}  // namespace vyre::cli
