#include "vyre/front/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/memory.h"
#include "front/deduce.h"
#include "front/kernel_live.h"
#include "front/kernel_state.h"
#include "front/recording.h"
#include "run/sizes.h"

namespace vyre {
namespace detail {
namespace {

std::string cpp_name(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return "float";
    case Scalar::f64:
      return "double";
    case Scalar::i32:
      return "std::int32_t";
    case Scalar::u32:
      return "std::uint32_t";
    case Scalar::u64:
      return "std::uint64_t";
    case Scalar::i64:
      return "std::int64_t";
    case Scalar::boolean:
      return "bool";
    case Scalar::u8:
      return "std::uint8_t";
    case Scalar::i8:
      return "std::int8_t";
    case Scalar::u16:
      return "std::uint16_t";
    case Scalar::i16:
      return "std::int16_t";
    case Scalar::f16:
      return "vyre::Half";
    case Scalar::unknown:
      break;
  }
  return "that";
}

std::string cpp_name(const ir::Buffer& buffer) {
  return (buffer.access == Access::read ? "const " : "") + cpp_name(buffer.element);
}

// "kernel<const float, float>": what should have been written.
std::string signature(std::span<const ir::Buffer> buffers) {
  std::string text = "kernel<";
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    text += (i == 0 ? "" : ", ") + cpp_name(buffers[i]);
  }
  return text + ">";
}

Problems check_parameters(const ir::Program& program, std::span<const Parameter> parameters) {
  const auto buffers = run::global_buffers(program);
  const std::string wanted = fmt::format("; it is a {}", signature(buffers));
  if (parameters.size() != buffers.size()) {
    return {{ErrorKind::input, fmt::format("{} takes {} arrays, not {}{}", program.name,
                                           buffers.size(), parameters.size(), wanted)}};
  }
  Problems problems;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& [scalar, writes] = parameters[i];
    const ir::Buffer& buffer = buffers[i];
    const bool written = buffer.access != Access::read;
    if (scalar == buffer.element && writes == written) continue;
    problems.push_back(
        {ErrorKind::input,
         fmt::format("argument {} of {}, '{}', is {} and is {}: its type is {}, not {}{}{}", i + 1,
                     program.name, buffer.name, name_of(buffer.element),
                     written ? "written" : "only read", cpp_name(buffer), writes ? "" : "const ",
                     cpp_name(scalar), wanted),
         buffer.place});
  }
  return problems;
}

Problems add_settings(const ir::Program& program, const std::vector<Setting>& settings,
                      ir::Uniforms& out) {
  Problems problems;
  for (const auto& [name, value] : settings) {
    const ir::Uniform* uniform = ir::find_uniform(program, name);
    if (uniform == nullptr) {
      problems.push_back(
          {ErrorKind::input, fmt::format("{} has no uniform '{}'", program.name, name)});
      continue;
    }
    const auto literal = value.as(uniform->value.scalar);
    if (!literal) {
      problems.push_back({ErrorKind::input, fmt::format("uniform '{}' of {}: {}", name,
                                                        program.name, literal.error().message)});
      continue;
    }
    out[name] = *literal;
  }
  return problems;
}

}  // namespace

KernelState::KernelState(std::shared_ptr<ContextState> context, ir::Program program)
    : context_(std::move(context)),
      program_(std::move(program)),
      parameters_(run::global_buffers(program_)),
      name_(&context_->keep_name(program_.name)) {
  uses_.resize(parameters_.size());
  buffers_.resize(parameters_.size());
  plain_.resize(parameters_.size());
}

KernelState::~KernelState() {
  for (Instance& instance : instances_) end_live(instance);
}

Result<std::shared_ptr<KernelState>> KernelState::make(std::shared_ptr<ContextState> context,
                                                       ir::Program program,
                                                       const std::vector<Setting>& uniforms,
                                                       std::span<const Parameter> parameters) {
  auto made = std::make_shared<KernelState>(std::move(context), std::move(program));
  Problems problems = check_parameters(made->program_, parameters);
  std::ranges::move(add_settings(made->program_, uniforms, made->given_),
                    std::back_inserter(problems));
  if (!problems.empty()) return Failure(one_error(std::move(problems)));
  return made;
}

