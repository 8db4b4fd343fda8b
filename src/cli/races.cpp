#include "cli/races.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/program_file.h"
#include "cli/run_inputs.h"
#include "interpret/interpret.h"
#include "ir/facts.h"
#include "run/sizes.h"
#include "trial/candidate.h"
#include "trial/oclgrind.h"

namespace vyre::cli {
namespace {

// Less than a second on the simulator.
constexpr std::uint64_t most_operations = 250'000;

// A program with data that it can run on, and the sizes that were chosen for it.
struct Sized {
  RunInputs inputs;
  ir::Uniforms chosen;
};

// The uniforms that sizes depend on and nobody has given.
ir::Uniforms open_sizes(const ir::Program& program, const ir::Uniforms& given) {
  ir::Uniforms open = run::size_uniforms(program, given);
  std::erase_if(open, [&](const auto& one) { return given.contains(one.first); });
  return open;
}

ir::Uniforms halved(ir::Uniforms sizes, unsigned times) {
  for (auto& [name, value] : sizes) {
    value.bits = std::max<std::uint64_t>(value.bits >> times, 1);
  }
  return sizes;
}

std::uint64_t operations(const ir::Facts& f) {
  return f.invocations + f.integer_ops + f.float_ops + f.special_ops + f.comparisons +
         f.conversions + f.loads + f.stores + f.atomics;
}

// How often open sizes have to be halved; not at all where nothing is open.
unsigned halvings(const ir::Program& program, const ir::Uniforms& given, const ir::Uniforms& open) {
  constexpr unsigned most = 31;
  unsigned times = 0;
  for (; times < most && !open.empty(); ++times) {
    ir::Uniforms values = halved(open, times);
    values.insert(given.begin(), given.end());
    const auto facts = ir::facts(program, values);
    if (facts && operations(*facts) <= most_operations) break;
  }
  return times;
}

std::vector<std::string> as_options(const ir::Uniforms& sizes) {
  std::vector<std::string> made;
  for (const auto& [name, value] : sizes) made.push_back(fmt::format("{}={}", name, value.bits));
  return made;
}

// What the interpreter says of the program on this data.
Result<void> interpreted(const ir::Program& program, RunInputs inputs) {
  const auto ran = interpret::run(program, inputs.uniforms(), inputs.spans());
  if (!ran) return Unexpected(ran.error());
  return {};
}

// The smallest sizes that the program can have: one that wants multiples of 16 fails at others.
Result<Sized> sized(const ir::Program& program, const RaceOptions& options) {
  const auto given = RunInputs::make(program, options.inputs, options.uniforms);
  if (!given) return Unexpected(given.error());
  const ir::Uniforms open = open_sizes(program, given->uniforms());
  for (unsigned times = halvings(program, given->uniforms(), open);; --times) {
    const ir::Uniforms chosen = halved(open, times);
    std::vector<std::string> uniforms = options.uniforms;
    std::ranges::copy(as_options(chosen), std::back_inserter(uniforms));
    auto inputs = RunInputs::make(program, options.inputs, uniforms);
    if (!inputs) return Unexpected(inputs.error());
    const auto ran = interpreted(program, *inputs);
    if (ran) return Sized{*std::move(inputs), times == 0 ? ir::Uniforms{} : chosen};
    if (times == 0) return Unexpected(ran.error());
  }
}

Result<worker::Job> emitted_job(const ir::Program& program, const RunInputs& inputs) {
  std::vector<worker::Data> buffers;
  for (const auto& buffer : inputs.buffers()) buffers.push_back(worker::data(buffer.bytes));
  auto made = trial::candidate({program, inputs.uniforms()}, buffers, Language::opencl_c,
                               {.expect = false});
  if (!made) return Unexpected(made.error());
  return std::move(made->kernel);
}

std::string sizes_text(const ir::Uniforms& chosen) {
  return chosen.empty()
             ? ""
             : fmt::format(" with {} (--set chooses)", fmt::join(as_options(chosen), " "));
}

void print_finding(const std::string& file, const trial::SimulatorFinding& finding) {
  print_result("found  {}: {}{}\n", file, finding.what,
               finding.times > 1 ? fmt::format(", {} times", finding.times) : "");
  for (const trial::AccessSite& site : finding.sites) {
    print_result("         line {}, invocation {}: {}\n", site.line, site.invocation, site.code);
  }
}

ExitStatus print_simulation(const std::string& file, const trial::Simulation& simulation,
                            const ir::Uniforms& chosen) {
  const auto findings = trial::findings_in(simulation.log);
  for (const trial::SimulatorFinding& finding : findings) print_finding(file, finding);
  if (!findings.empty()) {
    print_result("         the lines are those of the emitted code{}\n", sizes_text(chosen));
  } else if (!simulation.log.empty()) {
    print_result("found  {}: {}\n", file, simulation.log);
  } else if (!simulation.unfinished.empty()) {
    print_result(
        "open   {}: {}; nothing was found until then. Give it smaller sizes with --set, or "
        "more time with --limit\n",
        file, simulation.unfinished);
  } else {
    print_result("clean  {}{}\n", file, sizes_text(chosen));
    return done;
  }
  return check_failed;
}

ExitStatus check_file(const std::string& file, const RaceOptions& options) {
  const auto program = read_program(file);
  if (!program) return report(file, program.error());
  const auto ready = sized(*program, options);
  if (!ready) return report(file, {ready.error()});
  const auto kernel = emitted_job(*program, ready->inputs);
  if (!kernel) return report(file, {kernel.error()});
  print_message("{}: on Oclgrind's simulator{}, at most {:g} s\n", file, sizes_text(ready->chosen),
                std::chrono::duration<double>(options.limit).count());
  const auto simulation =
      trial::run_under_oclgrind(*kernel, trial::oclgrind_library(), {.run_limit = options.limit});
  if (!simulation) return report(simulation.error());
  const ExitStatus status = print_simulation(file, *simulation, ready->chosen);
  flush_results();
  return status;
}

}  // namespace

ExitStatus check_races(const RaceOptions& options) {
  ExitStatus worst = done;
  for (const std::string& file : options.files) {
    worst = std::max(worst, check_file(file, options));
    if (worst == no_such_device) break;
  }
  return worst;
}

}  // namespace vyre::cli
