// Programs that run one after the other on the caller's arrays and on some of their own.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "front/call.h"
#include "front/context_state.h"
#include "tune/family.h"
#include "vyre/front/mathematics.h"
#include "vyre/ir/program.h"
#include "vyre/tune/tuned.h"

namespace vyre::detail {

// One program: with the family that it is tuned in, or else launched as it is unless the store has
// a decision.
struct ChainLink {
  ir::Program program;  // of the family: the baseline
  std::optional<tune::Family> family = {};
};

// A buffer that the caller gives, and what a call does with it: what it writes as a whole it does
// not need to read, whatever its programs do with it meanwhile.
struct ChainArgument {
  std::string name;
  Access access = Access::read;
};

class ChainState {
 public:
  using Arrays = std::span<const AnyArray* const>;

  // Buffers that are no argument are made here.
  static Result<std::shared_ptr<ChainState>> make(std::shared_ptr<ContextState> context,
                                                  std::string name, std::vector<ChainLink> links,
                                                  const std::vector<ChainArgument>& arguments);

  ChainState(std::shared_ptr<ContextState> context, const std::string& name)
      : context_(std::move(context)), name_(&context_->keep_name(name)) {}

  [[nodiscard]] Event call(Arrays arrays);
  // One of its own arrays. Requires: there is one of this name.
  [[nodiscard]] const std::shared_ptr<ArrayState>& own(std::string_view name) const;
  [[nodiscard]] tune::Status status() const;
  [[nodiscard]] std::string why() const;

 private:
  // A buffer of the programs: the caller's argument, or an array of its own.
  struct Slot {
    std::string name;
    Scalar scalar = Scalar::f32;
    std::uint32_t count = 0;
    Access access = Access::read;  // by a call
    bool argument = false;
    std::shared_ptr<ArrayState> own;  // none: the caller's
  };
  struct Link {
    tune::Tuned tuned;
    std::vector<std::size_t> slots;
    bool searches = false;
  };
  [[nodiscard]] Result<void> add(ChainLink link);
  [[nodiscard]] Result<std::size_t> slot_of(const ir::Program& program, const ir::Buffer& buffer);
  [[nodiscard]] Result<void> allocate(std::size_t arguments);
  [[nodiscard]] Result<void> check_arrays(Arrays arrays) const;
  [[nodiscard]] const std::shared_ptr<ArrayState>& array(std::size_t slot, Arrays arrays) const;
  [[nodiscard]] Result<std::vector<device::Buffer*>> buffers_of(const Link& link,
                                                                Arrays arrays) const;
  [[nodiscard]] Result<Event> enqueue(Arrays arrays);
  [[nodiscard]] Result<Event> record(Recording& recording, Arrays arrays);
  [[nodiscard]] const Link& main_link() const;
  void say_why();

  std::shared_ptr<ContextState> context_;
  const std::string* name_;  // the context's
  std::vector<Slot> slots_;  // the caller's first
  std::vector<Link> links_;
  std::mutex mutex_;
  bool said_why_ = false;
};

}  // namespace vyre::detail
