#include "support/browser.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/subprocess.h"

namespace vyre::testing {
namespace {

// Narrower windows are made as wide as this.
constexpr std::size_t least_window = 500;

std::string in_quotes(const std::string& html) {
  std::string out;
  for (const char c : html) {
    if (c == '"') {
      out += "&quot;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

// A page that has nothing but the frame, and the answer once there is one.
std::string framed(const std::string& html, std::size_t width, std::size_t height,
                   const std::string& expression) {
  return fmt::format(
      "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" "
      "content=\"light dark\"><script>\nonload = () => {{\n"
      "  const view = document.getElementById('frame').contentWindow, page = view.document;\n"
      "  document.getElementById('answer').textContent = String({});\n}};\n</script></head>"
      "<body style=\"margin:0\"><iframe id=\"frame\" style=\"border:0;display:block;width:{}px;"
      "height:{}px\" srcdoc=\"{}\"></iframe><output id=\"answer\"></output></body></html>",
      expression, width, height, in_quotes(html));
}

// What it prints.
std::string run(const std::string& program, const TemporaryDirectory& files,
                const std::string& html, std::vector<std::string> options) {
  const std::string page = files.write("framed.html", html);
  const std::string home = files.path();
  std::vector<std::string> command = {"/usr/bin/env",
                                      "timeout",
                                      "-k",
                                      "5",
                                      "120",
                                      program,
                                      "--headless=new",
                                      "--no-sandbox",
                                      "--disable-gpu",
                                      "--hide-scrollbars",
                                      "--no-first-run",
                                      "--disable-dev-shm-usage",
                                      "--user-data-dir=" + home + "/profile"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back("file://" + page);
  const Finished done = run_program(command, {{"HOME", home}, {"XDG_CONFIG_HOME", home}});
  if (done.status != 0) {
    throw std::runtime_error(fmt::format("the browser ended with {}: {}", done.status, done.err));
  }
  return done.out;
}

}  // namespace

std::optional<Browser> Browser::find() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/chromium";
    if (access(program.c_str(), X_OK) == 0) return Browser(program);
  }
  return std::nullopt;
}

Image Browser::screenshot(const std::string& html, std::size_t width, std::size_t height,
                          Scheme scheme) const {
  const TemporaryDirectory files;
  const std::string picture = files.path() / "picture.png";
  run(program_, files, framed(html, width, height, "''"),
      {"--screenshot=" + picture,
       fmt::format("--window-size={},{}", std::max(width, least_window), height),
       fmt::format("--blink-settings=preferredColorScheme={}", static_cast<int>(scheme))});
  std::ostringstream content;
  content << std::ifstream(picture, std::ios::binary).rdbuf();
  const Image window = decode_png(content.str());
  Image image{width, std::min(height, window.height), {}};
  for (std::size_t y = 0; y < image.height; ++y) {
    for (std::size_t x = 0; x < width; ++x) image.pixels.push_back(window.at(x, y));
  }
  return image;
}

std::string Browser::evaluate(const std::string& html, std::size_t width,
                              const std::string& expression) const {
  const TemporaryDirectory files;
  const std::string dom =
      run(program_, files, framed(html, width, 900, expression), {"--dump-dom"});
  constexpr std::string_view before = "<output id=\"answer\">";
  const std::size_t start = dom.rfind(before);
  const std::size_t end = dom.rfind("</output>");
  if (start == std::string::npos || end == std::string::npos) {
    throw std::runtime_error("the browser printed no page");
  }
  return dom.substr(start + before.size(), end - start - before.size());
}

}  // namespace vyre::testing
