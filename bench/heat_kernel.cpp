#include "heat_kernel.h"

#include <utility>
#include <vector>

#include "vyre/ir/text.h"

namespace vyre::bench {
namespace {

constexpr const char* heat_text = R"(program heat {
  uniform h: u32 = 16
  uniform w: u32 = 16
  buffer u: f32[h * w] read
  buffer v: f32[h * w] write
  grid w, h
  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  let here = u[i]
  if y > 0 & y < h - 1 {
    let next = fma(0.1, u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0 * here, here)
    v[i] = select(x > 0 & x < w - 1, next, here)
  } else {
    v[i] = here
  }
}
)";

}  // namespace

ir::Program heat_program() { return *ir::parse(heat_text); }

std::vector<float> heat_start(std::size_t n) {
  std::vector<float> start(n * n, 1.0F);
  start[n * n / 2 + n / 2] = 1000;
  return start;
}

Result<Heat> Heat::make(std::size_t n, std::chrono::seconds budget) {
  Heat made;
  ContextOptions options;
  options.store = "none";
  options.worker.program = VYRE_WORKER;
  VYRE_TRY(made.gpu_, Context::open(options));
  VYRE_TRY(made.kernel_, made.gpu_.kernel<const float, float>(heat_text));
  made.u_ = made.gpu_.array(heat_start(n), {n, n});
  made.v_ = made.gpu_.array<float>({n, n});
  VYRE_CHECK(made.kernel_.tune(made.u_, made.v_, {.budget = budget}));
  if (!made.kernel_.tuned()) return fail(ErrorKind::run, made.kernel_.why());
  return made;
}

Result<void> Heat::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    kernel_(u_, v_);
    std::swap(u_, v_);
  }
  return gpu_.finish();
}

}  // namespace vyre::bench
