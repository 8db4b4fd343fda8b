// Two programs that compute the same, timed fairly: each is verified against the interpreter, run
// in a process of its own, and raced against the other.
#include <cstdio>
#include <string>
#include <vector>

#include "vyre/vyre.h"

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
  if (!row || !column) return stop((row ? column : row).error().front());
  const std::vector<vyre::worker::Data> buffers = {
      vyre::worker::data(std::vector<std::byte>(262144 * 4, std::byte{1})),
      vyre::worker::data(std::vector<std::byte>(4096 * 4))};

  auto session = vyre::worker::Session::start({.program = VYRE_WORKER});
  if (!session) return stop(session.error());
  const auto a = vyre::trial::candidate({*row, {}}, buffers, session->language());
  const auto b = vyre::trial::candidate({*column, {}}, buffers, session->language());
  if (!a || !b) return stop((a ? b : a).error());
  const auto report = vyre::trial::time(*session, std::vector{*a, *b});
  if (!report) return stop(report.error());
  for (const auto& one : report->rows) {
    const auto rank = one.standing ? name_of(one.standing->rank) : "slower";
    std::printf("%-8s %8.1f us (%.1f to %.1f), %s, %s\n", one.name.c_str(), one.time_ns / 1e3,
                one.time_interval.low / 1e3, one.time_interval.high / 1e3,
                name_of(one.outcome.verdict).data(), rank.data());
  }
}
