#include "report/verdict.h"

#include "report/units.h"

namespace vyre::report {

Verdict verdict_of(const Run& run) {
  if (run.timed().empty()) return Verdict::nothing;
  if (!run.winner()) return Verdict::no_race;
  if (!run.original()) return Verdict::no_default;
  if (run.results().tied) return Verdict::tied;
  if (run.winner() == run.original()) return Verdict::default_won;
  const auto speedup = run.speedup();
  return speedup && speedup->value < 1 ? Verdict::slower : Verdict::faster;
}

std::string_view words_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "";
    case Verdict::tied:
      return "tied";
    case Verdict::default_won:
      return "default won";
    case Verdict::slower:
      return "slower";
    case Verdict::no_default:
      return "default failed";
    case Verdict::no_race:
      return "no race";
    case Verdict::nothing:
      return "nothing correct";
  }
  return "";
}

std::string_view sentence_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "";
    case Verdict::tied:
      return "Tied with the default: the difference is within the noise.";
    case Verdict::default_won:
      return "The default is the fastest that was found.";
    case Verdict::slower:
      return "Slower than the default.";
    case Verdict::no_default:
      return "There is no time of the default to compare with.";
    case Verdict::no_race:
      return "No race was held at the end: the fastest is the one with the least estimate.";
    case Verdict::nothing:
      return "No configuration gave a correct result and a time.";
  }
  return "";
}

}  // namespace vyre::report
