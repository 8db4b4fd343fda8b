// The sweep over a family: its members with the candidates' workgroups, or all of them where the
// workgroup is not among the parameters, measured in a worker.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "tune/remember.h"
#include "vyre/base/error.h"
#include "vyre/tune/family.h"
#include "vyre/tune/tune.h"
#include "worker/session.h"

namespace vyre::tune {

// In the order of measuring. The original is one of them: the sweep must not end with something
// slower. `limit` is the device's for invocations in a workgroup.
[[nodiscard]] std::vector<space::Index> swept_members(const Family& family, std::uint64_t limit);

struct Swept {
  std::vector<Attempt> attempts;  // the original is the first
  Choice choice;
};

// Of the options it uses how to evaluate, what is right, and the number of evaluations. A member
// that fails is passed over; an original that fails is an error.
[[nodiscard]] Result<Swept> sweep_family(worker::Session& session, const Family& family,
                                         const Workload& workload, const TuneOptions& options,
                                         Clock& clock = steady_clock());

}  // namespace vyre::tune
