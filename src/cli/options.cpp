#include "cli/options.h"

#include <CLI/App.hpp>

namespace vyre::cli {

// Without these CLI11 takes the words that follow as more values, and splits lists of values at
// their commas.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& into,
                  const std::string& help) {
  app.add_option(name, into, help)->allow_extra_args(false)->delimiter('\0');
}

void add_data(CLI::App& app, std::vector<std::string>& inputs, std::vector<std::string>& uniforms) {
  add_repeated(app, "--in", inputs,
               "content of a buffer of every program, as in `vyre run`; random:0 if not given");
  add_repeated(app, "--set", uniforms, "value of a uniform of every program: NAME=VALUE");
}

CLI::Option* add_count(CLI::App& app, const char* name, std::size_t& into,
                       const std::string& help) {
  const auto has_sign = [](const std::string& text) {
    return text.starts_with('-') ? "it cannot be negative" : "";
  };
  return app.add_option(name, into, help)->check(CLI::Validator(has_sign, ""));
}

void add_device(CLI::App& app, std::string& into) {
  app.add_option("--device", into, "reference, opencl, or what `vyre devices` lists")
      ->capture_default_str();
}

}  // namespace vyre::cli
