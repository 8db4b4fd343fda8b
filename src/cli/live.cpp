// `vyre live`: runs a program over and over while its calls tune it, for a person to watch.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <bit>
#include <deque>
#include <memory>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/live_view.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/program_file.h"
#include "cli/run_inputs.h"
#include "cli/store_files.h"
#include "front/array_state.h"
#include "front/kernel_state.h"

namespace vyre::cli {
namespace {

using namespace std::chrono_literals;

struct LiveOptions {
  std::string file;
  std::string device = "opencl";
  std::vector<std::string> inputs;    // name=description
  std::vector<std::string> uniforms;  // name=value
  std::string time = "30s";
  std::uint64_t dispatches = 0;
  double share = 0.2;
  std::string policy;
  bool again = false;
  bool json = false;
  bool stats = false;
};

Number number_of(const Literal& value) {
  switch (value.scalar) {
    case Scalar::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
    case Scalar::f64:
      return std::bit_cast<double>(value.bits);
    case Scalar::i32:
      return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(value.bits));
    case Scalar::u64:
      return value.bits;
    case Scalar::i64:
      return std::bit_cast<std::int64_t>(value.bits);
    case Scalar::boolean:
      return value.bits != 0;
    default:
      return static_cast<std::uint32_t>(value.bits);
  }
}

// The program as an application has it that uses the front door.
struct Application {
  std::shared_ptr<detail::ContextState> context;
  std::shared_ptr<detail::KernelState> kernel;
  std::vector<detail::AnyArray> arrays;
};

// As it is, or as the store says, where nothing is to be tuned.
tune::Mode mode_of(const Environment& environment) {
  const bool off = tune::mode_of(environment.autotuner).mode == tune::Mode::stored;
  return off ? tune::Mode::stored : tune::Mode::live;
}

Result<Application> open_application(const ir::Program& program, const RunInputs& inputs,
                                     const LiveOptions& options, const Environment& environment) {
  Application made;
  VYRE_TRY(
      made.context,
      detail::open_context({.device = options.device,
                            .mode = mode_of(environment),
                            .store = options.again ? "none" : store_directory(environment).string(),
                            .live = {.share = options.share, .policy = options.policy},
                            .log = [](std::string_view line) { print_message("{}\n", line); }}));
  std::vector<Setting> settings;
  for (const auto& [name, value] : inputs.uniforms()) settings.push_back({name, number_of(value)});
  std::vector<detail::Parameter> parameters;
  for (const RunInputs::Buffer& buffer : inputs.buffers()) {
    const Scalar element = buffer.declared->element;
    parameters.push_back({element, buffer.declared->access != Access::read});
    made.arrays.emplace_back(detail::ArrayState::of(
        made.context, element, {buffer.bytes.size() / storage_bytes(element)}, buffer.bytes));
  }
  VYRE_TRY(made.kernel, detail::KernelState::make(made.context, program, settings, parameters));
  return made;
}

// Runs it until the time is over, and shows how it goes.
class LiveRun {
 public:
  LiveRun(Application& application, const LiveOptions& options, std::chrono::nanoseconds time)
      : application_(application), options_(options), time_(time), view_(isatty(STDERR_FILENO)) {
    for (const auto& array : application.arrays) arguments_.push_back(&array);
  }

  Result<LiveMoment> run() {
    const Interrupt interrupt;
    began_ = marked_ = steady_clock().now();
    for (;;) {
      events_.push_back(application_.kernel->call(arguments_));
      if (++calls_ == 1) moment_.first_call = steady_clock().now() - began_;
      if (events_.size() > ahead) VYRE_CHECK(wait_for_oldest());
      const bool all = options_.dispatches > 0 && calls_ == options_.dispatches;
      const auto now = steady_clock().now();
      if (now - marked_ >= 500ms) mark(now);
      if (all || now - began_ >= time_ || interrupt.requested()) break;
    }
    while (!events_.empty()) VYRE_CHECK(wait_for_oldest());
    mark(steady_clock().now());
    return moment_;
  }

