#include "device/opencl_module.h"

#include <fmt/format.h>

#include <utility>

#include "device/opencl_error.h"
#include "device/opencl_handle.h"
#include "device/opencl_info.h"
#include "device/opencl_kernel.h"

namespace vyre::device {
namespace {

class OpenclModule final : public Module {
 public:
  OpenclModule(const Device& owner, const OpenclOffer& offer, ProgramHandle program)
      : owner_(&owner), offer_(&offer), program_(std::move(program)) {}

  [[nodiscard]] Result<std::unique_ptr<Kernel>> kernel(std::string_view entry) override {
    return OpenclKernel::create(*owner_, *offer_, program_.get(), entry);
  }

 private:
  const Device* owner_;
  const OpenclOffer* offer_;  // the owner's
  ProgramHandle program_;
};

std::string log_of(cl_program program, cl_device_id device) {
  return text_info([=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, value,
                                          size_out);
  });
}

}  // namespace

Result<std::unique_ptr<Module>> build_opencl(const Device& owner, const OpenclOffer& offer,
                                             cl_context context, const std::string& source) {
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  ProgramHandle program(opencl().clCreateProgramWithSource(context, 1, &text, &length, &code));
  if (code == CL_SUCCESS) {
    code = opencl().clBuildProgram(program.get(), 1, &offer.device, offer.build_options.c_str(),
                                   nullptr, nullptr);
  }
  if (code != CL_SUCCESS) {
    const std::string log = program.get() == nullptr ? "" : log_of(program.get(), offer.device);
    return fail(ErrorKind::compile, fmt::format("{} cannot compile the source: {}\n{}",
                                                offer.adapter.name, opencl_error(code), log));
  }
  return std::make_unique<OpenclModule>(owner, offer, std::move(program));
}

}  // namespace vyre::device
