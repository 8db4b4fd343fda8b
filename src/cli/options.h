// Options that several commands have.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vyre::cli {

// An option that may be given several times, with one value each.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& into,
                  const std::string& help);

// --in and --set, for commands that take several programs.
void add_data(CLI::App& app, std::vector<std::string>& inputs, std::vector<std::string>& uniforms);

// A number that is not negative. CLI11 would make a large one of -1.
CLI::Option* add_count(CLI::App& app, const char* name, std::size_t& into, const std::string& help);

void add_device(CLI::App& app, std::string& into);

}  // namespace vyre::cli
