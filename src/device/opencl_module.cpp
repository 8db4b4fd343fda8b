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
    return opencl().get_program_build_info(program, device, CL_PROGRAM_BUILD_LOG, size, value,
                                           size_out);
  });
}

// A compiler given two versions of the language may refuse both.
std::string all_options(std::string own, const std::string& more) {
  constexpr std::string_view version = "-cl-std=";
  const std::size_t at = own.find(version);
  if (at != std::string::npos && more.contains(version)) {
    own.erase(at, own.find(' ', at) - at);
  }
  return more.empty() ? own : own + " " + more;
}

}  // namespace

Result<std::unique_ptr<Module>> build_opencl(const Device& owner, const OpenclOffer& offer,
                                             cl_context context, const std::string& source,
                                             const std::string& options) {
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  ProgramHandle program(opencl().create_program_with_source(context, 1, &text, &length, &code));
  if (code == CL_SUCCESS) {
    code =
        opencl().build_program(program.get(), 1, &offer.device,
                               all_options(offer.build_options, options).c_str(), nullptr, nullptr);
  }
  if (code != CL_SUCCESS) {
    const std::string log = program.get() == nullptr ? "" : log_of(program.get(), offer.device);
    return fail(ErrorKind::compile, fmt::format("{} cannot compile the source: {}\n{}",
                                                offer.adapter.name, opencl_error(code), log));
  }
  return std::make_unique<OpenclModule>(owner, offer, std::move(program));
}

}  // namespace vyre::device
