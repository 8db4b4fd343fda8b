#include "vyre/trial/programs.h"

#include <utility>

#include "base/memory.h"
#include "trial/time.h"

namespace vyre::trial {
namespace {

Place place_of(const Row& row) {
  if (row.outcome.verdict != Verdict::correct) return Place::failed;
  if (!row.standing) return Place::slower;
  switch (row.standing->rank) {
    case measure::Rank::winner:
      return Place::first;
    case measure::Rank::tied:
      return Place::tied;
    case measure::Rank::slower:
      return Place::slower;
  }
  return Place::slower;
}

ProgramTime program_time(Row row) {
  return {.name = std::move(row.name),
          .verdict = row.outcome.verdict,
          .reason = row.outcome.reason,
          .time_ns = {row.time_ns, row.time_interval},
          .place = place_of(row)};
}

}  // namespace

std::string_view name_of(Place place) {
  switch (place) {
    case Place::first:
      return "first";
    case Place::tied:
      return "tied";
    case Place::slower:
      return "slower";
    case Place::failed:
      return "failed";
  }
  return "";
}

namespace {

Result<std::vector<ProgramTime>> time_all(std::span<const run::Request> programs,
                                          std::span<const std::vector<std::byte>> contents,
                                          const worker::Options& options) {
  auto session = worker::Session::start(options);
  if (!session) return Unexpected(session.error());
  std::vector<worker::Data> buffers;
  for (const auto& content : contents) buffers.push_back(worker::data(content));
  std::vector<Candidate> candidates;
  for (const run::Request& program : programs) {
    auto made = candidate(program, buffers, session->language());
    if (!made) return Unexpected(made.error());
    candidates.push_back(*std::move(made));
  }
  auto report = time(*session, candidates);
  if (!report) return Unexpected(report.error());
  std::vector<ProgramTime> times;
  for (Row& row : report->rows) times.push_back(program_time(std::move(row)));
  return times;
}

}  // namespace

Result<std::vector<ProgramTime>> time_programs(std::span<const run::Request> programs,
                                               std::span<const std::vector<std::byte>> contents,
                                               const worker::Options& options) {
  return within_memory([&] { return time_all(programs, contents, options); });
}

}  // namespace vyre::trial