Result<void> KernelState::check_arrays(Arrays arrays) const {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& state = arrays[i]->state();
    const auto problem = [&](const std::string& what) {
      return fail(ErrorKind::input, fmt::format("argument {} of {}, '{}': {}", i + 1, *name_,
                                                parameters_[i].name, what));
    };
    if (state == nullptr) return problem(never_made("array"));
    if (state->context() != context_) return problem("the array belongs to another context");
  }
  return {};
}

bool KernelState::fits(const Instance& instance, Arrays arrays) {
  return std::ranges::equal(
      instance.extents, arrays, {}, {},
      [](const AnyArray* array) -> const Extents& { return array->extents(); });
}

Result<KernelState::Instance*> KernelState::instance_for(Arrays arrays) {
  if (last_ != nullptr && fits(*last_, arrays)) return last_;
  for (Instance& instance : instances_) {
    if (!fits(instance, arrays)) continue;
    decide(instance, instance.executable);
    return last_ = &instance;
  }
  std::vector<Extents> extents;
  for (const AnyArray* array : arrays) extents.push_back(array->extents());
  return make_instance(std::move(extents));
}

Result<KernelState::Instance*> KernelState::make_instance(std::vector<Extents> extents) {
  VYRE_TRY(auto uniforms, deduce_sizes(program_, given_, extents));
  VYRE_TRY(auto family, tune::family_of(program_, uniforms, context_->device().adapter().limits));
  VYRE_TRY(auto tuned,
           tune::Tuned::make(context_->device(), family, uniforms, context_->tuned_options()));
  instances_.push_back({.extents = std::move(extents),
                        .family = std::move(family),
                        .uniforms = std::move(uniforms),
                        .tuned = std::move(tuned)});
  last_ = &instances_.back();
  decide(*last_, nullptr);
  return last_;
}

void KernelState::decide(Instance& instance, run::Executable* executable) {
  const auto held = context_->hold();
  instance.executable = executable;
  ready_ = executable == nullptr ? nullptr : &instance;
}

Result<std::span<device::Buffer* const>> KernelState::buffers_of(Arrays arrays) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    auto buffer = arrays[i]->state()->buffer();
    if (!buffer) return Failure(std::move(buffer).error());
    buffers_[i] = *buffer;
  }
  return std::span<device::Buffer* const>(buffers_);
}

std::optional<Event> KernelState::call_again(Arrays arrays) {
  const auto held = context_->hold();
  if (ready_ == nullptr || !context_->has_room() || !fits(*ready_, arrays)) return {};
  if (ready_->live && ready_->live->has_news()) return {};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    ArrayState* const state = arrays[i]->state().get();
    if (state == nullptr || state->context() != context_) return {};
    plain_[i] = state->plain_buffer();
    if (plain_[i] == nullptr) return {};
  }
  auto event = launch(*ready_, plain_);
  if (!event) return {};
  return *std::move(event);
}

Result<Event> KernelState::launch(Instance& instance, std::span<device::Buffer* const> buffers) {
  VYRE_TRY(auto event, instance.executable->enqueue(context_->queue(), buffers));
  if (instance.live) instance.live->count();
  context_->counters().add(tune::Count::dispatches);
  return context_->watch(std::move(event), *name_);
}

