#include "device/opencl_platform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "device/opencl_error.h"

namespace vyre::device {
namespace {

constexpr const char* what_to_install =
    "On Debian `apt install ocl-icd-libopencl1 pocl-opencl-icd` runs kernels on the CPU; for a GPU "
    "install its vendor's OpenCL driver (ICD). `vyre doctor` checks each part.";

OpenclListing none(OpenclState state, std::string why) {
  return {.state = state, .why_none = std::move(why), .what_to_install = what_to_install};
}

// Queries newer than 1.2, or of one vendor. A driver that does not know them says so.
constexpr cl_device_info preferred_multiple_3_0 = 0x1067;
constexpr cl_device_info warp_size_nv = 0x4003;
constexpr cl_device_info wavefront_width_amd = 0x4043;

std::uint32_t preferred_multiple(cl_device_id device) {
  if (const auto n = device_value<std::size_t>(device, preferred_multiple_3_0); n != 0) {
    return static_cast<std::uint32_t>(n);
  }
  for (const auto what : {warp_size_nv, wavefront_width_amd}) {
    if (const auto n = device_value<cl_uint>(device, what); n != 0) return n;
  }
  return std::max(1U, device_value<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
}

std::uint32_t clamp32(std::size_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

Extent max_dims(cl_device_id device) {
  // A driver may have more than three dimensions; it fills as many as it has.
  std::array<std::size_t, 16> sizes{};
  std::size_t bytes = 0;
  if (opencl().get_device_info(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(sizes), sizes.data(),
                               &bytes) != CL_SUCCESS) {
    return {1, 1, 1};
  }
  return {clamp32(sizes[0]), clamp32(sizes[1]), clamp32(sizes[2])};
}

Limits limits_of(cl_device_id device) {
  return {
      .max_workgroup = clamp32(device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE)),
      .max_workgroup_dims = max_dims(device),
      .shared_bytes = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE),
      .max_buffer_bytes = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
      .compute_units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
      .preferred_multiple = preferred_multiple(device),
      .has_f64 = device_value<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
  };
}

bool is_cpu(cl_device_id device) {
  const auto type = device_value<cl_device_type>(device, CL_DEVICE_TYPE);
  return (type & CL_DEVICE_TYPE_CPU) != 0 &&
         (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) == 0;
}

Adapter adapter_of(const std::string& platform, cl_device_id device) {
  return {
      .kind = "opencl",
      .platform = platform,
      .vendor = device_text(device, CL_DEVICE_VENDOR),
      .name = device_text(device, CL_DEVICE_NAME),
      .driver = fmt::format("{} ({})", device_text(device, CL_DRIVER_VERSION),
                            device_text(device, CL_DEVICE_VERSION)),
      .is_cpu = is_cpu(device),
      .limits = limits_of(device),
  };
}

// No option may change what the source means: nothing of the fast-math family.
std::string build_options(cl_device_id device) {
  // What a compiler warns of in emitted code, nobody can act on; errors still come with their log.
  std::string options = "-w";
  // "OpenCL C <major>.<minor> ..."; 1.0 and 1.1 compilers do not know the option's value.
  const std::string version = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
  if (!version.starts_with("OpenCL C 1.0") && !version.starts_with("OpenCL C 1.1")) {
    options += " -cl-std=CL1.2";
  }
  const auto f32 = device_value<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG);
  if ((f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) {
    options += " -cl-fp32-correctly-rounded-divide-sqrt";
  }
  return options;
}

OpenclDeviceInfo info_of(const std::string& platform, cl_device_id device) {
  return {
      .device = device,
      .adapter = adapter_of(platform, device),
      .build_options = build_options(device),
      .address_bits = device_value<cl_uint>(device, CL_DEVICE_ADDRESS_BITS),
      .has_clock = device_value<std::size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION) != 0};
}

bool usable(cl_device_id device) {
  return device_value<cl_bool>(device, CL_DEVICE_AVAILABLE) != CL_FALSE &&
         device_value<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE;
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (opencl().get_platform_ids(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> ids(count);
  if (opencl().get_platform_ids(count, ids.data(), nullptr) != CL_SUCCESS) return {};
  return ids;
}

std::string name_of(cl_platform_id platform) {
  return text_info([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().get_platform_info(platform, CL_PLATFORM_NAME, size, value, size_out);
  });
}

// Adds the platform's devices, CPUs after all others, or to `refusals` why it has none.
void add_devices(cl_platform_id platform, std::vector<OpenclDeviceInfo>& devices,
                 std::vector<std::string>& refusals) {
  const std::string name = name_of(platform);
  std::array<cl_device_id, 256> ids{};
  cl_uint count = 0;
  const cl_int code =
      opencl().get_device_ids(platform, CL_DEVICE_TYPE_ALL, ids.size(), ids.data(), &count);
  if (code != CL_SUCCESS) {
    refusals.push_back(fmt::format("{}: {}", name, opencl_error(code)));
    return;
  }
  for (const cl_device_id device : std::span(ids).first(std::min<std::size_t>(count, 256))) {
    if (!usable(device)) {
      refusals.push_back(fmt::format("{}: {} is not available or has no compiler", name,
                                     device_text(device, CL_DEVICE_NAME)));
      continue;
    }
    OpenclDeviceInfo info = info_of(name, device);
    const auto is_cpu = [](const OpenclDeviceInfo& other) { return other.adapter.is_cpu; };
    const auto place = std::ranges::upper_bound(devices, is_cpu(info), {}, is_cpu);
    devices.insert(place, std::move(info));
  }
}

}  // namespace

OpenclListing list_opencl() {
  if (find_opencl() == nullptr) {
    return none(OpenclState::no_loader,
                "there is no OpenCL: the loader libOpenCL.so.1 was not found");
  }
  const auto ids = platforms();
  if (ids.empty()) {
    return none(OpenclState::no_driver, "there is no OpenCL device: the loader found no driver");
  }
  OpenclListing found{.state = OpenclState::ready};
  std::vector<std::string> refusals;
  for (const cl_platform_id id : ids) add_devices(id, found.devices, refusals);
  if (found.devices.empty()) {
    return none(OpenclState::no_device,
                fmt::format("there is no OpenCL device: {}", fmt::join(refusals, "; ")));
  }
  return found;
}

}  // namespace vyre::device
