#include "device/opencl_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vyre::device {
namespace {

struct Row {
  std::int32_t code;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array rows = std::to_array<Row>({
    {0, "success", "nothing is wrong"},
    {-1, "device not found", "the driver offers no device of this type, or could not start it"},
    {-2, "device not available", "the device exists but is in use or switched off"},
    {-3, "compiler not available", "the driver has no compiler for source text"},
    {-4, "memory object allocation failure", "the device could not provide memory for a buffer"},
    {-5, "out of resources", "the device ran out of memory or registers, or the kernel crashed it"},
    {-6, "out of host memory", "the driver could not allocate memory on the host"},
    {-7, "profiling info not available", "the command has not finished or was not profiled"},
    {-8, "memory copy overlap", "source and destination of a copy overlap"},
    {-9, "image format mismatch", "the two images have different formats"},
    {-10, "image format not supported", "the device does not have this image format"},
    {-11, "build program failure", "the compiler refused the source; see its log"},
    {-12, "map failure", "the buffer could not be mapped into host memory"},
    {-13, "misaligned sub buffer offset", "a sub-buffer starts off the device's alignment"},
    {-14, "exec status error for events in wait list", "a command waited for has failed"},
    {-15, "compile program failure", "the compiler refused the source; see its log"},
    {-16, "linker not available", "the driver has no linker"},
    {-17, "link program failure", "the linker refused the program; see its log"},
    {-18, "device partition failed", "the device could not be split as asked"},
    {-19, "kernel arg info not available", "the program was built without argument information"},
    {-30, "invalid value", "a value in the call is out of range"},
    {-31, "invalid device type", "the device type is unknown"},
    {-32, "invalid platform", "the platform does not exist"},
    {-33, "invalid device", "the device does not exist or belongs to another platform"},
    {-34, "invalid context", "the context is not valid"},
    {-35, "invalid queue properties", "the device does not support the queue's properties"},
    {-36, "invalid command queue", "the command queue is not valid"},
    {-37, "invalid host ptr", "the host pointer does not go with the buffer's flags"},
    {-38, "invalid mem object", "the buffer is not valid on this device"},
    {-39, "invalid image format descriptor", "the image format is not valid"},
    {-40, "invalid image size", "the image is larger than the device allows"},
    {-41, "invalid sampler", "the sampler is not valid"},
    {-42, "invalid binary", "the binary was made for another device or driver"},
    {-43, "invalid build options", "the compiler does not know one of its options"},
    {-44, "invalid program", "the program is not valid"},
    {-45, "invalid program executable", "the program was not built for this device"},
    {-46, "invalid kernel name", "the program has no kernel of this name"},
    {-47, "invalid kernel definition", "the kernel was declared differently for another device"},
    {-48, "invalid kernel", "the kernel is not valid"},
    {-49, "invalid arg index", "the kernel has fewer arguments"},
    {-50, "invalid arg value", "the argument is of another kind than the kernel declares"},
    {-51, "invalid arg size", "the argument has another size than the kernel declares"},
    {-52, "invalid kernel args", "an argument was not set"},
    {-53, "invalid work dimension", "a launch has 1 to 3 dimensions"},
    {-54, "invalid work group size", "the workgroup is too large or does not divide the grid"},
    {-55, "invalid work item size", "the workgroup is too large in one dimension"},
    {-56, "invalid global offset", "the offset leaves the device's address range"},
    {-57, "invalid event wait list", "an event waited for is not valid"},
    {-58, "invalid event", "the event is not valid"},
    {-59, "invalid operation", "the call is not allowed for this object"},
    {-60, "invalid gl object", "the OpenGL object is not valid"},
    {-61, "invalid buffer size", "the buffer is empty or larger than the device allows"},
    {-62, "invalid mip level", "the image has fewer mip levels"},
    {-63, "invalid global work size", "the grid is empty or leaves the device's address range"},
    {-64, "invalid property", "the device does not know a property"},
    {-65, "invalid image descriptor", "the image description is not valid"},
    {-66, "invalid compiler options", "the compiler does not know one of its options"},
    {-67, "invalid linker options", "the linker does not know one of its options"},
    {-68, "invalid device partition count", "more parts were asked for than the device has units"},
    {-69, "invalid pipe size", "the pipe is larger than the device allows"},
    {-70, "invalid device queue", "the device-side queue is not valid"},
    {-71, "invalid spec id", "the program has no specialisation constant of this id"},
    {-72, "max size restriction exceeded", "an argument is larger than the kernel allows"},
    {-1001, "platform not found", "the OpenCL loader found no driver (ICD)"},
    {-9999, "illegal access", "the kernel read or wrote outside its buffers (NVIDIA)"},
});

}  // namespace

std::string opencl_error(std::int32_t code, std::string_view detail) {
  const auto* row = std::ranges::find(rows, code, &Row::code);
  if (row == rows.end()) {
    return fmt::format("{} (an error code of this driver){}{}", code, detail.empty() ? "" : ": ",
                       detail);
  }
  return fmt::format("{} {}: {}", code, row->name, detail.empty() ? row->meaning : detail);
}

Failure opencl_failure(std::string_view what, std::int32_t code, std::string_view detail) {
  return fail(ErrorKind::device, fmt::format("{} failed: {}", what, opencl_error(code, detail)));
}

}  // namespace vyre::device