Result<Event> KernelState::enqueue(Arrays arrays) {
  VYRE_TRY(Instance* const instance, instance_for(arrays));
  VYRE_TRY(const auto buffers, buffers_of(arrays));
  if (instance->executable != nullptr) {
    const auto held = context_->hold();
    if (!instance->live || !instance->live->has_news()) return launch(*instance, buffers);
    VYRE_TRY(auto event, take_turn(*instance, buffers, {}, [&](run::Executable& executable) {
               return executable.enqueue(context_->queue(), buffers);
             }));
    far_behind_ = instance->live->far_behind();
    return context_->watch(std::move(event), *name_);
  }
  auto event = enqueue_first(*instance, buffers);
  if (!instance->decided) say_why(*instance);
  decide(*instance, instance->tuned.decided());
  if (event) go_live(*instance);
  if (!event) return Failure(std::move(event).error());
  return context_->submit(*std::move(event), *name_);
}

void KernelState::say_why(Instance& instance) {
  instance.decided = true;
  const std::string problem = instance.tuned.problem();
  if (problem.empty() || std::exchange(said_why_, true)) return;
  context_->log(fmt::format("vyre: {}: {}", *name_, problem));
}

Error KernelState::named(Error error) const {
  if (!error.message.contains(*name_)) error.message = *name_ + ": " + error.message;
  return error;
}

Event KernelState::call(Arrays arrays) {
  if (Recording::current(*context_) == nullptr) {
    if (auto event = call_again(arrays)) return *std::move(event);
  }
  device::Event far_behind;
  const auto within = [&]() -> Result<Event> {
    VYRE_CHECK(check_arrays(arrays));
    const std::lock_guard guard(mutex_);
    far_behind_ = {};
    if (Recording* const recording = Recording::current(*context_)) {
      return record(*recording, arrays);
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      uses_[i] = {arrays[i]->state().get(), parameters_[i].access};
    }
    return perform(*context_, uses_, [&]() -> Result<Event> {
      auto event = within_memory([&] { return enqueue(arrays); });
      far_behind = std::exchange(far_behind_, {});
      if (!event) return Failure(named(std::move(event).error()));
      return event;
    });
  };
  auto event = within();
  // Others may call it meanwhile. What came of it is known by its own event.
  (void)far_behind.wait();
  if (event) return *std::move(event);
  const Kept why = context_->keep(std::move(event).error());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& state = arrays[i]->state();
    if (state != nullptr && parameters_[i].access != Access::read) state->spoil(why);
  }
  return Event(std::make_shared<const Command>(why));
}

Event KernelState::record(Recording& recording, Arrays arrays) {
  std::vector<KeptUse> uses;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    uses.push_back({arrays[i]->state(), parameters_[i].access});
    uses_[i] = {arrays[i]->state().get(), parameters_[i].access};
  }
  if (const Kept why = fault_of(uses_)) return recording.refuse(why->error);
  auto bound = within_memory([&]() -> Result<run::Executable> {
    VYRE_TRY(Instance* const instance, instance_for(arrays));
    VYRE_TRY(const auto buffers, buffers_of(arrays));
    if (instance->executable != nullptr) {
      const auto held = context_->hold();
      return instance->executable->bound(buffers);
    }
    auto made = instance->tuned.bound(context_->queue(), buffers);
    if (!instance->decided) say_why(*instance);
    if (made) {
      decide(*instance, instance->tuned.decided());
      go_live(*instance);
    }
    return made;
  });
  if (!bound) return recording.refuse(named(std::move(bound).error()));
  if (last_->live) {
    auto call = std::make_shared<LiveCall>(shared_from_this(), *last_, *std::move(bound));
    return recording.add({std::move(uses), name_, [call](device::Queue&) { return (*call)(); }});
  }
  return recording.add({std::move(uses), name_, launch_of(*context_, *std::move(bound))});
}

Result<void> KernelState::tune(Arrays arrays, const TuneRequest& request) {
  VYRE_CHECK(not_recording(*context_, "tune"));
  VYRE_CHECK(check_arrays(arrays));
  const std::lock_guard guard(mutex_);
  for (const AnyArray* array : arrays) VYRE_CHECK(array->check());
  return within_memory([&]() -> Result<void> {
    VYRE_TRY(Instance* const instance, instance_for(arrays));
    VYRE_TRY(const auto buffers, buffers_of(arrays));
    end_live(*instance);
    decide(*instance, nullptr);
    auto done = instance->tuned.tune(context_->queue(), buffers, request);
    if (done) say_why(*instance);
    decide(*instance, instance->tuned.decided());
    return done;
  });
}

