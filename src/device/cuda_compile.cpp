#include "device/cuda_compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

namespace vyre::device {
namespace {

namespace fs = std::filesystem;

// Where CUDA usually is: newest names first; only those that exist.
std::vector<std::string> usual_cuda_roots() {
  std::vector<std::string> roots;
  std::error_code ignored;
  for (const char* parent : {"/usr/local", "/opt"}) {
    for (const auto& entry : fs::directory_iterator(parent, ignored)) {
      if (entry.path().filename().string().starts_with("cuda")) roots.push_back(entry.path());
    }
  }
  std::ranges::sort(roots, std::greater<>());
  return roots;
}

// NVRTC, the CUDA compiler as a library, opened at run time.
//
// The few functions of the library that are used, with its own C types spelled out: its headers
// may be absent.
class Nvrtc {
 public:
  // The library from where the loader looks or from the usual places; nothing if it is in none of
  // them. It stays loaded.
  [[nodiscard]] static std::optional<Nvrtc> load();

  // Options are as on nvcc's command line: "--gpu-architecture=compute_75".
  [[nodiscard]] Result<std::string> ptx(const std::string& source,
                                        std::span<const std::string> options) const;

 private:
  using Program = void*;
  using Status = int;

  bool bind(void* library);
  [[nodiscard]] std::string log(Program program) const;
  [[nodiscard]] Result<std::string> compile(Program program,
                                            std::span<const std::string> options) const;

  Status (*create_)(Program*, const char*, const char*, int, const char* const*,
                    const char* const*) = nullptr;
  Status (*compile_)(Program, int, const char* const*) = nullptr;
  Status (*destroy_)(Program*) = nullptr;
  Status (*ptx_size_)(Program, std::size_t*) = nullptr;
  Status (*ptx_)(Program, char*) = nullptr;
  Status (*log_size_)(Program, std::size_t*) = nullptr;
  Status (*log_)(Program, char*) = nullptr;
  const char* (*error_)(Status) = nullptr;
};

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

void* open_anywhere() {
  std::vector<std::string> folders = {""};  // where the loader looks
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

std::optional<Nvrtc> Nvrtc::load() {
  void* library = open_anywhere();
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

// nvcc, the CUDA compiler as a process.

// A directory that is removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "vyre-nvcc-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (exists()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] bool exists() const { return !path_.empty(); }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The exit status, or -1 if it did not start or did not end by itself.
int run(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

std::optional<std::string> find_nvcc() {
  std::vector<std::string> roots = usual_cuda_roots();
  roots.emplace_back("/usr");
  for (const std::string& root : roots) {
    std::string path = root + "/bin/nvcc";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

Result<std::string> nvcc_ptx(const std::string& nvcc, const std::string& source,
                             std::span<const std::string> options) {
  const TemporaryDirectory folder;
  if (!folder.exists()) return fail(ErrorKind::io, "no temporary directory could be made for nvcc");
  const std::string input = folder.file("vyre.cu");
  const std::string output = folder.file("vyre.ptx");
  if (!(std::ofstream(input) << source).flush()) {
    return fail(ErrorKind::io, fmt::format("cannot write {}", input));
  }
  std::vector<std::string> words = {nvcc, "-ptx", "-o", output, input};
  words.insert(words.end(), options.begin(), options.end());
  const std::string log = folder.file("log");
  if (run(words, log) != 0) {
    return fail(ErrorKind::compile, fmt::format("nvcc refused the source:\n{}", content(log)));
  }
  return content(output);
}

// PTX is made for a virtual architecture.
std::string architecture_option(std::string_view arch) {
  if (arch.starts_with("sm_")) arch.remove_prefix(3);
  if (arch.starts_with("compute_")) arch.remove_prefix(8);
  return fmt::format("--gpu-architecture=compute_{}", arch);
}

}  // namespace

Result<std::string> compile_to_ptx(const std::string& source, std::string_view arch,
                                   std::span<const std::string_view> options) {
  std::vector<std::string> all = {architecture_option(arch)};
  all.insert(all.end(), options.begin(), options.end());
  if (const auto nvrtc = Nvrtc::load()) return nvrtc->ptx(source, all);
  if (const auto nvcc = find_nvcc()) return nvcc_ptx(*nvcc, source, all);
  return fail(ErrorKind::no_device,
              "no CUDA compiler was found: install NVRTC (libnvrtc, package cuda-nvrtc) or nvcc "
              "(package cuda-nvcc)");
}

}  // namespace vyre::device
