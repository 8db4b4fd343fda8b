#include "cli/time_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/print.h"
#include "cli/text.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;
using measure::Basis;
using measure::Rank;
using trial::Row;

// Of fewer than three samples it would say nothing.
std::string interval_cell(const measure::Interval& interval, std::size_t samples) {
  return samples < 3 ? "-" : interval_text(interval);
}

// "winner", "tied", "slower", or why it has no place.
std::string rank_text(const Row& row) {
  if (row.outcome.verdict != Verdict::correct) {
    return fmt::format("failed: {}", name_of(row.outcome.verdict));
  }
  if (!row.standing) return "slower";  // so surely that it did not race
  return std::string(name_of(row.standing->rank));
}

std::string ratio_cell(const Row& row) {
  if (!row.standing) return "-";
  if (row.standing->rank == Rank::winner) return "1";
  return ratio_text(row.standing->ratio, row.standing->ratio_interval);
}

std::string back_to_back_cell(const TimeEntry& entry) {
  if (!entry.back_to_back) return "-";
  const measure::Estimate& elapsed = entry.back_to_back->elapsed;
  return estimate_text(elapsed.value, elapsed.interval);
}

std::vector<std::string> cells(const TimeEntry& entry, const Row& row, bool with_cpu) {
  const bool timed = row.outcome.measured.has_value();
  const auto shown = [&](const std::string& text) { return timed ? text : std::string("-"); };
  const std::size_t raced = row.standing ? row.standing->samples.size() : 0;
  const std::size_t alone = timed ? row.outcome.measured->samples.size() : 0;
  std::vector<std::string> line = {row.name, shown(time_text(row.time_ns)),
                                   shown(interval_cell(row.time_interval, alone + raced))};
  if (with_cpu) {
    line.push_back(shown(time_text(row.cpu_ns)));
    line.push_back(shown(interval_cell(row.cpu_interval, alone + raced)));
  }
  line.push_back(back_to_back_cell(entry));
  line.push_back(fmt::format("{}", alone + raced));
  line.push_back(ratio_cell(row));
  line.push_back(rank_text(row));
  return line;
}

// A row for each entry, in the order of the call: made of one that was timed, or of a refused one.
template <class Timed, class Refused>
void for_each_entry(const trial::Report* report, std::span<const TimeEntry> entries,
                    const Timed& timed, const Refused& refuse) {
  std::size_t next = 0;
  for (const TimeEntry& entry : entries) {
    if (entry.refused) {
      refuse(entry);
    } else {
      timed(entry, report->rows[next++]);
    }
  }
}

std::string as_table(const trial::Report& report, std::span<const TimeEntry> entries) {
  std::vector<std::string> head = {"PROGRAM", "TIME", "95 % INTERVAL"};
  if (report.adapter.is_cpu) head.insert(head.end(), {"CPU TIME", "95 % INTERVAL"});
  head.insert(head.end(), {"BACK TO BACK", "SAMPLES", "RATIO", "RANK"});
  std::vector<std::vector<std::string>> rows = {head};
  for_each_entry(
      &report, entries,
      [&](const TimeEntry& entry, const Row& row) {
        rows.push_back(cells(entry, row, report.adapter.is_cpu));
      },
      [&](const TimeEntry& entry) {
        std::vector<std::string>& row = rows.emplace_back(head.size(), "-");
        row.front() = entry.name();
        row.back() = fmt::format("failed: {}", entry.refused->kind);
      });
  return table(rows);
}

std::string ties_text(const trial::Report& report) {
  std::vector<std::string> tied;
  for (const Row& row : report.rows) {
    if (row.standing && row.standing->rank != Rank::slower) tied.push_back(row.name);
  }
  if (tied.size() < 2) return {};
  return fmt::format("tied within the noise: {}\n", fmt::join(tied, ", "));
}

std::string basis_text(const trial::Report& report) {
  if (report.basis == Basis::cpu) {
    return "ranked by CPU time in paired rounds; wall time does not contradict it";
  }
  return fmt::format("ranked by {} time in paired rounds", name_of(report.basis));
}

Json as_json(const measure::Interval& interval) {
  return Json::array({interval.low, interval.high});
}

Json as_json(const std::vector<measure::Sample>& samples) {
  Json rows = Json::array();
  for (const auto& s : samples) {
    rows.push_back({{"wall_ns", s.wall_ns},
                    {"device_ns", s.device_ns},
                    {"cpu_ns", s.cpu_ns},
                    {"launches", s.launches}});
  }
  return rows;
}

