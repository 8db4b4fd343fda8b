// Any bytes are refused with a reason, or are records or a definition that can be used.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "formats/t1.h"
#include "vyre/formats/recorded.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "formats_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto recorded = vyre::formats::parse_recorded(text);
  if (recorded) {
    const auto& space = recorded->space;
    require(space.size() == recorded->measurements.size(), "one measurement per configuration");
    for (vyre::space::Index i = 0; i < space.size(); ++i) {
      require(space.find(space.digits(i)) == i, "a configuration is found again");
      const auto& measured = recorded->measurements[i];
      const bool correct = measured.verdict == vyre::Verdict::correct;
      require(correct == (measured.time_ms > 0), "a time exactly if it is correct");
      require(measured.cost.total_ms() >= 0, "costs are numbers");
    }
  } else {
    require(!recorded.error().message.empty(), "a refusal gives a reason");
  }
  const auto definition = vyre::formats::parse_t1(text);
  require(definition || !definition.error().message.empty(), "a refusal gives a reason");
  return 0;
}
