#include "kernel_tuner_peer.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

namespace vyre::bench {
namespace {

nlohmann::ordered_json to_json(const std::vector<space::Parameter>& parameters) {
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  for (const space::Parameter& parameter : parameters) {
    auto& values = made[parameter.name] = nlohmann::ordered_json::array();
    for (const space::Value& value : parameter.values) {
      std::visit([&](const auto& held) { values.push_back(held); }, value);
    }
  }
  return made;
}

}  // namespace

Result<KernelTuner> KernelTuner::start() {
  const std::string python = VYRE_PEERS "/bin/python";
  if (!std::filesystem::exists(python)) {
    return fail(ErrorKind::io, "Kernel Tuner is not installed: run tools/install peers");
  }
  KernelTuner made;
  std::string pattern = (std::filesystem::temp_directory_path() / "vyre-bench-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return fail(ErrorKind::io, "no temporary directory");
  made.folder_ = pattern;
  const std::string fifo = (made.folder_ / "answers").string();
  if (::mkfifo(fifo.c_str(), S_IRUSR | S_IWUSR) != 0) return fail(ErrorKind::io, "no pipe");
  const std::string command = fmt::format("'{}' '{}' '{}'", python, VYRE_PEER_SCRIPT, fifo);
  made.tasks_.reset(::popen(command.c_str(), "w"));
  if (!made.tasks_) return fail(ErrorKind::io, "cannot start " + python);
  made.answers_.open(fifo);
  return made;
}

KernelTuner::~KernelTuner() {
  tasks_.reset();
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

Result<KernelTuner::Answer> KernelTuner::build(const std::vector<space::Parameter>& parameters,
                                               const std::vector<std::string>& restrictions,
                                               bool with_keys) {
  const std::string list = with_keys ? (folder_ / "list").string() : "";
  nlohmann::ordered_json task;
  task["parameters"] = to_json(parameters);
  task["restrictions"] = restrictions;
  task["list"] = list;
  std::fputs((task.dump() + "\n").c_str(), tasks_.get());
  std::fflush(tasks_.get());
  Answer answer;
  if (!(answers_ >> answer.seconds >> answer.size)) {
    return fail(ErrorKind::io, "Kernel Tuner gave no answer");
  }
  std::ifstream lines(list);
  for (std::string line; with_keys && std::getline(lines, line);) answer.keys.push_back(line);
  return answer;
}

}  // namespace vyre::bench
