#include "device/opencl_platform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "device/opencl_error.h"
#include "device/opencl_info.h"

namespace vyre::device {
namespace {

constexpr const char* what_to_install =
    "On Debian `apt install ocl-icd-libopencl1 pocl-opencl-icd` runs kernels on the CPU; for a GPU "
    "install its vendor's OpenCL driver (ICD). `vyre doctor` checks each part.";

OpenclOffers none(OpenclState state, std::string why) {
  return {.state = state, .why_none = std::move(why), .what_to_install = what_to_install};
}

bool usable(cl_device_id device) {
  return device_value<cl_bool>(device, CL_DEVICE_AVAILABLE) != CL_FALSE &&
         device_value<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE;
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (opencl().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> ids(count);
  if (opencl().clGetPlatformIDs(count, ids.data(), nullptr) != CL_SUCCESS) return {};
  return ids;
}

std::string name_of(cl_platform_id platform) {
  return text_info([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().clGetPlatformInfo(platform, CL_PLATFORM_NAME, size, value, size_out);
  });
}

// Adds the platform's devices, or to `refusals` why it has none.
void add_offers(cl_platform_id platform, std::vector<OpenclOffer>& offers,
                std::vector<std::string>& refusals) {
  const std::string name = name_of(platform);
  std::array<cl_device_id, 256> devices{};
  cl_uint count = 0;
  const cl_int code =
      opencl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices.size(), devices.data(), &count);
  if (code != CL_SUCCESS) {
    refusals.push_back(fmt::format("{}: {}", name, opencl_error(code)));
    return;
  }
  for (const cl_device_id device : std::span(devices).first(std::min<std::size_t>(count, 256))) {
    if (!usable(device)) {
      refusals.push_back(fmt::format("{}: {} is not available or has no compiler", name,
                                     device_text(device, CL_DEVICE_NAME)));
      continue;
    }
    offers.push_back(offer_of(name, device));
  }
}

}  // namespace

OpenclOffers opencl_offers() {
  if (find_opencl() == nullptr) {
    return none(OpenclState::no_loader,
                "there is no OpenCL: the loader libOpenCL.so.1 was not found");
  }
  const auto ids = platforms();
  if (ids.empty()) {
    return none(OpenclState::no_driver, "there is no OpenCL device: the loader found no driver");
  }
  OpenclOffers found{.state = OpenclState::ready};
  std::vector<std::string> refusals;
  for (const cl_platform_id id : ids) add_offers(id, found.offers, refusals);
  if (found.offers.empty()) {
    return none(OpenclState::no_device,
                fmt::format("there is no OpenCL device: {}", fmt::join(refusals, "; ")));
  }
  std::ranges::stable_sort(found.offers, {}, [](const auto& o) { return o.adapter.is_cpu; });
  return found;
}

}  // namespace vyre::device
