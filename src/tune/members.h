// The members of a family as candidates of one run: all on the same data, all compared with what is
// right for the original.
#pragma once

#include <vector>

#include "base/clock.h"
#include "trial/candidate.h"
#include "trial/evaluate.h"
#include "vyre/base/error.h"
#include "vyre/tune/family.h"
#include "vyre/tune/tune.h"
#include "worker/session.h"

namespace vyre::tune {

class Members {
 public:
  // Finds out what is right. All must outlive this.
  [[nodiscard]] static Result<Members> make(worker::Session& session, const Family& family,
                                            const Workload& workload, Truth truth);

  [[nodiscard]] Result<trial::Candidate> candidate(space::Index index) const;
  // A member that is not legal has an outcome too.
  [[nodiscard]] Result<trial::Outcome> evaluate(space::Index index,
                                                const trial::EvaluateOptions& how,
                                                Clock& clock) const;
  // Without a correct original there is nothing to compare with.
  [[nodiscard]] Result<void> check_original(const trial::Outcome& outcome) const;

 private:
  Members(worker::Session& session, const Family& family, const Workload& workload)
      : session_(&session), family_(&family), workload_(&workload) {}
  [[nodiscard]] Result<std::vector<trial::Expected>> run_original(const ir::Program& program) const;
  [[nodiscard]] Result<std::vector<trial::Expected>> interpret_original(
      const ir::Program& program) const;

  worker::Session* session_;
  const Family* family_;
  const Workload* workload_;
  std::vector<trial::Expected> expected_;
};

}  // namespace vyre::tune
