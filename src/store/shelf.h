// The decisions of one adapter by program, for those that fit only nearly.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/document.h"

namespace vyre::store {

struct Nearest {
  EntryPtr entry;
  double distance = 0;
};

class Shelf {
 public:
  Shelf(Header header, const Entries& entries);

  [[nodiscard]] const Header& header() const { return header_; }
  // Of the decisions for the program the one for the nearest sizes; of several the best.
  [[nodiscard]] std::optional<Nearest> nearest(const Dispatch& dispatch) const;

 private:
  Header header_;
  std::unordered_map<Digest, std::vector<EntryPtr>, DigestHash> by_program_;
};

}  // namespace vyre::store
