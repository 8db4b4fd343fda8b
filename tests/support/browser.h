// A real browser, Chromium without a window, that looks at a page. Every start has a time limit and
// a profile of its own, which is removed.
//
// The page is in a frame, because the window of a browser cannot be as narrow as a phone.
#pragma once

#include <optional>
#include <string>

#include "support/png.h"

namespace vyre::testing {

enum class Scheme { dark = 0, light = 1 };  // the numbers are those of the browser's setting

class Browser {
 public:
  // Empty where none is installed.
  static std::optional<Browser> find();

  // The part of the page from its top that such a screen shows. Throws if the browser fails.
  [[nodiscard]] Image screenshot(const std::string& html, std::size_t width, std::size_t height,
                                 Scheme scheme) const;

  // What an expression in JavaScript gives, as text, when the page is loaded: `view` is its window,
  // `page` its document. It is evaluated outside of the page, so the page is as it always is.
  [[nodiscard]] std::string evaluate(const std::string& html, std::size_t width,
                                     const std::string& expression) const;

 private:
  explicit Browser(std::string program) : program_(std::move(program)) {}

  std::string program_;
};

}  // namespace vyre::testing
