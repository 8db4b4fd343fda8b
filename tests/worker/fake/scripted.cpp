#include "worker/fake/scripted.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "worker/message.h"
#include "worker/server.h"

namespace vyre::testing {
namespace {

using namespace worker;

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

std::map<std::string, std::deque<std::string>> steps_of(std::string_view script) {
  std::map<std::string, std::deque<std::string>> steps;
  std::istringstream words{std::string(script)};
  std::string name;
  for (std::string word; words >> word;) {
    const bool ends = word.ends_with(';');
    if (ends) word.pop_back();
    if (word.ends_with(':')) {
      name = word.substr(0, word.size() - 1);
    } else {
      steps[name].push_back(word);
    }
  }
  return steps;
}

// In the worker's process group, as a linker that a driver calls.
void start_child() {
  const pid_t child = fork();
  if (child == 0) {
    execlp("sleep", "sleep", "infinity", nullptr);
    _exit(127);
  }
  const std::string said = fmt::format("child {}\n", child);
  (void)!write(STDERR_FILENO, said.data(), said.size());
}

class ScriptedServer {
 public:
  ScriptedServer(Channel& channel, std::string_view script)
      : channel_(channel), steps_(steps_of(script)), server_([this] { send(Started{}); }) {}

  [[noreturn]] void serve() {
    for (;;) {
      const auto bytes = channel_.receive(max_message_bytes, std::nullopt);
      if (!bytes) _exit(0);
      const auto request = decode_request(*bytes);
      if (!request) _exit(1);
      send(answer(*request));
    }
  }

 private:
  void send(const Answer& answer) {
    if (!channel_.send(encode(answer), std::nullopt)) _exit(0);
  }

  Answer answer(const Request& request) {
    if (const auto* launch = std::get_if<Launch>(&request)) return launched(*launch);
    if (const auto* build = std::get_if<Build>(&request)) {
      names_[build->id] = build->entry;
      may_break(build->entry);
    }
    const auto* read = std::get_if<Read>(&request);
    if (!damaged_ || read == nullptr) return server_.answer(request);
    Answer made = server_.answer(Read{read->id});
    auto* content = std::get_if<Content>(&made);
    if (content != nullptr) std::ranges::fill(content->bytes, std::byte{0x5a});
    return made;
  }

  void may_break(const std::string& program) {
    auto& left = steps_[program];
    if (left.empty() || !left.front().starts_with("breaks")) return;
    const auto mark = std::filesystem::temp_directory_path() / (program + ".broke");
    if (left.front() == "breaks" || !std::filesystem::exists(mark)) {
      std::ofstream{mark};
      std::abort();
    }
    left.pop_front();
  }

  Answer launched(const Launch& request) {
    const std::string step = next(names_[request.kernel]);
    if (step == "fail") return Failed{{ErrorKind::device, "the script wants it to fail"}};
    if (step == "crash") std::abort();
    if (step == "stuck") sleep_for_ever();
    if (step == "hang" && request.announce) send(Started{});
    if (step == "hang") sleep_for_ever();
    if (step == "late") std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    if (step == "toil") return toiled(request);
    if (step == "child") start_child();
    if (step == "damage") damaged_ = true;
    const std::uint64_t us = std::isdigit(step[0]) != 0 ? std::stoull(step) : 1000;
    return timed(request, us * 1000 * request.launches);
  }

  // Compiles for 300 ms of CPU time before it runs, for a moment.
  Answer toiled(Launch request) {
    while (std::clock() < CLOCKS_PER_SEC * 3 / 10) {
    }
    if (request.announce) send(Started{});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    request.announce = false;
    return timed(request, 1'000'000);
  }

  // Runs once however many launches it pretends.
  Answer timed(Launch request, std::uint64_t ns) {
    request.launches = 1;
    Answer made = server_.answer(request);
    auto* launched = std::get_if<Launched>(&made);
    if (launched != nullptr) launched->timing = {.device_ns = ns, .wall_ns = ns, .cpu_ns = ns};
    return made;
  }

  std::string next(const std::string& program) {
    auto& left = steps_[program];
    if (left.empty()) return "1000";
    std::string step = left.front();
    if (left.size() > 1) left.pop_front();
    return step;
  }

  Channel& channel_;
  std::map<std::string, std::deque<std::string>> steps_;  // that are left
  Server server_;
  std::map<Id, std::string> names_;  // of the programs that were built
  bool damaged_ = false;
};

}  // namespace

void serve_script(Channel& channel, std::string_view script) {
  ScriptedServer(channel, script).serve();
}

}  // namespace vyre::testing
