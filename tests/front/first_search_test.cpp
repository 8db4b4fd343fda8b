#include <gtest/gtest.h>

#include "vyre/vyre.h"

namespace vyre {
namespace {

TEST(FirstSearches, KeepTheirShortTimeWhereOnlyAnotherLimitIsGiven) {
  const ContextOptions options{.search = {.evaluations = 8}};
  EXPECT_EQ(options.search.time, ContextOptions{}.search.time);
  EXPECT_LT(options.search.time, TuneRequest{}.budget);
}

}  // namespace
}  // namespace vyre
