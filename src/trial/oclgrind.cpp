#include "trial/oclgrind.h"

#include <fmt/format.h>

#include <filesystem>

#include "trial/outcome.h"

namespace vyre::trial {
namespace {

constexpr std::size_t longest_finding = 2000;

// Only the simulator is left of the drivers, and it looks for races too.
void choose_simulator(worker::Options& options, const std::string& library) {
  options.device = "opencl";
  options.guards = false;  // what lies around a buffer would be memory that may be read
  for (const char* variable : {"OCLGRIND_DATA_RACES=1", "OCLGRIND_STOP_ERRORS=10"}) {
    options.environment.emplace_back(variable);
  }
  options.environment.push_back("OCL_ICD_VENDORS=" + library);
}

}  // namespace

Result<std::optional<std::string>> run_under_oclgrind(const worker::Job& kernel,
                                                      const std::string& library,
                                                      worker::Options options) {
  if (!std::filesystem::exists(library)) {
    return fail(ErrorKind::io,
                fmt::format("'{}' is not there: on Debian `apt install oclgrind`", library));
  }
  choose_simulator(options, library);
  auto session = worker::Session::start(std::move(options));
  if (!session) return std::unexpected(session.error());
  const auto id = session->build(kernel);
  // What its compiler refuses, or it is too slow for, the device itself may well run.
  if (!id) return std::nullopt;
  const auto output = session->run(*id);
  if (!output && output.error().kind == ErrorKind::timeout) return std::nullopt;
  std::string said = output ? session->log() : output.error().message;
  if (said.empty()) return std::nullopt;
  if (said.size() > longest_finding) said.resize(longest_finding);
  return said;
}

}  // namespace vyre::trial
