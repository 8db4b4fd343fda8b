// Reads HTML that is written as strictly as XML: every element that is not void is closed, in
// order, and attributes are in double quotes. For tests of pages; what a browser would forgive is a
// problem.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vyre::testing {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;  // unescaped
  std::string text;                               // in it and in what it contains, unescaped

  // Whether the attribute `class` has this word.
  [[nodiscard]] bool has_class(std::string_view word) const;
};

struct Markup {
  std::vector<Element> elements;  // in the order in which they start
  std::string problem;            // the first, empty if there is none

  // Those of that name, with that class unless it is empty.
  [[nodiscard]] std::vector<Element> all(std::string_view name, std::string_view style = {}) const;
};

[[nodiscard]] Markup read_markup(std::string_view html);

}  // namespace vyre::testing
