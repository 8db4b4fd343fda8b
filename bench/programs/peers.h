// Who a program of the set is held against.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arguments.h"
#include "set.h"

namespace vyre::bench {

struct Peer {
  std::string name;
  std::string how;  // Halide: whose schedule
  std::function<void(const Arguments&)> loop;
  Arguments data;  // its own, because programs change it
};

// C++ with OpenMP, and OpenBLAS if there is a call for it; at any sizes.
[[nodiscard]] std::vector<Peer> native_peers(const Entry& entry, const Arguments& data);
// And Halide, or why it is left out; at the sizes of the program's text.
[[nodiscard]] std::vector<Peer> all_peers(const Entry& entry, const Arguments& data,
                                          std::string& left_out);
// An error names the first peer whose results are not these.
[[nodiscard]] Result<void> check_alike(const Entry& entry, const Arguments& right,
                                       std::vector<Peer>& peers);

}  // namespace vyre::bench
