#include "store/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "store/render.h"
#include "store/stray_letter.h"

// toml++ 3.3 asserts, or tells clang to assume, that a header `[` is followed by a key, before it
// checks that: the text `[.a]` would stop the program. Both are turned off; the check is enough.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace vyre::store {
namespace {

Place place_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

std::unexpected<Error> wrong(const toml::node& node, std::string message) {
  return fail(ErrorKind::input, std::move(message), place_of(node.source()));
}

// Collects the fields of a table; remembers the first that is missing or wrong.
class Fields {
 public:
  explicit Fields(const toml::table& table) : table_(table) {}

  [[nodiscard]] bool has(std::string_view name) const { return table_.contains(name); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  template <class T>
  T value(std::string_view name, const char* kind) {
    const toml::node* node = table_.get(name);
    if (node == nullptr) {
      refuse(table_, fmt::format("'{}' is missing", name));
      return {};
    }
    if (const auto found = node->value_exact<T>()) return *found;
    refuse(*node, fmt::format("'{}' is not {}", name, kind));
    return {};
  }
  std::string text(std::string_view name) { return value<std::string>(name, "a text in quotes"); }
  std::uint64_t natural(std::string_view name) {
    const auto number = value<std::int64_t>(name, "a whole number");
    if (number < 0) refuse(*table_.get(name), fmt::format("'{}' is negative", name));
    return static_cast<std::uint64_t>(number);
  }
  // A whole number will do.
  double real(std::string_view name) {
    const toml::node* node = table_.get(name);
    if (node != nullptr && node->is_integer()) return *node->value<double>();
    return value<double>(name, "a number");
  }
  Size size(std::string_view name);
  Digest digest(std::string_view name);
  std::vector<Setting> settings(std::string_view name);
  std::chrono::sys_seconds date(std::string_view name);

 private:
  void refuse(const toml::node& node, std::string message) {
    if (!error_) error_ = wrong(node, std::move(message)).error();
  }

  const toml::table& table_;
  std::optional<Error> error_;
};

Result<Size> size_of(const toml::node& node, std::string_view name) {
  const toml::array* list = node.as_array();
  Size size = {};
  if (list == nullptr || list->size() != size.size()) {
    return wrong(node, fmt::format("'{}' is not a list of three numbers", name));
  }
  for (std::size_t i = 0; i < size.size(); ++i) {
    const auto number = (*list)[i].value_exact<std::int64_t>();
    if (!number) return wrong(node, fmt::format("'{}' has a value that is no whole number", name));
    if (*number < 1 || *number > std::numeric_limits<std::uint32_t>::max()) {
      return wrong(node, fmt::format("'{}' has {}: 1 to {} are possible", name, *number,
                                     std::numeric_limits<std::uint32_t>::max()));
    }
    size[i] = static_cast<std::uint32_t>(*number);
  }
  return size;
}

Size Fields::size(std::string_view name) {
  const toml::node* node = table_.get(name);
  if (node == nullptr) {
    refuse(table_, fmt::format("'{}' is missing", name));
    return {};
  }
  const auto size = size_of(*node, name);
  if (!size && !error_) error_ = size.error();
  return size.value_or(Size{});
}

Digest Fields::digest(std::string_view name) {
  const std::string hex = text(name);
  const auto digest = parse_digest(hex);
  if (!digest) refuse(table_, fmt::format("'{}' is not 64 hexadecimal digits", name));
  return digest.value_or(Digest{});
}

std::optional<space::Value> value_of(const toml::node& node) {
  if (const auto number = node.value_exact<std::int64_t>()) return *number;
  if (const auto number = node.value_exact<double>()) return *number;
  if (const auto flag = node.value_exact<bool>()) return *flag;
  if (auto text = node.value_exact<std::string>()) return *std::move(text);
  return {};
}

// toml++ sorts the parameters by name; where that is not their order, it is put right by position.
std::vector<Setting> Fields::settings(std::string_view name) {
  std::vector<std::pair<toml::source_position, Setting>> found;
  const toml::node* node = table_.get(name);
  if (node == nullptr || !node->is_table()) {
    refuse(table_, fmt::format("'{}' is not a table of parameters and values", name));
    return {};
  }
  for (const auto& [key, entry] : *node->as_table()) {
    auto value = value_of(entry);
    if (!value) refuse(entry, fmt::format("the value of '{}' is not a scalar", key.str()));
    found.emplace_back(key.source().begin,
                       Setting{std::string(key.str()), std::move(value).value_or(false)});
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Setting> made;
  for (auto& [position, setting] : found) made.push_back(std::move(setting));
  return made;
}

std::chrono::sys_seconds Fields::date(std::string_view name) {
  using namespace std::chrono;
  const auto found = value<toml::date_time>(name, "a date with a time");
  if (error_) return {};
  if (!found.offset) {
    refuse(*table_.get(name), fmt::format("'{}' has no time zone; write a Z behind it", name));
    return {};
  }
  const year_month_day day(year(found.date.year), month(found.date.month),
                           std::chrono::day(found.date.day));
  return sys_days(day) + hours(found.time.hour) + minutes(found.time.minute) +
         seconds(found.time.second) - minutes(found.offset->minutes);
}

// Only the default's time is needed: what is not said of it is taken for certain.
Baseline baseline_of(Fields& fields, const measure::Estimate& elapsed) {
  const auto or_else = [&](std::string_view name, double otherwise) {
    return fields.has(name) ? fields.real(name) : otherwise;
  };
  const double ns = fields.real("default_ns");
  const double speedup = or_else("speedup", ns / elapsed.value);
  return {
      .elapsed = {ns, {or_else("default_low_ns", ns), or_else("default_high_ns", ns)}},
      .speedup = {speedup, {or_else("speedup_low", speedup), or_else("speedup_high", speedup)}}};
}

Evidence evidence_of(Fields& fields) {
  Evidence e;
  e.dispatch.program = fields.digest("program");
  e.program_name = fields.text("name");
  e.dispatch.workgroup = fields.size("declared");
  if (fields.has("groups")) e.dispatch.groups = fields.size("groups");
  e.dispatch.output_bytes = fields.natural("output_bytes");
  if (fields.has("input_bytes")) e.dispatch.input_bytes = fields.natural("input_bytes");
  e.configuration = fields.settings("configuration");
  e.elapsed = {fields.real("elapsed_ns"),
               {fields.real("elapsed_low_ns"), fields.real("elapsed_high_ns")}};
  if (fields.has("default_ns")) e.baseline = baseline_of(fields, e.elapsed);
  e.samples = fields.natural("samples");
  e.date = fields.date("date");
  e.strategy = fields.text("strategy");
  e.vyre = fields.text("vyre");
  e.driver = fields.text("driver");
  return e;
}

// As it stands, or, where other hands have laid it out anew, as it would be written.
bool matches(const std::string& check, std::string_view piece, const Decision& decision) {
  const std::size_t line = piece.rfind("\ncheck = ");
  if (line != std::string_view::npos && check == checksum(piece.substr(0, line + 1))) return true;
  const std::string written = render(decision);
  return written.ends_with(fmt::format("\"{}\"", check));
}

Result<Decision> full_form(const Key& key, const toml::table& table, std::string_view piece) {
  Fields fields(table);
  Decision decision{key, fields.size("workgroup"), evidence_of(fields)};
  if (fields.error()) return std::unexpected(*fields.error());
  if (auto checked = validate(decision); !checked) return wrong(table, checked.error().message);
  if (!fields.has("check")) return decision;
  const std::string check = fields.text("check");
  if (fields.error()) return std::unexpected(*fields.error());
  if (matches(check, piece, decision)) return decision;
  return wrong(*table.get("check"),
               "it was changed since it was written; if that is meant, remove the line 'check'");
}

Result<Decision> decision_of(const Key& key, const toml::node& node, std::string_view piece) {
  if (const toml::table* table = node.as_table()) return full_form(key, *table, piece);
  const auto size = size_of(node, "workgroup");
  if (!size) return std::unexpected(size.error());
  Decision decision{key, *size, {}};
  if (auto checked = validate(decision); !checked) return wrong(node, checked.error().message);
  return decision;
}

std::unexpected<TomlError> content_error(Error error) {
  return std::unexpected(TomlError{std::move(error), true});
}

}  // namespace

std::expected<TomlPiece, TomlError> read_toml(std::string_view piece) {
  if (const auto stray = stray_letter(piece)) {
    return std::unexpected(
        TomlError{{ErrorKind::input, "a letter beyond ASCII outside of quotes", *stray}, false});
  }
  const toml::parse_result parsed = toml::parse(piece);
  if (!parsed) {
    return std::unexpected(TomlError{{ErrorKind::input, std::string(parsed.error().description()),
                                      place_of(parsed.error().source())},
                                     false});
  }
  if (parsed.table().size() != 1) {
    return content_error({ErrorKind::input,
                          "here is more than one table or field: each starts a line, without space "
                          "before it",
                          {1, 1}});
  }
  const auto first = parsed.table().begin();
  const toml::key& name = first->first;
  const toml::node& node = first->second;
  if (const auto key = parse_key(name.str())) {
    auto decision = decision_of(*key, node, piece);
    if (!decision) return content_error(std::move(decision.error()));
    return *std::move(decision);
  }
  if (piece.starts_with('[')) return OtherTable{std::string(name.str())};
  return OtherField{std::string(name.str()), node.value_exact<std::string>()};
}

}  // namespace vyre::store
