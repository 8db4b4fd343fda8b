// Kernels that compute the same in different ways, as a space: what the tuner chooses from.
//
// Where a member comes from (a program with a schedule, a layout of a primitive) is known here and
// nowhere beneath: the rest sees candidates, and executables at run time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/features.h"
#include "schedule/schedule_space.h"
#include "trial/candidate.h"
#include "trial/reference.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/ir/size.h"
#include "vyre/run/run.h"
#include "vyre/space/space.h"
#include "vyre/store/key.h"
#include "worker/session.h"

namespace vyre::tune {

// What members run on: the contents of the global buffers in the order of declaration.
struct Workload {
  ir::Uniforms uniforms;
  std::vector<worker::Data> buffers;
};

// The members by their index in the family's space. All have the same global buffers and uniforms.
class Members {
 public:
  virtual ~Members() = default;

  // A member on this data, without what it must compute unless that is its own; an error where it
  // is not legal.
  [[nodiscard]] virtual Result<trial::Candidate> candidate(space::Index index,
                                                           const Workload& workload,
                                                           Language language) const = 0;
  [[nodiscard]] virtual Result<Extent> workgroup(space::Index index) const = 0;

  // What says whether results on this data are right; options that are not set are the family's.
  [[nodiscard]] virtual Result<trial::Reference> reference(
      const Workload& workload, trial::Reference::Options options) const = 0;

  // For launches at run time: a member, or the baseline with another workgroup.
  [[nodiscard]] virtual Result<run::Executable> load(device::Device& device, space::Index index,
                                                     const ir::Uniforms& uniforms) const = 0;
  [[nodiscard]] virtual Result<run::Executable> load(device::Device& device,
                                                     const Extent& workgroup,
                                                     const ir::Uniforms& uniforms) const = 0;
  // Of each global buffer.
  [[nodiscard]] virtual std::vector<Access> accesses() const = 0;
  // The program that the family is of.
  [[nodiscard]] virtual const ir::Program& baseline() const = 0;
};

struct Family {
  std::string name;
  space::Space space;
  space::Index baseline = 0;  // what everything is compared with
  store::Dispatch dispatch;   // what decisions are kept under: the baseline with its sizes
  std::shared_ptr<const Members> members;
  // What runs where nothing is decided: the baseline, if it is not another.
  std::optional<space::Index> usual = {};
  // What the baseline is like, where that says which schedules are worth a try.
  std::optional<schedule::Features> features = {};
  // And what its parts are like, where they can have schedules of their own.
  std::vector<schedule::Features> parts = {};
  // Of the library's own: under which name its launches count as calls of primitives.
  std::string primitive = {};
};

// What one member runs on where members' buffers are not all alike, and what it must leave there;
// nothing: what the baseline does.
struct MemberData {
  std::vector<worker::Data> buffers;  // in the order of declaration
  std::vector<trial::Expected> expected = {};
};

// Members that are programs of vyre's.
struct Programs {
  std::string name;
  space::Space space;
  space::Index baseline = 0;
  std::function<Result<ir::Program>(space::Index)> member;  // an error where it is not legal
  // How far a member's results may be from the baseline's, if not as follows from its arithmetic,
  // and buffers in which anything may stand.
  std::optional<trial::Tolerance> tolerance = {};
  std::vector<std::string> scratch = {};
  // In place of the workload's buffers, if it is given.
  std::function<MemberData(space::Index, const Workload&)> data = {};
};
// Refuses a baseline that is not legal, uniforms that it does not have, and sizes that cannot be
// launched.
[[nodiscard]] Result<Family> family_of(Programs programs, const ir::Uniforms& uniforms);

// A program and everything that schedule steps make of it; the baseline is the program as it is.
[[nodiscard]] Result<Family> family_of(const ir::Program& program, const ir::Uniforms& uniforms,
                                       const device::Limits& limits);

// As schedules see them.
[[nodiscard]] schedule::Limits schedule_limits(const device::Limits& limits);

// What a program's decisions are kept under, with the sizes that it is launched with. Output are
// the global buffers that the program may write, input the others.
[[nodiscard]] Result<store::Dispatch> dispatch_of(const ir::Program& program,
                                                  const ir::Uniforms& uniforms);

// "wg_x=64 wg_y=1": values of the family's parameters, without those that are as in `except`.
[[nodiscard]] std::string text_of(const Family& family, std::span<const space::Value> values,
                                  std::span<const space::Value> except = {});
// "wg_x=64 wg_y=1 order=strided": a member's parameters.
[[nodiscard]] std::string configuration_text(const Family& family, space::Index member);
// "wg_x=8 vector=16": those in which it differs from the baseline; "as it is" if none does.
[[nodiscard]] std::string changed_text(const Family& family, space::Index member);

}  // namespace vyre::tune
