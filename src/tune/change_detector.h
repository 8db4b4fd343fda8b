// Says when the times of what runs changed for good.
//
//   S+ <- max(0, S+ + y - k),   S- <- max(0, S- - y - k),   changed if one of them is above h
//
// y is log time against the level of the first samples, cut off so that no launch counts for more
// than a few: E. S. Page, "Continuous inspection schemes", Biometrika 41, 1954. What lasts for ten
// launches, and drift of a few per cent, are nothing; 15 % that stay are found within 100 samples.
#pragma once

#include <cstddef>
#include <vector>

namespace vyre::tune {

class ChangeDetector {
 public:
  // What one dispatch took; whether the times have changed, then and from then on until a reset.
  // The first samples are what later ones are compared with. What is no positive number is ignored.
  bool tell(double ns);
  [[nodiscard]] bool changed() const { return changed_; }
  // Learns the level anew: also when something else runs from now on.
  void reset() { *this = {}; }

 private:
  void learn();

  std::vector<double> first_;  // log ns, until there are enough
  double middle_ = 0;          // their median
  double mean_ = 0;            // of what is above or below it, cut off
  double slower_ = 0;          // S+
  double faster_ = 0;          // S-
  bool learned_ = false;
  bool changed_ = false;
};

}  // namespace vyre::tune
