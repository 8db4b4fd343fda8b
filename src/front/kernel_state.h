// What a kernel is: a program with what is fixed of its uniforms, and a tuned program for each size
// that it was called with.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "front/call.h"
#include "front/context_state.h"
#include "tune/family.h"
#include "tune/live.h"
#include "vyre/front/kernel.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/tune/tuned.h"

namespace vyre::detail {

class KernelState : public std::enable_shared_from_this<KernelState> {
 public:
  using Arrays = std::span<const AnyArray* const>;

  // Refuses uniforms that the program does not have, values that do not fit, and parameters that
  // are not those of the program: all of them at once.
  static Result<std::shared_ptr<KernelState>> make(std::shared_ptr<ContextState> context,
                                                   ir::Program program,
                                                   const std::vector<Setting>& uniforms,
                                                   std::span<const Parameter> parameters);

  KernelState(std::shared_ptr<ContextState> context, ir::Program program);
  KernelState(const KernelState&) = delete;
  KernelState& operator=(const KernelState&) = delete;
  ~KernelState();

  [[nodiscard]] const std::string& name() const { return *name_; }
  [[nodiscard]] const std::shared_ptr<ContextState>& context() const { return context_; }
  [[nodiscard]] const ir::Program& program() const { return program_; }
  // The uniforms that were given, as they are now.
  [[nodiscard]] ir::Uniforms given() {
    const std::lock_guard guard(mutex_);
    return given_;
  }
  [[nodiscard]] Event call(Arrays arrays);
  [[nodiscard]] Result<void> tune(Arrays arrays, const TuneRequest& request);
  [[nodiscard]] Result<void> set(std::string_view uniform, Number value);
  [[nodiscard]] bool tuned();
  [[nodiscard]] std::string why();
  [[nodiscard]] std::string configuration();
  [[nodiscard]] LiveStatus live();

 private:
  // The program for arrays of these extents.
  struct Instance {
    std::vector<Extents> extents;
    tune::Family family;
    ir::Uniforms uniforms;
    tune::Tuned tuned;
    bool decided = false;
    run::Executable* executable = nullptr;  // what was decided; used by who holds the context
    std::shared_ptr<tune::Live> live;       // while it is tuned by its calls
    bool timing = false;                    // for that; whoever holds the context
  };
  // A launch and nothing else: of the sizes of the last call, decided, with arrays that have no
  // errors. Nothing if it is not that.
  [[nodiscard]] std::optional<Event> call_again(Arrays arrays);
  // Before anything is enqueued, so that a refused call leaves everything as it was.
  [[nodiscard]] Result<void> check_arrays(Arrays arrays) const;
  [[nodiscard]] Result<Instance*> instance_for(Arrays arrays);
  [[nodiscard]] Result<Instance*> make_instance(std::vector<Extents> extents);
  [[nodiscard]] static bool fits(const Instance& instance, Arrays arrays);
  [[nodiscard]] Result<std::span<device::Buffer* const>> buffers_of(Arrays arrays);
  [[nodiscard]] Result<Event> enqueue(Arrays arrays);
  // What was decided. Requires: the context is held.
  [[nodiscard]] Result<Event> launch(Instance& instance, std::span<device::Buffer* const> buffers);
  // Decides, and compiles.
  [[nodiscard]] Result<device::Event> enqueue_first(Instance& instance,
                                                    std::span<device::Buffer* const> buffers);
  void decide(Instance& instance, run::Executable* executable);
  // From now on calls tune it, if that is wanted and can be.
  void go_live(Instance& instance);
  [[nodiscard]] bool may_go_live(const Instance& instance) const;
  void end_live(Instance& instance);
  // Members that were good for other sizes.
  [[nodiscard]] std::vector<space::Index> starts_for(const tune::Family& family);
  // A launch of whoever's turn it is. `launch` launches an executable. Requires: the context is
  // held.
  template <class Launch>
  [[nodiscard]] Result<device::Event> take_turn(Instance& instance,
                                                std::span<device::Buffer* const> buffers,
                                                const ir::Uniforms& own, const Launch& launch);
  void time_while(Instance& instance, bool timed);
  [[nodiscard]] std::string why_live(tune::Live& live) const;
  // Whether something was compared, and the best of it runs.
  [[nodiscard]] static bool is_tuned(const LiveStatus& status) {
    const bool compared = status.searched && status.tried > status.failed;
    return status.settled && (compared || status.arms.size() > 1);
  }
  [[nodiscard]] Event record(Recording& recording, Arrays arrays);
  // A recorded call of a kernel that is tuned by its calls.
  class LiveCall;
  // Says once why a kernel runs as it is.
  void say_why(Instance& instance);
  [[nodiscard]] Error named(Error error) const;

  std::shared_ptr<ContextState> context_;
  ir::Program program_;
  std::vector<ir::Buffer> parameters_;  // the global buffers
  const std::string* name_;             // the context's
  ir::Uniforms given_;

  std::mutex mutex_;
  std::list<Instance> instances_;
  Instance* last_ = nullptr;
  Instance* ready_ = nullptr;             // the last if it is decided; whoever holds the context
  std::vector<Use> uses_;                 // of the call under way
  std::vector<device::Buffer*> buffers_;  // likewise
  std::vector<device::Buffer*> plain_;    // of call_again
  device::Event far_behind_;              // what the call under way has to wait for
  bool said_why_ = false;
};

}  // namespace vyre::detail
