#include "support/markup.h"

#include <array>
#include <cctype>
#include <utility>

namespace vyre::testing {
namespace {

std::string unescaped(std::string_view text, std::string& problem) {
  constexpr std::array<std::pair<std::string_view, char>, 5> escapes = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string out;
  while (!text.empty()) {
    std::size_t used = 0;
    for (const auto& [name, letter] : escapes) {
      if (!text.starts_with(name)) continue;
      out += letter;
      used = name.size();
    }
    if (used == 0 && text[0] == '&') problem = "a bare &: " + std::string(text.substr(0, 20));
    if (used == 0) out += text[0];
    text.remove_prefix(used == 0 ? 1 : used);
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) {}

  Markup read() {
    take("<!doctype html>");
    while (!rest_.empty() && made_.problem.empty()) {
      if (rest_[0] != '<') {
        text();
      } else if (rest_.starts_with("</")) {
        end();
      } else {
        start();
      }
    }
    if (made_.problem.empty() && !open_.empty()) {
      made_.problem = "not closed: " + made_.elements[open_.back()].name;
    }
    return std::move(made_);
  }

 private:
  void fail(std::string_view what) {
    if (!made_.problem.empty()) return;
    made_.problem = std::string(what) + " at: " + std::string(rest_.substr(0, 60));
  }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view until(std::string_view ends) {
    const std::string_view found = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(found.size());
    return found;
  }
  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) {
      rest_.remove_prefix(1);
    }
  }

  void text() {
    const bool raw = !open_.empty() && made_.elements[open_.back()].name == "style";
    const std::string_view piece = until("<");
    const std::string plain = raw ? std::string(piece) : unescaped(piece, made_.problem);
    for (const std::size_t e : open_) made_.elements[e].text += plain;
  }

  void end() {
    take("</");
    const std::string_view name = until(">");
    if (open_.empty() || made_.elements[open_.back()].name != name) {
      fail("closed but not open: " + std::string(name));
    } else {
      open_.pop_back();
    }
    if (!take(">")) fail("no >");
  }

  void start() {
    take("<");
    Element element;
    element.name = until(" />\n");
    if (element.name.empty()) return fail("a bare <");
    for (skip_spaces(); !rest_.empty() && rest_[0] != '>' && rest_[0] != '/'; skip_spaces()) {
      attribute(element);
      if (!made_.problem.empty()) return;
    }
    const bool closed = take("/") || element.name == "meta";
    if (!take(">")) return fail("no > of " + element.name);
    if (!closed) open_.push_back(made_.elements.size());
    made_.elements.push_back(std::move(element));
  }

  void attribute(Element& element) {
    const std::string name(until("= />"));
    if (!take("=\"")) return fail("an attribute without quotes");
    const std::string value = unescaped(until("\""), made_.problem);
    if (!element.attributes.emplace(name, value).second) fail("twice: " + name);
    if (!take("\"")) fail("no end of " + name);
  }

  std::string_view rest_;
  Markup made_;
  std::vector<std::size_t> open_;  // indices of elements
};

}  // namespace

bool Element::has_class(std::string_view word) const {
  const auto at = attributes.find("class");
  if (at == attributes.end()) return false;
  return (" " + at->second + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

std::vector<Element> Markup::all(std::string_view name, std::string_view style) const {
  std::vector<Element> found;
  for (const Element& element : elements) {
    if (element.name == name && (style.empty() || element.has_class(style)))
      found.push_back(element);
  }
  return found;
}

Markup read_markup(std::string_view html) { return Reader(html).read(); }

}  // namespace vyre::testing
