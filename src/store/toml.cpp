#include "store/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "store/quote.h"

namespace vyre::store::toml {
namespace {

constexpr int max_depth = 32;            // of lists and tables within each other
constexpr std::size_t max_fields = 512;  // of a table: names are compared with each other

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_plain(char c) { return (c >= ' ' && c < 0x7f && c != '\\') || c == '\t'; }
bool is_part_of_bare(char c) { return is_part_of_name(c) || c == '+' || c == '.' || c == ':'; }

// Each step takes what it is named after, or remembers the fault and returns false.
class Parser {
 public:
  Parser(std::string_view text, Piece& piece) : text_(text), piece_(piece) {}

  void parse() {
    Value* table = &piece_.root;
    while (skip_blank()) {
      const bool well = sees('[') ? header(table) : assignment(*table, 0);
      if (!well) break;
      piece_.end = at_;
      if (!line_end()) break;
    }
  }

 private:
  [[nodiscard]] bool sees(char c) const { return at_ < text_.size() && text_[at_] == c; }

  bool take(char c) {
    const bool well = sees(c);
    if (well) ++at_;
    return well;
  }

  template <class Belongs>
  std::string_view take_all(Belongs belongs) {
    const std::size_t start = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool fail(std::string message) {
    if (!piece_.fault) piece_.fault = {at_, std::move(message)};
    return false;
  }

  // False at the end of the text.
  bool skip_blank() {
    at_ = toml::skip_blank(text_, at_);
    return at_ < text_.size();
  }

  bool line_end() {
    take_all(is_space);
    take('\r');
    if (at_ == text_.size() || sees('\n') || sees('#')) return true;
    return fail("there is more on this line than one value");
  }

  // `["key"]` or `["key".configuration]`. What follows belongs to it.
  bool header(Value*& table) {
    std::string_view name;
    table = &piece_.root;
    take('[');
    if (!path(table, name)) return false;
    if (!take(']')) return fail("the name of a table does not end with ']'");
    table = inner_table(*table, name);
    return table != nullptr;
  }

  // A name with points: gives its last part, and the table that this is in.
  bool path(Value*& table, std::string_view& last) {
    for (int parts = 0; parts < max_depth; ++parts) {
      take_all(is_space);
      if (!name(last)) return false;
      take_all(is_space);
      if (!take('.')) return true;
      table = inner_table(*table, last);
      if (table == nullptr) return false;
    }
    return fail("a name of too many parts");
  }

  bool name(std::string_view& into) {
    if (sees('"') || sees('\'')) return text(into);
    into = take_all(is_part_of_name);
    return !into.empty() || fail("here is no name of a table or field");
  }

  // New if there is none.
  Value* inner_table(Value& outer, std::string_view name) {
    for (Value* field = outer.first; field != nullptr; field = field->next) {
      if (field->name == name && field->kind == Kind::table) return field;
    }
    Value& made = piece_.values.emplace_back();
    made.at = at_;
    made.name = name;
    return add_field(outer, made) ? &made : nullptr;
  }

  bool add_field(Value& table, Value& field) {
    if (table.find(field.name) != nullptr) {
      return fail(fmt::format("'{}' is there twice", field.name));
    }
    if (table.size == max_fields) return fail(fmt::format("more than {} fields", max_fields));
    append(table, field);
    return true;
  }

  static void append(Value& outer, Value& inner) {
    (outer.last == nullptr ? outer.first : outer.last->next) = &inner;
    outer.last = &inner;
    ++outer.size;
  }

  // It becomes a part of the table once all of it is read.
  bool assignment(Value& outer, int depth) {
    Value* table = &outer;
    Value& made = piece_.values.emplace_back();
    if (!path(table, made.name)) return false;
    if (!take('=')) return fail(fmt::format("there is no '=' behind '{}'", made.name));
    return value(made, depth) && add_field(*table, made);
  }

  bool value(Value& into, int depth) {
    take_all(is_space);
    into.at = at_;
    if (depth > max_depth) return fail("too many lists or tables within each other");
    if (sees('[')) return list(into, depth);
    if (sees('{')) return table(into, depth);
    into.kind = sees('"') || sees('\'') ? Kind::text : Kind::bare;
    return into.kind == Kind::text ? text(into.text) : bare(into.text);
  }

  bool list(Value& into, int depth) {
    into.kind = Kind::list;
    take('[');
    while (skip_blank() && !sees(']')) {
      Value& item = piece_.values.emplace_back();
      if (!value(item, depth + 1)) return false;
      append(into, item);
      skip_blank();
      if (!take(',')) break;
    }
    return take(']') || fail("a list does not end with ']'");
  }

  bool table(Value& into, int depth) {
    take('{');
    take_all(is_space);
    if (take('}')) return true;
    do {
      if (!assignment(into, depth + 1)) return false;
      take_all(is_space);
    } while (take(','));
    return take('}') || fail("a table does not end with '}'");
  }

  bool bare(std::string_view& into) {
    into = take_all(is_part_of_bare);
    const bool signed_number = into.size() > 1 && (into[0] == '+' || into[0] == '-');
    const std::string_view number = into.substr(signed_number ? 1 : 0);
    const bool well = (!number.empty() && is_digit(number[0])) || number == "inf" ||
                      number == "nan" || into == "true" || into == "false";
    return well || fail("here is no value, or it is not TOML");
  }

  bool text(std::string_view& into) {
    const char quote = text_[at_];
    std::size_t end = at_ + 1;
    bool plain = true;
    for (; end < text_.size() && text_[end] != quote; ++end) {
      plain = plain && is_plain(text_[end]);
      if (text_[end] == '\n') return fail("a text does not end");
      if (text_[end] == '\\' && quote == '"') ++end;
    }
    if (end >= text_.size()) return fail("a text does not end");
    into = text_.substr(at_ + 1, end - at_ - 1);
    if (!plain) {
      auto made = unescaped(into, quote);
      if (!made) return fail("a text that is not UTF-8, or has an escape that TOML has not");
      into = piece_.unescaped.emplace_front(*std::move(made));
    }
    at_ = end + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Piece& piece_;
};

template <class T>
std::optional<T> number(const Value& value) {
  if (value.kind != Kind::bare) return {};
  std::string_view text = value.text;
  std::string digits;
  if (std::ranges::any_of(text, [](char c) { return c == '+' || c == '_'; })) {
    digits = text.substr(text[0] == '+' ? 1 : 0);
    std::erase(digits, '_');
    text = digits;
  }
  T made = {};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), made);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
  return made;
}

}  // namespace

const Value* Value::find(std::string_view field) const {
  const Value* found = first;
  while (found != nullptr && found->name != field) found = found->next;
  return found;
}

bool is_part_of_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

std::size_t skip_blank(std::string_view text, std::size_t at) {
  for (bool in_comment = false; at < text.size(); ++at) {
    const char c = text[at];
    in_comment = c != '\n' && (in_comment || c == '#');
    if (!in_comment && !is_space(c) && c != '\r' && c != '\n') break;
  }
  return at;
}

Piece parse(std::string_view text) {
  Piece piece;
  Parser(text, piece).parse();
  return piece;
}

std::optional<std::int64_t> integer(const Value& value) { return number<std::int64_t>(value); }
std::optional<double> real(const Value& value) { return number<double>(value); }

std::optional<std::chrono::sys_seconds> date(const Value& value) {
  using namespace std::chrono;
  constexpr std::string_view form = "0000-00-00T00:00:00+00:00";
  std::string text(value.text);
  if (text.ends_with('Z')) text.replace(text.size() - 1, 1, "+00:00");
  if (text.size() != form.size()) return {};
  const bool is_west = text[19] == '-';
  if (is_west) text[19] = '+';
  std::array<unsigned, 8> n = {};
  std::size_t part = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '0' ? !is_digit(text[i]) : text[i] != form[i]) return {};
    if (form[i] == '0') n[part] = 10 * n[part] + static_cast<unsigned>(text[i] - '0');
    if (form[i] != '0') ++part;
  }
  const year_month_day date(year(static_cast<int>(n[0])), month(n[1]), day(n[2]));
  if (!date.ok() || n[3] > 23 || n[4] > 59 || n[5] > 59 || n[6] > 23 || n[7] > 59) return {};
  const minutes offset = hours(n[6]) + minutes(n[7]);
  return sys_days(date) + hours(n[3]) + minutes(n[4]) + seconds(n[5]) -
         (is_west ? -offset : offset);
}

}  // namespace vyre::store::toml
