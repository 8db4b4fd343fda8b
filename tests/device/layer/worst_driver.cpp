// A layer between vyre and a driver (OPENCL_LAYERS) with the worst habits that drivers have:
//
//   - a blocking write copies the host's memory, and reaches the buffer when its queue does
//     something else, which is all that OpenCL promises (Intel's CPUs, now and then);
//   - a new buffer is full of what was there before;
//   - the times of every event are 0, 1, 2 and 3, by a clock of no resolution, and no kernel is
//     said to take more than one invocation in a workgroup, although it does (Mesa's rusticl);
//   - a kernel named "fails_later" is taken and fails while it runs: its event says so, clFinish
//     does not.
//
// Others have them sometimes; this one always, so that a test fails every time.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace {

struct Write {
  cl_mem buffer;
  std::size_t offset;
  std::vector<std::byte> bytes;
};

cl_icd_dispatch target;  // the driver below
cl_icd_dispatch layer;
std::mutex mutex;
std::map<cl_command_queue, std::vector<Write>> held_back;

// What a queue still has to do before it does anything else.
cl_int catch_up(cl_command_queue queue) {
  const std::scoped_lock lock(mutex);
  cl_int code = CL_SUCCESS;
  for (const Write& write : held_back[queue]) {
    if (code != CL_SUCCESS) break;
    code = target.clEnqueueWriteBuffer(queue, write.buffer, CL_TRUE, write.offset,
                                       write.bytes.size(), write.bytes.data(), 0, nullptr, nullptr);
  }
  for (const Write& write : held_back[queue]) target.clReleaseMemObject(write.buffer);
  held_back.erase(queue);
  return code;
}

// A command as the driver has it, after what its queue was to do before.
template <auto Command, class... Arguments>
cl_int after_catching_up(cl_command_queue queue, Arguments... arguments) {
  if (const cl_int code = catch_up(queue); code != CL_SUCCESS) return code;
  return (target.*Command)(queue, arguments...);
}

cl_int write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                    std::size_t size, const void* from, cl_uint waits, const cl_event* wait_list,
                    cl_event* event) {
  if (blocking == CL_FALSE || waits > 0 || event != nullptr) {
    if (const cl_int code = catch_up(queue); code != CL_SUCCESS) return code;
    return target.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, waits,
                                       wait_list, event);
  }
  const auto* bytes = static_cast<const std::byte*>(from);
  const std::scoped_lock lock(mutex);
  target.clRetainMemObject(buffer);
  held_back[queue].push_back({buffer, offset, {bytes, bytes + size}});
  return CL_SUCCESS;
}

cl_mem create_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                     cl_int* code) {
  constexpr std::size_t most = std::size_t{64} << 20U;
  if (host != nullptr || size > most) {
    return target.clCreateBuffer(context, flags, size, host, code);
  }
  std::vector<std::byte> rubbish(size, std::byte{0xcd});
  return target.clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, size, rubbish.data(), code);
}

cl_int event_times(cl_event event, cl_profiling_info what, std::size_t size, void* value,
                   std::size_t* size_out) {
  const cl_int code = target.clGetEventProfilingInfo(event, what, size, value, size_out);
  const cl_ulong time = what - CL_PROFILING_COMMAND_QUEUED;
  if (code == CL_SUCCESS && value != nullptr) std::memcpy(value, &time, sizeof(time));
  return code;
}

cl_int device_info(cl_device_id device, cl_device_info what, std::size_t size, void* value,
                   std::size_t* size_out) {
  const cl_int code = target.clGetDeviceInfo(device, what, size, value, size_out);
  if (code == CL_SUCCESS && what == CL_DEVICE_PROFILING_TIMER_RESOLUTION && value != nullptr) {
    std::memset(value, 0, size);
  }
  return code;
}

cl_int kernel_limits(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                     std::size_t size, void* value, std::size_t* size_out) {
  const cl_int code = target.clGetKernelWorkGroupInfo(kernel, device, what, size, value, size_out);
  constexpr std::size_t one = 1;
  if (code == CL_SUCCESS && what == CL_KERNEL_WORK_GROUP_SIZE && value != nullptr) {
    std::memcpy(value, &one, sizeof(one));
  }
  return code;
}

void* map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                 std::size_t offset, std::size_t size, cl_uint waits, const cl_event* wait_list,
                 cl_event* event, cl_int* code) {
  if (const cl_int late = catch_up(queue); late != CL_SUCCESS) {
    if (code != nullptr) *code = late;
    return nullptr;
  }
  return target.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waits, wait_list,
                                   event, code);
}

bool fails_later(cl_kernel kernel) {
  char name[64] = "";
  const cl_int code =
      target.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, nullptr);
  return code == CL_SUCCESS && std::string_view(name) == "fails_later";
}

// An event of a command that ended with an error.
cl_event failed_event(cl_command_queue queue) {
  cl_context context = nullptr;
  target.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context),
                               static_cast<void*>(&context), nullptr);
  cl_event event = target.clCreateUserEvent(context, nullptr);
  target.clSetUserEventStatus(event, CL_OUT_OF_RESOURCES);
  return event;
}

cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const std::size_t* offset,
              const std::size_t* global, const std::size_t* local, cl_uint waits,
              const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = catch_up(queue); code != CL_SUCCESS) return code;
  if (!fails_later(kernel)) {
    return target.clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, waits,
                                         wait_list, event);
  }
  if (event != nullptr) *event = failed_event(queue);
  return CL_SUCCESS;
}

}  // namespace

extern "C" cl_int clGetLayerInfo(cl_layer_info what, std::size_t size, void* value,
                                 std::size_t* size_out) {
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  if (value != nullptr) {
    if (size < sizeof(version)) return CL_INVALID_VALUE;
    std::memcpy(value, &version, sizeof(version));
  }
  if (size_out != nullptr) *size_out = sizeof(version);
  return CL_SUCCESS;
}

extern "C" cl_int clInitLayer(cl_uint entries, const cl_icd_dispatch* below, cl_uint* entries_out,
                              const cl_icd_dispatch** layer_out) {
  if (entries < sizeof(cl_icd_dispatch) / sizeof(void*)) return CL_INVALID_VALUE;
  target = *below;
  layer = target;
  layer.clEnqueueWriteBuffer = write_buffer;
  layer.clCreateBuffer = create_buffer;
  layer.clGetEventProfilingInfo = event_times;
  layer.clGetDeviceInfo = device_info;
  layer.clGetKernelWorkGroupInfo = kernel_limits;
  layer.clEnqueueNDRangeKernel = launch;
  layer.clEnqueueReadBuffer = after_catching_up<&cl_icd_dispatch::clEnqueueReadBuffer>;
  layer.clEnqueueCopyBuffer = after_catching_up<&cl_icd_dispatch::clEnqueueCopyBuffer>;
  layer.clEnqueueFillBuffer = after_catching_up<&cl_icd_dispatch::clEnqueueFillBuffer>;
  layer.clEnqueueMapBuffer = map_buffer;
  layer.clFlush = after_catching_up<&cl_icd_dispatch::clFlush>;
  layer.clFinish = after_catching_up<&cl_icd_dispatch::clFinish>;
  layer.clReleaseCommandQueue = after_catching_up<&cl_icd_dispatch::clReleaseCommandQueue>;
  *entries_out = sizeof(cl_icd_dispatch) / sizeof(void*);
  *layer_out = &layer;
  return CL_SUCCESS;
}
