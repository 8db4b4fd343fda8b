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

}  // namespace vyre::tune
