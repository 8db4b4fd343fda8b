#include "vyre/base/verdict.h"

namespace vyre {

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

}  // namespace vyre
