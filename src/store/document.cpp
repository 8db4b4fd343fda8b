#include "store/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "store/quote.h"

namespace vyre::store {
namespace {

constexpr std::size_t max_problems = 100;  // more are only counted
constexpr std::size_t key_length = 3 + 64;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool starts_field(char c) { return c == '"' || c == '\'' || toml::is_part_of_name(c); }

// `["key".more]`: it belongs to the table before it.
bool is_subtable(std::string_view line) {
  line = line.substr(0, line.find('\n'));
  const bool in_quotes = line.substr(1).starts_with('"');
  const std::size_t end = in_quotes ? line.find('"', 2) : line.find_first_of(".]");
  return end != std::string_view::npos && line.substr(in_quotes ? end + 1 : end).starts_with('.');
}

// A list in a list can look the same, but is indented; of those only a key counts.
bool starts_table(std::string_view line) {
  if (line.starts_with('[')) return !is_subtable(line);
  if (!line.starts_with(' ') && !line.starts_with('\t')) return false;
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("[\"v1-") && !is_subtable(line);
}

// "v2-...": of a version that this one does not know.
bool is_newer_key(std::string_view name) {
  const std::size_t digits = name.find_first_not_of("0123456789", 1);
  return name.starts_with('v') && digits != std::string_view::npos && digits > 1 &&
         name[digits] == '-' && !name.starts_with("v1-") && name[1] != '0';
}

// Goes through a text piece by piece. A piece is a table, or a field before the first table. What
// is wrong costs the piece that it is in, and nothing before it.
class Reader {
 public:
  Reader(std::string_view text, const Entries& known) : text_(text), known_(known) {
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  Document read() {
    while ((at_ = toml::skip_blank(text_, at_)) < text_.size()) {
      const bool is_table = text_[at_] == '[';
      const std::size_t end = piece_end(!is_table);
      const std::string_view piece = text_.substr(at_, end - at_);
      if (is_table || starts_field(text_[at_])) {
        read_piece(piece.substr(0, piece.find_last_not_of(" \t\r\n") + 1));
      } else {
        report({0, "this belongs to no decision: a table or field starts a line"});
      }
      at_ = end;
    }
    if (unreported_ > 0) {
      made_.problems.push_back(
          {ErrorKind::input, fmt::format("{} more parts are not well", unreported_)});
    }
    return std::move(made_);
  }

 private:
  // Where the next table or, before the first one, the next field starts.
  [[nodiscard]] std::size_t piece_end(bool in_fields) const {
    for (std::size_t line = text_.find('\n', at_); ++line != 0 && line < text_.size();
         line = text_.find('\n', line)) {
      if (starts_table(text_.substr(line))) return line;
      if (in_fields && starts_field(text_[line])) return line;
    }
    return text_.size();
  }

  void read_piece(std::string_view piece) {
    if (piece.size() > max_entry_bytes) {
      return report({0, fmt::format("an entry of more than {} bytes", max_entry_bytes)});
    }
    if (const EntryPtr* entry = find_known(piece)) return add(*entry);
    const toml::Piece parsed = toml::parse(piece);
    const toml::Value& root = parsed.root;
    const auto key = root.size == 1 ? parse_key(root.first->name) : std::nullopt;
    if (parsed.fault) piece = piece.substr(0, parsed.end);
    if (key) {
      add_decision(*key, *root.first, piece, parsed.fault);
    } else if (parsed.fault) {
      report(*parsed.fault);
    } else if (root.size != 1) {
      report({0, "here is more than one field: each starts a line, without space before it"});
    } else {
      keep_other(*root.first, piece);
    }
  }

  [[nodiscard]] const EntryPtr* find_known(std::string_view piece) const {
    const std::size_t before = piece.find('"') + 1;  // npos + 1 is 0
    const auto key = parse_key(piece.substr(before, key_length));
    const auto found = key ? known_.find(*key) : known_.end();
    return found != known_.end() && found->second->text == piece ? &found->second : nullptr;
  }

  // It may be complete before the fault, which then is that of the next one.
  void add_decision(const Key& key, const toml::Value& value, std::string_view piece,
                    const std::optional<toml::Fault>& fault) {
    auto decision = read_decision(key, value, piece);
    if (decision) {
      add(std::make_shared<const Entry>(*std::move(decision), std::string(piece)));
    } else if (!fault) {
      report(decision.error());
    }
    if (fault) report(*fault);
  }

  // Files are sorted by key, so that the place is mostly known.
  void add(const EntryPtr& entry) {
    const std::size_t before = made_.entries.size();
    const Key& key = entry->decision.key;
    const auto present = made_.entries.try_emplace(made_.entries.end(), key, entry);
    if (made_.entries.size() > before) return;
    report({0, fmt::format("{} is there twice; the better one is used", to_string(key))});
    if (better(entry->decision, present->second->decision)) present->second = entry;
  }

  // What is no decision: the header, or what this version does not know.
  void keep_other(const toml::Value& value, std::string_view piece) {
    const std::string_view name = value.name;
    const bool is_table = piece[0] == '[';
    const bool is_text = !is_table && value.kind == toml::Kind::text;
    const bool is_bare_field = toml::is_part_of_name(piece[0]);
    if (is_text && name == "adapter") {
      made_.header.adapter = value.text;
    } else if (is_text && name == "device") {
      made_.header.device = value.text;
    } else if ((is_bare_field || is_newer_key(name)) && unknown_.emplace(name).second) {
      (is_table ? made_.unknown_tables : made_.unknown_fields).emplace_back(piece);
    } else {
      report({0, fmt::format("'{}' is not the key of a decision, or there twice", name)});
    }
  }

  // In the piece that begins here.
  void report(const toml::Fault& fault) {
    if (made_.problems.size() >= max_problems) {
      ++unreported_;
      return;
    }
    const std::string_view before = text_.substr(0, at_ + fault.at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    made_.problems.push_back(
        {ErrorKind::input,
         fault.message,
         {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)}});
  }

  std::string_view text_;
  const Entries& known_;
  std::size_t at_ = 0;
  std::size_t unreported_ = 0;
  std::set<std::string> unknown_ = {"adapter", "device"};  // names that are taken
  Document made_;
};

}  // namespace

Document read(std::string_view text, const Entries& known) { return Reader(text, known).read(); }

std::string write(const Document& document) {
  std::string fields = fmt::format(
      "# Decisions of vyre. `vyre store` shows and checks them.\nadapter = {}\ndevice = {}\n",
      store::quoted(document.header.adapter), store::quoted(document.header.device));
  std::string tables;
  for (const std::string& field : document.unknown_fields) fields += field + "\n";
  for (const std::string& table : document.unknown_tables) tables += "\n" + table + "\n";
  for (const auto& [key, entry] : document.entries) {
    entry->is_table() ? tables += "\n" + entry->text + "\n" : fields += entry->text + "\n";
  }
  return fields + tables;
}

}  // namespace vyre::store
