// Names of a text: the author's where the language allows, changed as little as possible elsewhere.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vyre/ir/program.h"

namespace vyre::emit {

using IsReserved = bool (*)(std::string_view name);

// Every name that the program's author chose, except the program's own.
[[nodiscard]] std::vector<std::string> author_names(const ir::Program& program);

class Names {
 public:
  explicit Names(IsReserved reserved) : reserved_(reserved) {}

  // A name not given out before: the one requested, else with `_` where it is reserved, else
  // numbered.
  std::string fresh(const std::string& requested);

  // The emitted form of an author's name, the same at every call.
  void map_all(const std::vector<std::string>& names);
  [[nodiscard]] const std::string& of(const std::string& author) const {
    return emitted_.at(author);
  }

 private:
  IsReserved reserved_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::string> emitted_;
};

}  // namespace vyre::emit
