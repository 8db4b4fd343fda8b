// Short ways to write a definition in tests.
#pragma once

#include <gtest/gtest.h>

#include "vyre/space/definition.h"

namespace vyre::space {

inline std::vector<Value> integers(std::int64_t first, std::int64_t last) {
  std::vector<Value> made;
  for (std::int64_t i = first; i <= last; ++i) made.emplace_back(i);
  return made;
}

inline Definition defined(std::vector<Parameter> parameters,
                          const std::vector<std::string>& constraints) {
  auto made = define(std::move(parameters), constraints);
  EXPECT_TRUE(made) << to_string(made.error());
  return std::move(*made);
}

}  // namespace vyre::space
