// The TOML of a file of decisions, for pieces of a few kilobytes: a table with its fields, or one
// field.
//
// It is read as a tree, as far as it is well: where a piece is damaged, all before that is there.
// Of what TOML has, texts of several lines, lists of tables, numbers that are not decimal and
// fractions of seconds are not read, but refused with a message like damage.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

namespace vyre::store::toml {

enum class Kind : std::uint8_t { text, list, table, bare };  // bare: a number, date or boolean

struct Value {
  Kind kind = Kind::table;
  std::size_t at = 0;      // where it begins in the piece
  std::string_view name;   // if it is a field of a table
  std::string_view text;   // of a text or a bare value
  std::size_t size = 0;    // how many fields or items it has:
  Value* first = nullptr;  // of them
  Value* last = nullptr;
  Value* next = nullptr;  // in the table or list that this one is in

  // The field with this name; null if there is none.
  [[nodiscard]] const Value* find(std::string_view field) const;
};

struct Fault {
  std::size_t at = 0;
  std::string message;
};

struct Piece {
  Value root;                                // a table of what was read
  std::size_t end = 0;                       // behind the last value or header that was read
  std::optional<Fault> fault;                // why no more was read
  std::deque<Value> values;                  // all but the root
  std::forward_list<std::string> unescaped;  // texts that are not in the piece as they are
};
// What it gives refers to the text.
[[nodiscard]] Piece parse(std::string_view text);

// Past spaces, line ends and comments.
[[nodiscard]] std::size_t skip_blank(std::string_view text, std::size_t at);
// Without quotes.
[[nodiscard]] bool is_part_of_name(char c);

// Nothing if it is not a value of this kind. A date has a time and an offset from UTC.
[[nodiscard]] std::optional<std::int64_t> integer(const Value& value);
[[nodiscard]] std::optional<double> real(const Value& value);
[[nodiscard]] std::optional<std::chrono::sys_seconds> date(const Value& value);

}  // namespace vyre::store::toml