Result<void> KernelState::set(std::string_view uniform, Number value) {
  const std::lock_guard guard(mutex_);
  const std::vector<Setting> setting = {{std::string(uniform), value}};
  ir::Uniforms changed;
  if (Problems problems = add_settings(program_, setting, changed); !problems.empty()) {
    return Failure(one_error(std::move(problems)));
  }
  const auto sizes = run::size_uniforms(program_, given_);
  if (sizes.contains(uniform)) {
    return fail(ErrorKind::input, fmt::format("sizes of {} depend on '{}': they are deduced from "
                                              "the arrays, or given when the kernel is made",
                                              *name_, uniform));
  }
  const auto held = context_->hold();
  for (Instance& instance : instances_) {
    VYRE_CHECK(instance.tuned.set(uniform, changed.begin()->second));
    if (instance.live) VYRE_CHECK(instance.live->set(uniform, changed.begin()->second));
  }
  given_.insert_or_assign(std::string(uniform), changed.begin()->second);
  return {};
}

bool KernelState::tuned() {
  const std::lock_guard guard(mutex_);
  if (last_ == nullptr) return false;
  if (last_->live) {
    return is_tuned(last_->live->status());
  }
  const auto origin = last_->tuned.status().origin;
  return origin == tune::Origin::exact || origin == tune::Origin::tuned;
}

std::string KernelState::why() {
  const std::lock_guard guard(mutex_);
  if (last_ == nullptr) return fmt::format("{} was not called yet", *name_);
  if (last_->live) return why_live(*last_->live);
  const auto status = last_->tuned.status();
  if (std::string problem = last_->tuned.problem(); !problem.empty()) return problem;
  switch (status.origin) {
    case tune::Origin::undecided:
      return fmt::format("{} was not called yet with these sizes", *name_);
    case tune::Origin::nearest_size:
      return fmt::format("{} runs as was decided for other sizes", *name_);
    case tune::Origin::other_adapter:
      return fmt::format("{} runs as was decided on another device", *name_);
    case tune::Origin::original:
      return fmt::format("{} runs as it is: nothing was decided for it", *name_);
    default:
      return {};
  }
}

std::string KernelState::configuration() {
  const std::lock_guard guard(mutex_);
  if (last_ == nullptr) return "";
  if (last_->live) return configuration_text(last_->family, last_->live->best_member());
  return last_->tuned.status().configuration;
}

LiveStatus KernelState::live() {
  const std::lock_guard guard(mutex_);
  return last_ == nullptr || !last_->live ? LiveStatus{} : last_->live->status();
}

const std::string& AnyKernel::name() const {
  static const std::string none;
  return state_ == nullptr ? none : state_->name();
}

Event AnyKernel::call(Arrays arrays, std::span<const Parameter> parameters) const {
  if (state_ == nullptr) return refuse_never_made("kernel", arrays, parameters);
  return state_->call(arrays);
}

Result<void> AnyKernel::tune_on(Arrays arrays, const TuneRequest& request) const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("kernel"));
  return state_->tune(arrays, request);
}

Result<void> AnyKernel::set(std::string_view uniform, Number value) const {
  if (state_ == nullptr) return fail(ErrorKind::input, never_made("kernel"));
  return within_memory([&] { return state_->set(uniform, value); });
}

bool AnyKernel::tuned() const { return state_ != nullptr && state_->tuned(); }
std::string AnyKernel::why() const {
  return state_ == nullptr ? never_made("kernel") : state_->why();
}
std::string AnyKernel::configuration() const {
  return state_ == nullptr ? "" : state_->configuration();
}
LiveStatus AnyKernel::live() const { return state_ == nullptr ? LiveStatus{} : state_->live(); }

}  // namespace detail
}  // namespace vyre
