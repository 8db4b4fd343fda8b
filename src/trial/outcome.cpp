#include "trial/outcome.h"

namespace vyre::trial {

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
