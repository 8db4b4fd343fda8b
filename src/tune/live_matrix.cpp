#include "tune/live_matrix.h"

#include <map>
#include <memory>
#include <utility>

#include "tune/policy.h"

namespace vyre::tune {
namespace {

using Shape = std::pair<std::size_t, std::size_t>;  // arms, rounds

Result<PolicyMatrix*> find_or_make(std::map<Shape, PolicyMatrix>& made, device::Device& device,
                                   const Shape& shape, float damping) {
  const auto found = made.find(shape);
  if (found != made.end()) return &found->second;
  // A window of all rounds: those of the last call are replaced.
  VYRE_TRY(auto matrix, PolicyMatrix::make(device, std::vector<std::uint64_t>(shape.first, 1),
                                           {.window = static_cast<std::uint32_t>(shape.second),
                                            .damping = damping}));
  return &made.emplace(shape, std::move(matrix)).first->second;
}

}  // namespace

MatrixSource live_matrix(device::Device& device, float damping) {
  auto made = std::make_shared<std::map<Shape, PolicyMatrix>>();
  return [&device, damping, made](std::span<const std::uint64_t> rounds,
                                  std::size_t arms) -> Result<std::vector<std::int32_t>> {
    VYRE_TRY(PolicyMatrix * matrix,
             find_or_make(*made, device, {arms, rounds.size() / arms}, damping));
    for (; rounds.size() >= arms; rounds = rounds.subspan(arms)) {
      VYRE_CHECK(matrix->add_round(rounds.first(arms)));
    }
    return matrix->inverse_root();
  };
}

MatrixSource LateMatrix::source() {
  return [this](std::span<const std::uint64_t> rounds,
                std::size_t arms) -> Result<std::vector<std::int32_t>> {
    const std::lock_guard guard(mutex_);
    asked_ = Question{{rounds.begin(), rounds.end()}, arms};
    if (arms != arms_) return fail(ErrorKind::run, "the matrix is not computed yet");
    return matrix_;
  };
}

void LateMatrix::compute(const MatrixSource& on_device) {
  std::optional<Question> question;
  {
    const std::lock_guard guard(mutex_);
    question = std::exchange(asked_, std::nullopt);
  }
  if (!question) return;
  auto matrix = on_device(question->rounds, question->arms);
  if (!matrix) return;
  const std::lock_guard guard(mutex_);
  matrix_ = *std::move(matrix);
  arms_ = question->arms;
}

}  // namespace vyre::tune
