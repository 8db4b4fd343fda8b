#include "trial/oclgrind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "trial/outcome.h"

namespace vyre::trial {
namespace {

// Only the simulator is left of the drivers, and it looks for races too.
void choose_simulator(worker::Options& options, const std::string& library) {
  options.device = "opencl";
  // It runs a kernel before it says that it has begun.
  options.build_limit = options.run_limit;
  options.guards = false;  // what lies around a buffer would be memory that may be read
  for (const char* variable : {"OCLGRIND_DATA_RACES=1", "OCLGRIND_STOP_ERRORS=50"}) {
    options.environment.emplace_back(variable);
  }
  options.environment.push_back("OCL_ICD_VENDORS=" + library);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// "Invalid read of size 4 at global memory address 0x1000": without the address, and the number in
// memory that differs from one message to the next.
std::string heading(std::string_view line) {
  return std::string(line.substr(0, line.find(" address ")));
}

std::uint32_t number_after(std::string_view line, std::string_view words) {
  std::uint32_t number = 0;
  line.remove_prefix(line.find(words) + words.size());
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

// "(63,0,0)" of "Entity: Global(63,0,0) Local(63,0,0) Group(0,0,0)".
std::string invocation_in(std::string_view line) {
  constexpr std::string_view word = "Global";
  line.remove_prefix(line.find(word) + word.size());
  return std::string(line.substr(0, line.find(')') + 1));
}

// A message: a heading, then indented lines; each access is its entity and its place.
SimulatorFinding finding_in(std::span<const std::string_view> message) {
  SimulatorFinding made{.what = heading(message.front())};
  std::string invocation;
  for (std::size_t i = 1; i < message.size(); ++i) {
    if (message[i].contains("Global(")) invocation = invocation_in(message[i]);
    if (!trimmed(message[i]).starts_with("At line ")) continue;
    made.sites.push_back(
        {.line = number_after(message[i], "At line "),
         .code = i + 1 < message.size() ? std::string(trimmed(message[i + 1])) : "",
         .invocation = invocation});
  }
  return made;
}

bool are_alike(const SimulatorFinding& a, const SimulatorFinding& b) {
  return a.what == b.what &&
         std::ranges::equal(a.sites, b.sites, {}, &AccessSite::line, &AccessSite::line);
}

// What an error of the kernel says; others are of the run. What the simulator printed follows its
// first line.
Result<Simulation> ended_by(const Error& error) {
  if (!verdict_of(error)) return Unexpected(error);
  const std::size_t end = error.message.find('\n');
  const std::string why = error.message.substr(0, end);
  // Its compiler knows less than others: what it refuses may well be right.
  if (error.kind == ErrorKind::compile) return Simulation{.log = "", .unfinished = error.message};
  if (error.kind != ErrorKind::timeout) return Simulation{.log = error.message, .unfinished = why};
  return Simulation{.log = end == std::string::npos ? "" : error.message.substr(end + 1),
                    .unfinished = why};
}

}  // namespace

std::string oclgrind_library() {
  constexpr std::array places = {"/usr/lib/oclgrind/liboclgrind-rt-icd.so",
                                 "/usr/local/lib/liboclgrind-rt-icd.so",
                                 "/usr/lib64/liboclgrind-rt-icd.so"};
  const auto* found =
      std::ranges::find_if(places, [](const char* at) { return std::filesystem::exists(at); });
  return found == places.end() ? places.front() : *found;
}

Result<Simulation> run_under_oclgrind(const worker::Job& kernel, const std::string& library,
                                      worker::Options options) {
  if (!std::filesystem::exists(library)) {
    return fail(
        ErrorKind::no_device,
        fmt::format("Oclgrind is not there ('{}'): on Debian `apt install oclgrind`", library));
  }
  choose_simulator(options, library);
  auto session = worker::Session::start(std::move(options));
  if (!session) return Unexpected(session.error());
  const auto id = session->build(kernel);
  if (!id) return ended_by(id.error());
  const auto output = session->run(*id);
  if (!output) return ended_by(output.error());
  return Simulation{.log = session->log(), .unfinished = ""};
}

std::vector<SimulatorFinding> findings_in(std::string_view log) {
  const auto lines = lines_of(log);
  std::vector<SimulatorFinding> found;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (lines[i].starts_with('\t') || !trimmed(lines[i + 1]).starts_with("Kernel:")) continue;
    const auto indented = [](std::string_view line) { return line.starts_with('\t'); };
    const auto end =
        std::find_if_not(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1, lines.end(), indented);
    const auto message = std::span(lines.begin() + static_cast<std::ptrdiff_t>(i), end);
    SimulatorFinding one = finding_in(message);
    const auto same =
        std::ranges::find_if(found, [&](const auto& other) { return are_alike(one, other); });
    if (same == found.end()) {
      found.push_back(std::move(one));
    } else {
      ++same->times;
    }
  }
  return found;
}

}  // namespace vyre::trial
