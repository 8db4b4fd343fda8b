// The programs of `make demo`, with a budget of next to nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/vyre.h"
#include "support/paths.h"

namespace vyre::testing {
namespace {

TEST(Demo, TunesItsProgramsAndUsesTheDecisionsTheNextTime) {
  const TemporaryDirectory files;
  std::vector<std::string> call = {"tune",     "--primitive", "kfac:1000x16",
                                   "--budget", "2",           "--json"};
  for (const auto& entry :
       std::filesystem::directory_iterator(paths::examples + std::string("/plain"))) {
    call.push_back(entry.path().string());
  }
  ASSERT_GE(call.size(), 6U + 7U);
  for (const char* match : {"tuned", "exact"}) {
    const auto ran = vyre(call, {{"XDG_CACHE_HOME", files.path().string()}});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const auto programs = nlohmann::json::parse(ran.out).at("programs");
    EXPECT_EQ(programs.size(), call.size() - 5);
    for (const auto& program : programs) EXPECT_EQ(program.at("match"), match) << program;
  }
}

}  // namespace
}  // namespace vyre::testing
