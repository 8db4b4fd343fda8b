#include "vyre/primitives/softmax.h"

#include "primitives/checks.h"
#include "primitives/softmax_program.h"

namespace vyre::primitives {
namespace {}  // namespace

Result<Softmax> Softmax::make(device::Device& device, const SoftmaxOptions& options) {
  const auto program = softmax_program(options);
  if (!program) return Unexpected(program.error());
  auto pipeline = Pipeline::make(device, {&*program, 1});
  if (!pipeline) return Unexpected(pipeline.error());
  return Softmax(*std::move(pipeline), options.n);
}

Result<void> Softmax::operator()(std::span<const std::uint64_t> times,
                                 std::span<std::int32_t> weights) {
  if (auto fits = check_length(softmax_name, "times", times.size(), halves_.size() / 2); !fits)
    return fits;
  if (auto fits = check_fits(softmax_name, pipeline_.array("weights"), weights); !fits) return fits;
  for (std::size_t i = 0; i < times.size(); ++i) {
    halves_[2 * i] = static_cast<std::uint32_t>(times[i]);
    halves_[2 * i + 1] = static_cast<std::uint32_t>(times[i] >> 32U);
  }
  if (auto done = pipeline_.array("times").write<std::uint32_t>(halves_); !done) return done;
  if (auto done = pipeline_.launch(); !done) return done;
  return pipeline_.array("weights").read(weights);
}

}  // namespace vyre::primitives
