#include "vyre/trial/outcome.h"

namespace vyre::trial {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::correct:
      return "correct";
    case Verdict::compile:
      return "compile";
    case Verdict::timeout:
      return "timeout";
    case Verdict::runtime:
      return "runtime";
    case Verdict::correctness:
      return "correctness";
    case Verdict::constraints:
      return "constraints";
  }
  return "runtime";
}

std::optional<Verdict> verdict_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::compile:
      return Verdict::compile;
    case ErrorKind::timeout:
      return Verdict::timeout;
    case ErrorKind::device:
    case ErrorKind::run:
      return Verdict::runtime;
    case ErrorKind::limit:
      return Verdict::constraints;
    case ErrorKind::input:
    case ErrorKind::io:
    case ErrorKind::no_device:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vyre::trial
