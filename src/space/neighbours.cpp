// Neighbours of a configuration. Where the candidates are fewer than the configurations they are
// looked up one by one; else all configurations are compared.
#include <algorithm>

#include "space/part.h"
#include "space/used.h"

namespace vyre::space {
namespace {

// The digits within one step of `own`, in order.
std::vector<Digit> within_a_step(std::size_t count, Digit own) {
  std::vector<Digit> near;
  if (own > 0) near.push_back(static_cast<Digit>(own - 1));
  near.push_back(own);
  if (own + std::size_t{1} < count) near.push_back(static_cast<Digit>(own + 1));
  return near;
}

// The same where only the digits in `used` count, `own` among them.
std::vector<Digit> within_a_step(std::span<const Digit> used, Digit own) {
  std::vector<Digit> near;
  const auto at = std::ranges::lower_bound(used, own);
  if (at != used.begin()) near.push_back(*(at - 1));
  near.push_back(own);
  if (at + 1 != used.end()) near.push_back(*(at + 1));
  return near;
}

// Steps `digits` to the next combination of choices, as an odometer does; false at the end.
bool next(std::span<const std::vector<Digit>> choices, std::span<std::size_t> wheel,
          std::span<Digit> digits) {
  for (std::size_t p = choices.size(); p-- > 0;) {
    wheel[p] = (wheel[p] + 1) % choices[p].size();
    digits[p] = choices[p][wheel[p]];
    if (wheel[p] != 0) return true;
  }
  return false;
}

}  // namespace

void Space::neighbours(Index index, Neighbourhood kind, std::vector<Index>& out) const {
  out.clear();
  if (kind == Neighbourhood::hamming) {
    hamming(index, out);
  } else {
    const Choices choices = near(index, kind);
    double candidates = 1;
    for (const auto& digits : choices) candidates *= static_cast<double>(digits.size());
    candidates > size_ ? compare_all(index, choices, out) : look_up(index, choices, out);
  }
  std::ranges::sort(out);
}

void Space::hamming(Index index, std::vector<Index>& out) const {
  std::vector<Digit> digits = this->digits(index);
  for (std::size_t p = 0; p < digits.size(); ++p) {
    const Digit own = digits[p];
    for (std::size_t other = 0; other < (*parameters_)[p].values.size(); ++other) {
      digits[p] = static_cast<Digit>(other);
      if (other == own) continue;
      if (const auto found = find(digits)) out.push_back(*found);
    }
    digits[p] = own;
  }
}

Space::Choices Space::near(Index index, Neighbourhood kind) const {
  Choices choices;
  for (std::size_t p = 0; p < parameters_->size(); ++p) {
    const Digit own = digit(index, p);
    choices.push_back(kind == Neighbourhood::adjacent
                          ? within_a_step(used_values()[p], own)
                          : within_a_step((*parameters_)[p].values.size(), own));
  }
  return choices;
}

void Space::look_up(Index index, const Choices& choices, std::vector<Index>& out) const {
  std::vector<Digit> digits;
  for (const auto& of_parameter : choices) digits.push_back(of_parameter[0]);
  std::vector<std::size_t> wheel(digits.size(), 0);
  do {
    const auto found = find(digits);
    if (found && *found != index) out.push_back(*found);
  } while (next(choices, wheel, digits));
}

void Space::compare_all(Index index, const Choices& choices, std::vector<Index>& out) const {
  std::vector<Digit> digits(choices.size());
  for (Index other = 0; other < size_; ++other) {
    this->digits(other, digits);
    bool is_near = other != index;
    for (std::size_t p = 0; is_near && p < digits.size(); ++p) {
      is_near = choices[p].front() <= digits[p] && digits[p] <= choices[p].back();
    }
    if (is_near) out.push_back(other);
  }
}

const Space::Choices& Space::used_values() const {
  std::call_once(used_->once, [&] {
    for (std::size_t p = 0; p < parameters_->size(); ++p) used_->values.push_back(used_values(p));
  });
  return used_->values;
}

// A value is used if it is in a row of its part: every row is in some configuration.
std::vector<Digit> Space::used_values(std::size_t parameter) const {
  const Home home = homes_[parameter];
  if (home.part >= parts_->size()) return {0};
  std::vector<bool> seen((*parameters_)[parameter].values.size(), false);
  const Part& part = (*parts_)[home.part];
  for (std::size_t row = 0; row < part.size(); ++row) seen[part.digit(row, home.column)] = true;
  std::vector<Digit> used;
  for (std::size_t digit = 0; digit < seen.size(); ++digit) {
    if (seen[digit]) used.push_back(static_cast<Digit>(digit));
  }
  return used;
}

}  // namespace vyre::space
