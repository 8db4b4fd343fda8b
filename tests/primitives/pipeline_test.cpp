#include "vyre/primitives/pipeline.h"

#include <gtest/gtest.h>

#include "primitives/suite.h"
#include "support/device.h"
#include "vyre/ir/text.h"

namespace vyre::primitives {
namespace {

ir::Program parsed(const char* text) { return good(ir::parse(text)); }

constexpr const char* doubled = R"(program doubled {
  buffer x: f32[4] read
  buffer y: f32[4] write
  grid 4
  y[invocation.x] = x[invocation.x] * 2.0
}
)";

TEST(Pipeline, RefusesWhatIsDoneWithAnArrayThatItDoesNotHave) {
  const auto device = testing::opened("reference");
  auto pipeline = good(Pipeline::make(*device, std::vector{parsed(doubled)}));
  Array& typo = pipeline.array("z");
  EXPECT_EQ(message_of(typo.write<float>(std::vector<float>(4))),
            "there is no array 'z' in the pipeline; there are: x, y");
  std::vector<float> none;
  EXPECT_FALSE(typo.read<float>(none));
  good(pipeline.array("x").write<float>(std::vector<float>(4, 3.0F)));
  good(pipeline.launch());
  std::vector<float> y(4);
  good(pipeline.array("y").read<float>(y));
  EXPECT_EQ(y, std::vector<float>(4, 6.0F));
}

TEST(Pipeline, RefusesProgramsThatDoNotAgreeOnABuffer) {
  const auto device = testing::opened("reference");
  const auto longer = parsed(R"(program longer {
  buffer y: f32[5] read
  buffer z: f32[5] write
  grid 5
  z[invocation.x] = y[invocation.x]
}
)");
  EXPECT_EQ(message_of(Pipeline::make(*device, std::vector{parsed(doubled), longer})),
            "programs that share a buffer do not agree on it: in longer, y has 5 elements; it must "
            "have 4");
}

}  // namespace
}  // namespace vyre::primitives
