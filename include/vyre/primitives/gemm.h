// C = alpha A B + beta C for row-major f32 matrices: A is m x k, B is k x n, C is m x n.
//
// On a CPU the operands are packed into panels of 6 rows and 16 columns, so that the innermost loop
// reads both in order and keeps a 6 x 16 tile of C in registers (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vyre/base/error.h"
#include "vyre/primitives/pipeline.h"
#include "vyre/schedule/schedule.h"

namespace vyre::primitives {

class Decisions;

enum class GemmLayout : std::uint8_t {
  automatic,  // as was decided, else packed on a CPU, tiled elsewhere
  plain,      // one invocation per element of C
  tiled,      // one workgroup per 16 x 16 tile of C, through shared memory
  packed,     // packed panels, one invocation per block of C
};
[[nodiscard]] std::string_view name_of(GemmLayout layout);

struct GemmSchedule {
  GemmLayout layout = GemmLayout::automatic;
  // Of the packed layout: how far one pass goes along k, and the panels of a block of C.
  std::uint32_t depth = 384;
  std::uint32_t row_panels = 4;
  std::uint32_t column_panels = 4;
  // Of the others: the steps that are taken on the program; none: it stays as it is.
  std::optional<schedule::Schedule> steps = {};
};

struct GemmOptions {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  float alpha = 1;
  float beta = 0;  // 0 takes nothing from C, not even nan
  GemmSchedule schedule = {};
  const Decisions* decisions = nullptr;  // asked where the layout is automatic; see decisions.h
};

// Move-only; must not outlive its device. After it is made it allocates nothing.
class Gemm {
 public:
  [[nodiscard]] static Result<Gemm> make(device::Device& device, const GemmOptions& options);

  // Copies in (c only if beta is not 0), multiplies, copies out.
  [[nodiscard]] Result<void> operator()(std::span<const float> a, std::span<const float> b,
                                        std::span<float> c);

  // For data that stays on the device: launch() does it all on what a() and b() hold. Where one
  // operand stays the same, it need be packed only once: pack_b(), then pack_a() and multiply() for
  // each a. Layouts that do not pack have nothing to do in the first two.
  [[nodiscard]] Result<void> launch();
  [[nodiscard]] Result<void> pack_a();
  [[nodiscard]] Result<void> pack_b();
  [[nodiscard]] Result<void> multiply();
  [[nodiscard]] Array& a() { return pipeline_.array("a"); }
  [[nodiscard]] Array& b() { return pipeline_.array("b"); }
  [[nodiscard]] Array& c() { return pipeline_.array("c"); }
  [[nodiscard]] const GemmSchedule& schedule() const { return schedule_; }

 private:
  Gemm(Pipeline pipeline, GemmSchedule schedule, bool reads_c)
      : pipeline_(std::move(pipeline)), schedule_(std::move(schedule)), reads_c_(reads_c) {}
  [[nodiscard]] bool packs() const { return schedule_.layout == GemmLayout::packed; }

  Pipeline pipeline_;
  GemmSchedule schedule_;
  bool reads_c_;
};

}  // namespace vyre::primitives
