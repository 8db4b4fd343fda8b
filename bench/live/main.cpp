// vyre_live_policies: compares the live policies on recorded spaces. Settings are chosen on some
// files and checked on others; docs/live.md has what came out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>

#include "rivals.h"

namespace vyre::bench {
namespace {

constexpr std::array<std::size_t, 2> dispatch_counts = {3'000, 30'000};

struct Options {
  std::vector<std::string> choose;
  std::vector<std::string> check;
  std::string device = "default";
  std::string only;
  std::size_t seeds = 12;
  bool as_is = false;
  bool alone = false;
};

Result<std::vector<Scenario>> scenarios_of(const std::vector<std::string>& files,
                                           std::size_t seeds) {
  std::vector<Scenario> all;
  for (const std::string& file : files) {
    VYRE_TRY(const auto recorded, formats::read_recorded(file));
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      VYRE_TRY(auto scenario, make_scenario(recorded, seed));
      all.push_back(std::move(scenario));
    }
  }
  return all;
}

void print(std::string_view name, const Score& chosen, const Score& checked,
           std::string_view settings) {
  fmt::print("| {:<10} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {} |\n", name,
             chosen.each[0], chosen.each[1], chosen.mean, checked.each[0], checked.each[1],
             checked.mean, settings);
  std::cout.flush();
}

Result<void> run(const Options& options) {
  VYRE_TRY(const auto device, device::open(options.device));
  VYRE_TRY(const auto choose, scenarios_of(options.choose, options.seeds));
  VYRE_TRY(const auto check, scenarios_of(options.check, options.seeds));
  const Arena arena(dispatch_counts, *device);
  fmt::print("| policy | chosen, 3,000 | 30,000 | mean | checked, 3,000 | 30,000 | mean | |\n");
  for (const std::string_view policy : tune::live_policy_names()) {
    if (!options.only.empty() && options.only != policy) continue;
    Rival rival{.policy = std::string(policy), .options = {}};
    if (options.alone) rival = alone(std::move(rival));
    if (!options.as_is) {
      VYRE_TRY(rival, arena.choose(std::move(rival), choose));
    }
    VYRE_TRY(const Score on_choose, arena.score(rival, choose));
    VYRE_TRY(const Score on_check, arena.score(rival, check));
    print(policy, on_choose, on_check, options.as_is ? "its own" : to_string(rival));
  }
  print("oracle", arena.score_oracle(choose), arena.score_oracle(check), "");
  return {};
}

}  // namespace
}  // namespace vyre::bench

int main(int argc, char** argv) {
  vyre::bench::Options options;
  CLI::App app("Compares live policies on recorded spaces.");
  app.add_option("--choose", options.choose, "files on which settings are chosen")->required();
  app.add_option("--check", options.check, "other files")->required();
  app.add_option("--device", options.device, "where matrices are computed");
  app.add_option("--only", options.only, "this policy alone");
  app.add_option("--seeds", options.seeds, "runs on each file")->capture_default_str();
  app.add_flag("--alone", options.alone, "nobody is ruled out but by the policy itself");
  app.add_flag("--as-is", options.as_is, "with the settings that the policies have");
  CLI11_PARSE(app, argc, argv);
  return vyre::exit_status(vyre::bench::run(options));
}