Json named_row(const TimeEntry& entry) {
  Json made = {{"file", entry.file}};
  if (!entry.schedule.empty()) made["schedule"] = entry.schedule;
  return made;
}

void add_back_to_back(Json& into, const trial::BackToBack& taken) {
  into.update({{"back_to_back_ns", taken.elapsed.value},
               {"back_to_back_interval_ns", as_json(taken.elapsed.interval)},
               {"back_to_back_launches", taken.launches}});
}

Json as_json(const TimeEntry& entry, const Row& row) {
  Json made = named_row(entry);
  made["verdict"] = name_of(row.outcome.verdict);
  made["reason"] = row.outcome.reason;
  if (const auto& measured = row.outcome.measured) {
    made["time_ns"] = row.time_ns;
    made["time_interval_ns"] = as_json(row.time_interval);
    made["cpu_ns"] = row.cpu_ns;
    made["cpu_interval_ns"] = as_json(row.cpu_interval);
    made["stop"] = name_of(measured->stop);
    made["drift"] = measured->drift ? Json(measured->drift->change) : Json(nullptr);
    made["warm_up"] = as_json(measured->warm_up);
    made["samples"] = as_json(measured->samples);
  }
  if (entry.back_to_back) add_back_to_back(made, *entry.back_to_back);
  if (row.outcome.verdict == Verdict::correct) made["rank"] = rank_text(row);
  if (const auto& standing = row.standing) {
    made["ratio"] = standing->ratio;
    made["ratio_interval"] = as_json(standing->ratio_interval);
    made["contradicted_by_wall"] = standing->contradicted;
    made["race_samples"] = as_json(standing->samples);
  }
  return made;
}

Json refused_json(const TimeEntry& entry) {
  Json made = named_row(entry);
  made["verdict"] = entry.refused->kind;
  made["reason"] = entry.refused->reason;
  return made;
}

std::string as_json(const trial::Report* report, std::span<const TimeEntry> entries) {
  Json rows = Json::array();
  for_each_entry(
      report, entries,
      [&](const TimeEntry& entry, const Row& row) { rows.push_back(as_json(entry, row)); },
      [&](const TimeEntry& entry) { rows.push_back(refused_json(entry)); });
  Json all = {{"device", nullptr}, {"name", nullptr}, {"winner", nullptr}};
  if (report != nullptr) {
    all = {{"device", report->adapter.id()},
           {"name", report->adapter.name},
           {"basis", name_of(report->basis)},
           {"confirmed_by_wall", report->confirmed_by_wall},
           {"rounds", report->rounds},
           {"winner", report->winner ? Json(report->rows[*report->winner].name) : Json(nullptr)}};
  }
  all["programs"] = rows;
  return json_text(all);
}

void print_notes(const trial::Report& report) {
  for (const Row& row : report.rows) {
    if (row.outcome.verdict != Verdict::correct) {
      print_message("{}: {}: {}\n", row.name, name_of(row.outcome.verdict), row.outcome.reason);
    }
    if (row.outcome.measured && row.outcome.measured->drift) {
      print_message("{}: its time drifted by {:+.0f} % while it was measured\n", row.name,
                    row.outcome.measured->drift->change * 100);
    }
    if (row.standing && row.standing->contradicted) {
      print_message("{}: CPU time and wall time disagree about it\n", row.name);
    }
  }
}

}  // namespace

ExitStatus print_report(const std::optional<trial::Report>& report,
                        std::span<const TimeEntry> entries, bool json) {
  if (json) {
    write_result(as_json(report ? &*report : nullptr, entries));
  } else if (report) {
    print_result("{}{}", as_table(*report, entries), ties_text(*report));
  }
  flush_results();
  ExitStatus status = done;
  for (const TimeEntry& entry : entries) {
    if (entry.refused) status = std::max(status, entry.refused->status);
  }
  if (!report) return status;
  print_notes(*report);
  if (!json) print_message("on {}, {}\n", report->adapter.name, basis_text(*report));
  const auto is_correct = [](const Row& row) { return row.outcome.verdict == Verdict::correct; };
  return std::ranges::all_of(report->rows, is_correct) ? status : std::max(status, check_failed);
}

}  // namespace vyre::cli
