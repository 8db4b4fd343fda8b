#include "device/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "device/cuda_roots.h"

namespace vyre::device {
namespace {

constexpr std::array<std::string_view, 4> versions = {"libnvrtc.so", "libnvrtc.so.13",
                                                      "libnvrtc.so.12", "libnvrtc.so.11.2"};

void* open_first(const std::string& folder) {
  for (const std::string_view version : versions) {
    if (void* library = dlopen((folder + std::string(version)).c_str(), RTLD_NOW | RTLD_LOCAL)) {
      return library;
    }
  }
  return nullptr;
}

void* open_anywhere(std::span<const std::string> roots) {
  std::vector<std::string> folders;
  for (const std::string& root : roots) folders.push_back(root + "/lib64/");
  folders.emplace_back();  // where the loader looks
  for (const std::string& root : usual_cuda_roots()) folders.push_back(root + "/lib64/");
  for (const std::string& folder : folders) {
    if (void* library = open_first(folder)) return library;
  }
  return nullptr;
}

template <class Pointer>
bool find(void* library, const char* name, Pointer& function) {
  function = reinterpret_cast<Pointer>(dlsym(library, name));
  return function != nullptr;
}

// Text that the library writes with its terminating zero.
std::string without_zero(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

std::optional<Nvrtc> Nvrtc::load(std::span<const std::string> roots) {
  void* library = open_anywhere(roots);
  Nvrtc nvrtc;
  if (library == nullptr || !nvrtc.bind(library)) return std::nullopt;
  return nvrtc;
}

bool Nvrtc::bind(void* library) {
  return find(library, "nvrtcCreateProgram", create_) &&
         find(library, "nvrtcCompileProgram", compile_) &&
         find(library, "nvrtcDestroyProgram", destroy_) &&
         find(library, "nvrtcGetPTXSize", ptx_size_) && find(library, "nvrtcGetPTX", ptx_) &&
         find(library, "nvrtcGetProgramLogSize", log_size_) &&
         find(library, "nvrtcGetProgramLog", log_) && find(library, "nvrtcGetErrorString", error_);
}

Result<std::string> Nvrtc::ptx(const std::string& source,
                               std::span<const std::string> options) const {
  Program program = nullptr;
  if (const Status made = create_(&program, source.c_str(), "vyre.cu", 0, nullptr, nullptr)) {
    return fail(ErrorKind::device, fmt::format("NVRTC: {}", error_(made)));
  }
  auto text = compile(program, options);
  destroy_(&program);
  return text;
}

Result<std::string> Nvrtc::compile(Program program, std::span<const std::string> options) const {
  std::vector<const char*> list;
  for (const std::string& option : options) list.push_back(option.c_str());
  if (const Status done = compile_(program, static_cast<int>(list.size()), list.data())) {
    return fail(ErrorKind::compile, fmt::format("NVRTC: {}\n{}", error_(done), log(program)));
  }
  std::size_t size = 0;
  Status got = ptx_size_(program, &size);
  std::string text(size, '\0');
  if (got == 0) got = ptx_(program, text.data());
  if (got != 0) return fail(ErrorKind::device, fmt::format("NVRTC: {}", error_(got)));
  return without_zero(std::move(text));
}

std::string Nvrtc::log(Program program) const {
  std::size_t size = 0;
  if (log_size_(program, &size) != 0) return {};
  std::string text(size, '\0');
  return log_(program, text.data()) == 0 ? without_zero(std::move(text)) : std::string();
}

}  // namespace vyre::device
