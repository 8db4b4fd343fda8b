// Any bytes are read as a file of decisions: what is found is valid, and is found again once it is
// written, in a file with nothing wrong in it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "store/document.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "store_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = vyre::store::read(text);
  for (const auto& [key, entry] : document.entries) {
    require(vyre::store::validate(entry->decision).has_value(), "a decision that is not valid");
  }
  for (const auto& problem : document.problems) {
    require(!problem.message.empty(), "a problem has a reason");
  }
  const std::string written = vyre::store::write(document);
  const auto again = vyre::store::read(written);
  require(again.problems.empty(), "what is written is well");
  require(again.entries.size() == document.entries.size(), "nothing is lost");
  require(vyre::store::write(again) == written, "it is written the same way again");

  const auto quick = vyre::store::read(written, again.entries);
  require(quick.entries.size() == again.entries.size(), "known entries are found");
  return 0;
}
