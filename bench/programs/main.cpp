// vyre_programs: tunes programs of the set and prints what they are beside their peers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "contests.h"
#include "table.h"
#include "tuned_side.h"

namespace vyre::bench {
namespace {

struct Choice {
  std::vector<std::string> names;  // none: all
  std::string half;                // of set.h; empty: all
  bool check = false;
  std::string data;  // where inputs are put, if nothing else is to be done
  ContestOptions contest;
};

std::vector<const Entry*> chosen(const Choice& choice) {
  std::vector<const Entry*> made;
  for (const Entry& entry : programs()) {
    if (!choice.half.empty() && !name_of(entry.half).starts_with(choice.half)) continue;
    if (choice.names.empty() || std::ranges::count(choice.names, entry.name) > 0) {
      made.push_back(&entry);
    }
  }
  return made;
}

void complain(const Entry& entry, const Error& error) {
  fmt::print(stderr, "vyre_programs: {}: {}\n", entry.name, to_string(error));
}

int check_all(const std::vector<const Entry*>& entries) {
  std::size_t failed = 0;
  for (const Entry* entry : entries) {
    std::string left_out;
    const auto good = check_peers(*entry, left_out);
    if (!left_out.empty()) fmt::print("{}\n", left_out);
    if (good) continue;
    complain(*entry, good.error());
    ++failed;
  }
  fmt::print("{} of {} programs agree with their peers\n", entries.size() - failed, entries.size());
  return failed == 0 ? 0 : 1;
}

// What contests tune, to look at with the tool.
int write_data(const std::vector<const Entry*>& entries, const Choice& choice) {
  for (const Entry* entry : entries) {
    const std::filesystem::path directory = std::filesystem::path(choice.data) / entry->name;
    std::filesystem::create_directories(directory);
    const auto program = read_program(*entry);
    if (!program) return complain(*entry, program.error()), 1;
    const auto data = inputs(*entry, *program);
    if (!data) return complain(*entry, data.error()), 1;
    fmt::print("vyre {}\n",
               tune_arguments(program_path(*entry), *data, choice.contest.seconds, directory));
  }
  return 0;
}

void print_rows(const Contests& contests) {
  fmt::print("\n");
  for (const Row& row : rows_of(contests)) {
    fmt::print("{:<32} {:>7.3f} >= {:<5} {}\n", row.name, row.value, row.target, row.baseline);
  }
}

int hold_chosen(const std::vector<const Entry*>& entries, const ContestOptions& options) {
  const auto device = device::open("opencl");
  if (!device) {
    fmt::print(stderr, "vyre_programs: {}\n", to_string(device.error()));
    return 1;
  }
  fmt::print("{}", table_head());
  std::fflush(stdout);
  const Contests contests = hold_all(entries, **device, options, [](const Contest& contest) {
    fmt::print("{}", table_row(contest));
    std::fflush(stdout);
  });
  for (const std::string& why : contests.failures) fmt::print(stderr, "vyre_programs: {}\n", why);
  if (!contests.held.empty()) print_rows(contests);
  return contests.failures.empty() ? 0 : 1;
}

}  // namespace
}  // namespace vyre::bench

int main(int argc, char** argv) {
  using namespace vyre::bench;
  CLI::App app("The programs of bench/programs against C++ with OpenMP, OpenBLAS and Halide",
               "vyre_programs");
  Choice choice;
  app.add_option("names", choice.names, "which programs; all if none is named");
  app.add_option("--seconds", choice.contest.seconds, "of tuning for each")->capture_default_str();
  app.add_option("--rounds", choice.contest.rounds, "in which all take turns")
      ->capture_default_str();
  app.add_option("--half", choice.half, "only these")
      ->check(CLI::IsMember({"open", "held", "added"}));
  app.add_flag("--check", choice.check,
               "only compare the interpreter and all peers with each other");
  app.add_option("--data", choice.data,
                 "only put the inputs of each into a folder here, and say how they are tuned");
  CLI11_PARSE(app, argc, argv);
  const auto entries = chosen(choice);
  if (entries.empty()) {
    fmt::print(stderr, "vyre_programs: there is no such program\n");
    return 2;
  }
  if (!choice.data.empty()) return write_data(entries, choice);
  return choice.check ? check_all(entries) : hold_chosen(entries, choice.contest);
}
