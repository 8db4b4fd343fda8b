// Two programs that compute the same, timed fairly: each is verified against the interpreter, run
// in a process of its own, and raced against the other.
#include <cstdio>
#include <string>
#include <vector>

#include "vyre/ir/text.h"
#include "vyre/trial/programs.h"

namespace {

// Adds 64 numbers per invocation, `next` apart.
std::string sums(const std::string& name, const std::string& first, const std::string& next) {
  return "program " + name +
         " {\n  buffer x: u32[262144] read\n  buffer y: u32[4096] write\n  grid 4096\n"
         "  let i = invocation.x\n  var sum = 0\n  for k in 0 .. 64 {\n"
         "    sum = sum + x[" +
         first + " + k * " + next + "]\n  }\n  y[i] = sum\n}\n";
}

int stop(const vyre::Error& error) {
  std::fprintf(stderr, "time_two: %s\n", to_string(error).c_str());
  return 1;
}

}  // namespace

int main() {
  const auto row = vyre::ir::parse(sums("row", "i * 64", "1"));
  const auto column = vyre::ir::parse(sums("column", "i", "4096"));
  if (!row || !column) return stop((row ? column : row).error());
  const std::vector<std::vector<std::byte>> buffers = {
      std::vector<std::byte>(262144 * 4, std::byte{1}), std::vector<std::byte>(4096 * 4)};
  const std::vector<vyre::run::Request> programs = {{*row, {}}, {*column, {}}};
  const auto times = vyre::trial::time_programs(programs, buffers);
  if (!times) return stop(times.error());
  for (const auto& one : *times) {
    const auto& [us, interval] = one.time_ns;
    std::printf("%-8s %8.1f us (%.1f to %.1f), %s, %s\n", one.name.c_str(), us / 1e3,
                interval.low / 1e3, interval.high / 1e3, name_of(one.verdict).data(),
                name_of(one.place).data());
  }
}
