// Reads JSON from front to back without building a tree: the caller walks into what it knows and
// skips the rest. Meant for large files of unknown origin, so depth is bounded and nothing throws.
//
//   json.enter_object();
//   while (json.next_member()) {
//     if (json.key() == "name") name = json.string(); else json.skip();
//   }
//
// After a failure every call does nothing and says "no more"; error() has the reason and the place.
// Python's NaN, Infinity and -Infinity are numbers, as its json module writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/value.h"

namespace vyre::formats {

enum class JsonKind : std::uint8_t { object, array, string, number, word, end, bad };

class Json {
 public:
  static constexpr std::size_t max_depth = 64;

  explicit Json(std::string_view text) : text_(text) {}

  // What the next value is.
  [[nodiscard]] JsonKind peek();

  bool enter_object() { return enter('{', "an object"); }
  bool enter_array() { return enter('[', "a list"); }
  // Steps to the next member or element; false behind the last one, which leaves the object or
  // list. The value of the one before must have been read or skipped.
  bool next_member();
  bool next_element();
  [[nodiscard]] const std::string& key() const { return key_; }

  // Each reads one value. A value of another kind is a failure for these two,
  std::string string();
  double number();
  // but not for this one, which gives nothing for null, objects and lists and passes over them.
  std::optional<space::Value> scalar();
  // A list of nothing but what scalar() reads.
  std::vector<space::Value> scalars();
  void skip();
  // What is left of the object that was entered last.
  void skip_members() {
    while (next_member()) skip();
  }

  // Requires that nothing but space is left.
  void finish();

  void fail(std::string message);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  // Failed only because the text ended.
  [[nodiscard]] bool cut_off() const { return cut_off_; }
  // Takes the end of a text that was cut off for its proper end.
  void forgive() {
    error_.reset();
    cut_off_ = false;
  }
  [[nodiscard]] const Error& error() const { return *error_; }
  [[nodiscard]] Place place() const;

 private:
  void skip_space();
  bool enter(char open, std::string_view what);
  bool next(char close);
  std::string text_of_string();
  bool escape(std::string& into);
  std::optional<std::uint32_t> hex4();
  space::Value number_value();
  std::optional<space::Value> word();
  void wanted(std::string_view what);

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<bool> started_;  // of each open object or list: has it given its first element
  std::string key_;
  std::optional<Error> error_;
  bool cut_off_ = false;
};

}  // namespace vyre::formats
