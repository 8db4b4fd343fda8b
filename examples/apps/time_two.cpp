// Two programs that compute the same, timed fairly: each verified against the interpreter, run in a
// process of its own, and raced against the other.
#include <cstdio>
#include <string>

#include "vyre/ir/text.h"
#include "vyre/trial/programs.h"

// Adds 64 numbers per invocation, `next` apart.
std::string sums(const std::string& name, const std::string& first, const std::string& next) {
  return "program " + name +
         " {\n  buffer x: u32[262144] read\n  buffer y: u32[4096] write\n  grid 4096\n"
         "  let i = invocation.x\n  var sum = 0\n  for k in 0 .. 64 {\n"
         "    sum = sum + x[" +
         first + " + k * " + next + "]\n  }\n  y[i] = sum\n}\n";
}

vyre::Result<void> run() {
  VYRE_TRY(const auto row, vyre::ir::parse(sums("row", "i * 64", "1")));
  VYRE_TRY(const auto column, vyre::ir::parse(sums("column", "i", "4096")));
  const std::vector<vyre::run::Request> programs = {{row, {}}, {column, {}}};
  const std::vector<std::vector<std::byte>> contents = {
      std::vector<std::byte>(262144 * 4, std::byte{1}), std::vector<std::byte>(4096 * 4)};
  VYRE_TRY(const auto times, vyre::trial::time_programs(programs, contents));
  for (const auto& [name, verdict, reason, time, rank] : times) {
    std::printf("%-8s %8.1f us (%.1f to %.1f), %s, %s\n", name.c_str(), time.value / 1e3,
                time.interval.low / 1e3, time.interval.high / 1e3, name_of(verdict).data(),
                name_of(rank).data());
    if (verdict != vyre::Verdict::correct) return vyre::fail(vyre::ErrorKind::run, reason);
  }
  return {};
}

int main() { return vyre::exit_status(run()); }
