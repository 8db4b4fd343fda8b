#include "vyre/trial/programs.h"

#include <utility>

#include "base/memory.h"
#include "trial/time.h"

namespace vyre::trial {
namespace {

Rank rank_of(const Row& row) {
  if (row.outcome.verdict != Verdict::correct) return Rank::failed;
  if (!row.standing) return Rank::slower;
  switch (row.standing->rank) {
    case measure::Rank::winner:
      return Rank::first;
    case measure::Rank::tied:
      return Rank::tied;
    case measure::Rank::slower:
      return Rank::slower;
  }
  return Rank::slower;
}

ProgramTime program_time(Row row) {
  return {.name = std::move(row.name),
          .verdict = row.outcome.verdict,
          .reason = row.outcome.reason,
          .time_ns = {row.time_ns, row.time_interval},
          .rank = rank_of(row)};
}

}  // namespace

std::string_view name_of(Rank rank) {
  switch (rank) {
    case Rank::first:
      return "first";
    case Rank::tied:
      return "tied";
    case Rank::slower:
      return "slower";
    case Rank::failed:
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
