// Kernel Tuner in a process of its own, in the virtual environment that `tools/install peers`
// makes. It builds spaces on request, so that its turns can alternate with vyre's.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::bench {

class KernelTuner {
 public:
  static Result<KernelTuner> start();
  ~KernelTuner();
  KernelTuner(KernelTuner&&) noexcept = default;
  KernelTuner& operator=(KernelTuner&&) noexcept = default;
  KernelTuner(const KernelTuner&) = delete;
  KernelTuner& operator=(const KernelTuner&) = delete;

  struct Answer {
    double seconds = 0;
    std::uint64_t size = 0;
    std::vector<std::string> keys;  // of the configurations, if asked for
  };
  Result<Answer> build(const std::vector<space::Parameter>& parameters,
                       const std::vector<std::string>& restrictions, bool with_keys);

 private:
  KernelTuner() = default;
  struct Closer {
    void operator()(std::FILE* pipe) const { ::pclose(pipe); }
  };

  std::filesystem::path folder_;
  std::unique_ptr<std::FILE, Closer> tasks_;
  std::ifstream answers_;
};

}  // namespace vyre::bench
