// Reads a document piece by piece.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "store/document.h"
#include "store/plain.h"
#include "store/toml_reader.h"

namespace vyre::store {
namespace {

// A file of garbage must not take long: past so many problems only what is plain is read.
constexpr std::size_t max_problems = 100;

constexpr std::size_t key_length = 3 + 64;
constexpr std::size_t usual_entry = 500;  // bytes
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool starts_field(char c) {
  return c == '"' || c == '\'' || c == '_' || c == '-' || (c >= '0' && c <= '9') ||
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view without_space_behind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);  // npos + 1 is 0
}

// `["key".more]`: it belongs to the table before it.
bool is_subtable(std::string_view line) {
  const bool in_quotes = line.substr(1).starts_with('"');
  const std::size_t end = in_quotes ? line.find('"', 2) : line.find_first_of(".]\n");
  return end != std::string_view::npos && line.substr(in_quotes ? end + 1 : end).starts_with('.');
}

// A list in a list can look the same, but is indented; of those only a key counts.
bool starts_table(std::string_view line) {
  if (line.starts_with('[')) return !is_subtable(line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("[\"v1-") && !is_subtable(line);
}

// "v2-...": of a version that this one does not know.
bool is_newer_key(std::string_view name) {
  const std::size_t digits = name.find_first_not_of("0123456789", 1);
  return name.starts_with('v') && digits != std::string_view::npos && digits > 1 &&
         name[digits] == '-' && !name.starts_with("v1-") && name[1] != '0';
}

// As read_plain leaves it: the end of the piece can be seen.
bool is_closed(std::string_view text) {
  const std::size_t last = text.rfind('\n') + 1;  // npos + 1 is 0
  return text[0] == '"' ? text.back() == ']' : text.substr(last).starts_with("check = \"");
}

// Goes through a text piece by piece. A piece is a table, or a field before the first table. What
// is wrong costs the piece that it is in, and nothing before it.
class Reader {
 public:
  Reader(std::string_view text, const Entries& known) : text_(text), known_(known) {
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    index_.reserve(text_.size() / usual_entry);
  }

  Document read() {
    while (skip_empty_lines()) {
      if (!take_known_piece() && !read_plain_piece()) read_any_piece();
    }
    if (unread_ > 0) {
      made_.problems.push_back(
          {ErrorKind::input, fmt::format("{} more parts are not well, or not read", unread_)});
    }
    return std::move(made_);
  }

 private:
  // Blank lines and comments. False at the end of the text.
  bool skip_empty_lines() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  // Only at the beginning of a line, and a field only before the first table.
  [[nodiscard]] bool can_start() const {
    const std::size_t before = text_.substr(0, at_).find_last_not_of(" \t");
    const bool new_line = before == std::string_view::npos || text_[before] == '\n';
    return new_line && (text_[at_] == '[' || (!in_tables_ && starts_field(text_[at_])));
  }

  // One that ends with its checksum or with a bracket, so that nothing more can belong to it.
  bool take_known_piece() {
    if (known_.empty() || !can_start()) return false;
    const std::string_view rest = text_.substr(at_);
    const bool is_table = rest[0] == '[';
    const std::size_t before_key = is_table ? 2 : 1;
    if (rest.size() < before_key) return false;
    const auto key = parse_key(rest.substr(before_key, key_length));
    const auto found = key ? known_.find(*key) : known_.end();
    if (found == known_.end()) return false;
    const std::string& text = found->second->text;
    const bool same =
        rest.starts_with(text) && (rest.size() == text.size() || rest[text.size()] == '\n');
    if (!same || !is_closed(text)) return false;
    in_tables_ = is_table;
    add(found->second);
    at_ += text.size();
    return true;
  }

  bool read_plain_piece() {
    if (!can_start()) return false;
    auto plain = store::read_plain(text_.substr(at_));
    if (!plain || !validate(plain->decision)) return false;
    in_tables_ = text_[at_] == '[';
    add(std::move(plain->decision), text_.substr(at_, plain->length));
    at_ += plain->length;
    return true;
  }

  void read_any_piece() {
    const bool well_placed = can_start();
    const std::string_view piece = text_.substr(at_, piece_end() - at_);
    in_tables_ = in_tables_ || text_[at_] == '[';
    if (made_.problems.size() >= max_problems) {
      ++unread_;
    } else if (!well_placed) {
      report("this belongs to no decision: a table starts a line");
    } else if (piece.size() > max_entry_bytes) {
      report(fmt::format("an entry of more than {} bytes", max_entry_bytes));
    } else {
      read_toml_piece(without_space_behind(piece));
    }
    at_ += piece.size();
  }

  [[nodiscard]] std::size_t piece_end() const {
    const bool in_fields = !in_tables_ && text_[at_] != '[';
    for (std::size_t at = text_.find('\n', at_); at < text_.size() - 1;
         at = text_.find('\n', at + 1)) {
      const std::string_view line = text_.substr(at + 1);
      if (starts_table(line) || (in_fields && starts_field(line[0]))) return at + 1;
    }
    return text_.size();
  }

  void read_toml_piece(std::string_view piece) {
    auto found = read_toml(piece);
    if (found) {
      keep(*std::move(found), piece);
      return;
    }
    const auto& [error, is_toml] = found.error();
    if (!is_toml) keep_what_stands_before(piece, error.place.line);
    report(error.message, error.place);
  }

  // The decision may be complete before the damage, which then is that of the next one: before the
  // line that cannot be read, or, as its last field is a text, where the first text in it ends.
  void keep_what_stands_before(std::string_view piece, std::uint32_t line) {
    const std::size_t start = line_start(piece, line);
    const std::size_t quote = piece.find('"', piece.find('"', start) + 1);
    for (const std::size_t end : {quote == std::string_view::npos ? 0 : quote + 1, start}) {
      const std::string_view before = without_space_behind(piece.substr(0, end));
      auto whole = read_toml(before);
      if (!whole || !std::holds_alternative<Decision>(*whole)) continue;
      keep(*std::move(whole), before);
      return;
    }
  }

  static std::size_t line_start(std::string_view piece, std::uint32_t line) {
    std::size_t start = 0;
    for (std::uint32_t i = 1; i < line && start < piece.size(); ++i) {
      start = std::min(piece.find('\n', start), piece.size() - 1) + 1;
    }
    return start;
  }

  void keep(TomlPiece piece, std::string_view text) {
    if (auto* decision = std::get_if<Decision>(&piece)) {
      add(std::move(*decision), text);
    } else if (const auto* table = std::get_if<OtherTable>(&piece)) {
      keep_table(table->name, text);
    } else {
      keep_field(std::get<OtherField>(piece), text);
    }
  }

  void keep_table(const std::string& name, std::string_view text) {
    if (is_newer_key(name) && unknown_.insert(name).second) {
      made_.unknown_tables.emplace_back(text);
    } else {
      report(fmt::format("'{}' is not the key of a decision, or there twice", name));
    }
  }

  void keep_field(const OtherField& field, std::string_view text) {
    const bool is_header = field.name == "adapter" || field.name == "device";
    const bool is_bare = text[0] != '"' && text[0] != '\'';
    if (is_header && field.text) {
      (field.name == "adapter" ? made_.header.adapter : made_.header.device) = *field.text;
    } else if (is_header) {
      report(fmt::format("'{}' is not a text in quotes", field.name));
    } else if ((is_bare || is_newer_key(field.name)) && unknown_.insert(field.name).second) {
      made_.unknown_fields.emplace_back(text);
    } else {
      report(fmt::format("'{}' is not the key of a decision, or there twice", field.name));
    }
  }

  void add(Decision decision, std::string_view text) {
    add(entry_of(std::move(decision), std::string(text)));
  }

  void add(EntryPtr entry) {
    const Key& key = entry->decision.key;
    const auto [known, is_new] = index_.try_emplace(key, made_.entries.size());
    if (is_new) {
      made_.entries.push_back(std::move(entry));
      return;
    }
    report(fmt::format("{} is there twice; the better one is used", to_string(key)));
    EntryPtr& present = made_.entries[known->second];
    if (better(entry->decision, present->decision)) present = std::move(entry);
  }

  // The place is in the piece that begins here.
  void report(const std::string& message, Place place = {1, 1}) {
    if (made_.problems.size() >= max_problems) {
      ++unread_;
      return;
    }
    const std::string_view before = text_.substr(0, at_);
    if (place.line == 1) {
      place.column += static_cast<std::uint32_t>(at_ - (before.rfind('\n') + 1));
    }
    place.line += static_cast<std::uint32_t>(std::ranges::count(before, '\n'));
    made_.problems.push_back({ErrorKind::input, message, place});
  }

  std::string_view text_;
  const Entries& known_;
  std::size_t at_ = 0;
  bool in_tables_ = false;
  std::size_t unread_ = 0;
  std::unordered_map<Key, std::size_t, DigestHash> index_;
  std::set<std::string> unknown_;  // names of what this version does not know
  Document made_;
};

}  // namespace

Document read(std::string_view text, const Entries& known) { return Reader(text, known).read(); }

}  // namespace vyre::store
