// Lists of "name=value", separated by spaces: the text of schedules, features and examples.
#pragma once

#include <string_view>
#include <vector>

#include "vyre/base/error.h"

namespace vyre::schedule {

struct Setting {
  std::string_view name;
  std::string_view value;
};

// Views into the text.
[[nodiscard]] Result<std::vector<Setting>> parse_settings(std::string_view text);

}  // namespace vyre::schedule
