// Shows, without vyre, what docs/drivers.md says of drivers: each line is what OpenCL demands and
// what the first device of the first platform does.
//
//   cc tests/drivers/faults.c -o faults -l:libOpenCL.so.1 && OCL_ICD_VENDORS=... ./faults
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* source =
    "__kernel void floats(__global float* out, __global const float* in) {\n"
    "  out[0] = 0.0f / in[0]; out[1] = fma(0.0f, in[1], 1.0f); out[2] = exp(in[2]);\n"
    "  out[3] = convert_uint_sat_rtz(in[0] + NAN);\n"
    "  float4 v = vload4(0, in); out[4] = convert_uchar4((v != v.s1230) & 1).s0;\n"
    "  float rounds = 0; for (volatile int i = 0; i < 100000; ++i) rounds += 1; out[5] = rounds;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void of_64(__global float* out) {\n"
    "  __local float tile[256]; tile[get_local_id(0)] = get_local_id(0);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); out[get_local_id(0)] = tile[63 - get_local_id(0)];\n"
    "}\n";
static const char* dividing =
    "int divided(int a, int b) { return b == -1 ? as_int(-as_uint(a)) : a / b; }\n"
    "__kernel void k(__global int* out) { out[0] = divided(-2147483647 - 1, -1); }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program built(const char* text) {
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
  const cl_int code = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
  if (code != CL_SUCCESS) printf("the build failed: %d\n", code);
  return program;
}

static void open_first(void) {
  cl_platform_id platform;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
}

static void floats(cl_program program) {
  const float in[4] = {0.0f, INFINITY, -100.0f, 1.0f};
  float out[6];
  const size_t one = 1;
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL);
  cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out), NULL, NULL);
  cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(in), NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "floats", NULL);
  clSetKernelArg(kernel, 0, sizeof(to), &to);
  clSetKernelArg(kernel, 1, sizeof(from), &from);
  clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, sizeof(in), in, 0, NULL, NULL);
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
  clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL);
  printf("0 / 0 is nan (it says that it has nan: %d): %g\n", (config & CL_FP_INF_NAN) != 0, out[0]);
  printf("fma(0, inf, 1) is nan: %g\n", out[1]);
  printf("exp(-100) is 3.8e-44 where it has denormals (%d): %g\n", (config & CL_FP_DENORM) != 0,
         out[2]);
  printf("convert_uint_sat(nan) should be 0: %g\n", out[3]);
  printf("a loop of 100000 rounds has 100000: %g\n", out[5]);
  printf("a lane of a comparison & 1 is 1: %g\n", out[4]);
}

static void limits(cl_program program) {
  const size_t size = 64;
  size_t most = 0;
  cl_ulong local = 0, start = 0, end = 0;
  cl_event event;
  cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * sizeof(float), NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "of_64", NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local), &local, NULL);
  printf("a kernel that requires groups of 64 takes groups of 64: at most %zu\n", most);
  printf("it needs 1024 bytes of local memory: %llu\n", (unsigned long long)local);
  clSetKernelArg(kernel, 0, sizeof(to), &to);
  const cl_int code =
      clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, &event);
  clFinish(queue);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
  printf("it starts before it ends (launched: %d): %llu, %llu\n", code, (unsigned long long)start,
         (unsigned long long)end);
}

int main(void) {
  // In a process of its own, because a compiler may die of it; before a driver has threads.
  const pid_t child = fork();
  if (child == 0) {
    open_first();
    clCreateKernel(built(dividing), "k", NULL);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("the least int / -1 in a branch not taken compiles: signal %d\n", WTERMSIG(status));
  open_first();
  cl_program program = built(source);
  floats(program);
  limits(program);
  return 0;
}