 private:
  // So many calls are under way at once: enough to keep a device busy.
  static constexpr std::size_t ahead = 3;

  Result<void> wait_for_oldest() {
    VYRE_CHECK(events_.front().wait());
    events_.pop_front();
    return {};
  }

  void mark(std::chrono::nanoseconds now) {
    const double took = std::chrono::duration<double>(now - marked_).count();
    moment_.rate = static_cast<double>(calls_ - marked_calls_) / took;
    marked_ = now;
    marked_calls_ = calls_;
    moment_.elapsed = now - began_;
    moment_.status = application_.kernel->live();
    moment_.status.dispatches = calls_;
    view_.show(moment_);
  }

  Application& application_;
  const LiveOptions& options_;
  std::chrono::nanoseconds time_;
  LiveView view_;
  std::vector<const detail::AnyArray*> arguments_;
  std::deque<Event> events_;
  std::chrono::nanoseconds began_{};
  std::chrono::nanoseconds marked_{};
  std::uint64_t calls_ = 0;
  std::uint64_t marked_calls_ = 0;
  LiveMoment moment_;
};

std::string why_not_live(const Environment& environment, const std::string& configuration) {
  if (mode_of(environment) == tune::Mode::stored) {
    return fmt::format("VYRE_AUTOTUNER is {}: it ran as {}", *environment.autotuner, configuration);
  }
  return fmt::format("the store has a decision for these sizes: {}; --again begins without it",
                     configuration);
}

ExitStatus live(const LiveOptions& options, const Environment& environment) {
  const auto program = read_program(options.file);
  if (!program) return report(options.file, program.error());
  const auto time = parse_duration(options.time, "--for", 1ms);
  if (!time) return report(time.error());
  const auto inputs = RunInputs::make(*program, options.inputs, options.uniforms);
  if (!inputs) return report(inputs.error());
  auto application = open_application(*program, *inputs, options, environment);
  if (!application) return report(application.error());
  for (const std::string& note : inputs->notes()) print_message("{}\n", note);
  print_message("on {}\n", application->context->device().adapter().name);
  const auto moment = LiveRun(*application, options, *time).run();
  if (!moment) return report(moment.error());
  const std::string configuration = application->kernel->configuration();
  write_result(options.json ? json_of(*moment, configuration) : summary_of(*moment));
  if (moment->status.arms.empty()) print_message("{}\n", why_not_live(environment, configuration));
  flush_results();
  if (options.stats) write_message(to_string(application->context->counters().read()));
  return done;
}

}  // namespace

Command live_command() {
  return {
      .name = "live",
      .summary = "Run a program over and over while its calls tune it, and watch",
      .example =
          "vyre live stencil2d.vy --for 30s\n"
          "vyre live gemm.vy --set n=512 --dispatches 3000 --again",
      .declare = [](CLI::App& app) -> Action {
        const auto options = std::make_shared<LiveOptions>();
        app.add_option("file", options->file, "a program in the text form")->required();
        add_device(app, options->device);
        add_data(app, options->inputs, options->uniforms);
        app.add_option("--for", options->time, "how long: 500ms, 30s, 2m")->capture_default_str();
        add_count(app, "--dispatches", options->dispatches, "end after so many; 0: only by time");
        app.add_option("--share", options->share, "of the machine, for the search beside it")
            ->capture_default_str();
        app.add_option("--policy", options->policy,
                       "who runs next: thompson, natural, identity, epsilon or halving");
        app.add_flag("--json", options->json, "print what came of it as JSON");
        app.add_flag("--again", options->again,
                     "as if the store were empty; nothing is remembered");
        app.add_flag("--stats", options->stats, "count what happened, at the end");
        return [options](const Environment& environment) { return live(*options, environment); };
      },
  };
}

}  // namespace vyre::cli
