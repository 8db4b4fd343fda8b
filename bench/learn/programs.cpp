#include "programs.h"

#include <fmt/format.h>

#include <string>

#include "primitives/convolution.h"
#include "primitives/elementwise.h"
#include "primitives/gemm_programs.h"
#include "primitives/stencil.h"
#include "primitives/transpose.h"
#include "templates.h"
#include "vyre/ir/text.h"

namespace vyre::learn {
namespace {

class Collection {
 public:
  void add(std::string name, Result<ir::Program> program) {
    if (!program && !problem_) problem_ = program.error();
    if (!program) return;
    program->name = std::move(name);
    all_.push_back(*std::move(program));
  }

  void add_text(const std::string& text) {
    auto parsed = ir::parse(text);
    if (!parsed && !problem_) problem_ = parsed.error();
    if (parsed) all_.push_back(*std::move(parsed));
  }

  Result<std::vector<ir::Program>> take() {
    if (problem_) return Unexpected(*problem_);
    return std::move(all_);
  }

 private:
  std::vector<ir::Program> all_;
  std::optional<Error> problem_;
};

Result<ir::Program> plain_gemm(std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  const auto made = primitives::gemm_programs(
      {.m = m, .n = n, .k = k, .schedule = {.layout = primitives::GemmLayout::plain}});
  if (!made) return Unexpected(made.error());
  return made->front();
}

Result<ir::Program> swish(std::uint32_t n) {
  primitives::ElementwiseOptions options{.n = n, .lanes = 1};
  options.steps.push_back({"swish", [](std::span<const ir::Value> in) {
                             return std::vector<ir::Value>{in[0] / (exp(-in[0]) + 1.0F)};
                           }});
  return primitives::elementwise_program(options);
}

void add_primitives(Collection& all) {
  all.add("primitive_gemm_256", plain_gemm(256, 256, 256));
  all.add("primitive_stencil_1d", primitives::stencil_program({.extent = {1'500'000, 1, 1},
                                                               .weights = {0.5F, 0.1F, 0.1F}}));
  all.add("primitive_stencil_2d", primitives::stencil_program({.extent = {1200, 900, 1}}));
  all.add("primitive_stencil_3d", primitives::stencil_program({.extent = {160, 96, 80}}));
  all.add("primitive_convolution_3x3",
          primitives::convolution_program({.width = 1280, .height = 720}));
  all.add("primitive_convolution_7x3",
          primitives::convolution_program(
              {.width = 640, .height = 640, .filter_width = 7, .filter_height = 3}));
  all.add("primitive_transpose", primitives::transpose_program({.rows = 1000, .columns = 1900}));
  all.add("primitive_elementwise", swish(1U << 20U));
}

}  // namespace

Result<std::vector<ir::Program>> programs() {
  Collection all;
  add_primitives(all);
  for (const std::string& text : templates()) all.add_text(text);
  return all.take();
}

}  // namespace vyre::learn
