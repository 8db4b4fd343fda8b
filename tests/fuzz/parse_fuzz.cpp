// Any bytes are either refused with reasons or a program that survives its own text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "ir/validate.h"
#include "vyre/ir/fingerprint.h"
#include "vyre/ir/text.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "parse_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vyre;
  const auto program = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!program) {
    require(!program.error().message.empty(), "a refusal gives a reason");
    require(program.error().all().size() <= ir::max_problems, "no more problems than promised");
    return 0;
  }
  require(ir::validate(*program).empty(), "what parse accepts is valid");
  const auto again = ir::parse(ir::print(*program));
  require(again.has_value(), "a program's text parses");
  require(*again == *program, "a program's text is that program");
  require(ir::fingerprint(*again) == ir::fingerprint(*program), "one program, one fingerprint");
  const ir::Program canonical = ir::canonical(*program);
  require(ir::validate(canonical).empty(), "the canonical form is valid");
  require(ir::canonical(canonical) == canonical, "the canonical form is its own");
  return 0;
}
