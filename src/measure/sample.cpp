#include "measure/sample.h"

namespace vyre::measure {

std::string_view name_of(Basis basis) {
  switch (basis) {
    case Basis::wall:
      return "wall";
    case Basis::device:
      return "device";
    case Basis::cpu:
      return "cpu";
  }
  return "wall";
}

double value(const Sample& sample, Basis basis) {
  switch (basis) {
    case Basis::wall:
      return sample.wall_ns;
    case Basis::device:
      return sample.device_ns;
    case Basis::cpu:
      return sample.cpu_ns;
  }
  return sample.wall_ns;
}

}  // namespace vyre::measure
