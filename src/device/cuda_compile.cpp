#include "device/cuda_compile.h"

#include <fmt/format.h>

#include <vector>

#include "device/nvcc.h"
#include "device/nvrtc.h"

namespace vyre::device {
namespace {

// PTX is made for a virtual architecture.
std::string architecture_option(std::string_view arch) {
  if (arch.starts_with("sm_")) arch.remove_prefix(3);
  if (arch.starts_with("compute_")) arch.remove_prefix(8);
  return fmt::format("--gpu-architecture=compute_{}", arch);
}

}  // namespace

Result<std::string> compile_to_ptx(const std::string& source, std::string_view arch,
                                   std::span<const std::string_view> options,
                                   std::span<const std::string> roots) {
  std::vector<std::string> all = {architecture_option(arch)};
  all.insert(all.end(), options.begin(), options.end());
  if (const auto nvrtc = Nvrtc::load(roots)) return nvrtc->ptx(source, all);
  if (const auto nvcc = find_nvcc(roots)) return nvcc_ptx(*nvcc, source, all);
  return fail(ErrorKind::no_device,
              "no CUDA compiler was found: install NVRTC (libnvrtc, package cuda-nvrtc) or nvcc "
              "(package cuda-nvcc), or say where CUDA is");
}

}  // namespace vyre::device
