#include "store/entry.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "store/quote.h"

namespace vyre::store {
namespace {

using toml::Value;

// All fields of the full form but `check`, in the order in which they are written. `io` writes or
// reads one; those that are optional only if they are there. A text is complete or not TOML: some
// that are always there come last, so that a cut cannot go unseen.
template <class Io, class AnyDecision>
void for_each_field(Io& io, AnyDecision& decision) {
  auto& e = *decision.evidence;
  io("program", e.dispatch.program);
  io("name", e.program_name);
  io("declared", e.dispatch.workgroup);
  io.optional("groups", e.dispatch.groups);
  io("output_bytes", e.dispatch.output_bytes);
  io.optional("input_bytes", e.dispatch.input_bytes);
  io("workgroup", decision.workgroup);
  io("configuration", e.configuration);
  io("elapsed_ns", e.elapsed.value);
  io("elapsed_low_ns", e.elapsed.interval.low);
  io("elapsed_high_ns", e.elapsed.interval.high);
  io.baseline(e);
  io("samples", e.samples);
  io("date", e.date);
  io.optional("features", e.features);
  io("strategy", e.strategy);
  io("vyre", e.vyre);
  io("driver", e.driver);
}

std::string field_name(const std::string& name) {
  return std::ranges::all_of(name, toml::is_part_of_name) ? name : store::quoted(name);
}

// How a value is written.
std::string text_of(std::uint64_t value) { return fmt::format("{}", value); }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return store::quoted(value); }
std::string text_of(const Digest& value) { return fmt::format("\"{}\"", to_hex(value)); }
std::string text_of(std::chrono::sys_seconds value) { return to_string(value); }
std::string text_of(const Size& value) { return fmt::format("[{}]", fmt::join(value, ", ")); }
std::string text_of(const std::optional<Size>& value) { return text_of(*value); }

// A float of TOML has a point or an exponent.
std::string text_of(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string text_of(const std::vector<Setting>& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    const auto words = std::visit([](const auto& any) { return text_of(any); }, value);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", field_name(name), words);
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

class Writer {
 public:
  explicit Writer(std::string& text) : text_(text) {}

  template <class T>
  void operator()(std::string_view name, const T& value) {
    text_ += fmt::format("{} = {}\n", name, text_of(value));
  }
  template <class T>
  void optional(std::string_view name, const T& value) {
    if (value != T{}) (*this)(name, value);
  }
  void baseline(const Evidence& e) {
    if (!e.baseline) return;
    const auto& [elapsed, speedup] = *e.baseline;
    (*this)("default_ns", elapsed.value);
    (*this)("default_low_ns", elapsed.interval.low);
    (*this)("default_high_ns", elapsed.interval.high);
    (*this)("speedup", speedup.value);
    (*this)("speedup_low", speedup.interval.low);
    (*this)("speedup_high", speedup.interval.high);
  }

 private:
  std::string& text_;
};

std::string written(const Decision& decision) {
  if (!decision.evidence) {
    return fmt::format("\"{}\" = {}", to_string(decision.key), text_of(decision.workgroup));
  }
  std::string text = fmt::format("[\"{}\"]\n", to_string(decision.key));
  Writer writer(text);
  for_each_field(writer, decision);
  return text + fmt::format("check = \"{}\"", checksum(text));
}

// How a value is read: null, or what it should be.
template <class T>
const char* set(T& into, const std::optional<T>& found, const char* expected) {
  if (found) into = *found;
  return found ? nullptr : expected;
}

const char* read(const Value& value, std::string& into) {
  if (value.kind == toml::Kind::text) into = value.text;
  return value.kind == toml::Kind::text ? nullptr : "a text in quotes";
}

const char* read(const Value& value, double& into) {
  return set(into, toml::real(value), "a number");
}

const char* read(const Value& value, Digest& into) {
  return set(into, parse_digest(value.text), "64 hexadecimal digits in quotes");
}

const char* read(const Value& value, std::chrono::sys_seconds& into) {
  return set(into, toml::date(value), "a date with a time, such as 2026-11-16T03:00:00Z");
}

const char* read(const Value& value, std::uint64_t& into) {
  const std::int64_t number = toml::integer(value).value_or(-1);
  into = static_cast<std::uint64_t>(number);
  return number >= 0 ? nullptr : "a whole number from 0 on";
}

const char* read(const Value& value, Size& into) {
  constexpr const char* expected = "a list of three whole numbers from 1 to 4294967295";
  if (value.kind != toml::Kind::list || value.size != into.size()) return expected;
  const Value* item = value.first;
  for (std::uint32_t& size : into) {
    const std::int64_t number = toml::integer(*item).value_or(0);
    if (number < 1 || number > std::numeric_limits<std::uint32_t>::max()) return expected;
    size = static_cast<std::uint32_t>(number);
    item = item->next;
  }
  return nullptr;
}

const char* read(const Value& value, std::optional<Size>& into) {
  return read(value, into.emplace());
}

const char* read(const Value& value, space::Value& into) {
  if (value.kind == toml::Kind::text) {
    into = std::string(value.text);
  } else if (const auto whole = toml::integer(value)) {
    into = *whole;
  } else if (const auto number = toml::real(value)) {
    into = *number;
  } else if (value.text == "true" || value.text == "false") {
    into = value.text == "true";
  } else {
    return "a number, a boolean or a text";
  }
  return nullptr;
}

const char* read(const Value& value, std::vector<Setting>& into) {
  if (value.kind != toml::Kind::table) return "a table of parameters and values";
  into.reserve(value.size);
  for (const Value* field = value.first; field != nullptr; field = field->next) {
    Setting& setting = into.emplace_back(std::string(field->name), space::Value{});
    if (read(*field, setting.value) != nullptr) return "a table of numbers, booleans and texts";
  }
  return nullptr;
}

// Remembers the first field that is missing or wrong.
class EntryReader {
 public:
  explicit EntryReader(const Value& table) : table_(table) {}

  [[nodiscard]] const std::optional<toml::Fault>& fault() const { return fault_; }

  template <class T>
  void operator()(std::string_view name, T& into) {
    const Value* value = find(name);
    if (value == nullptr) return refuse(table_.at, name, "there");
    if (const char* expected = read(*value, into)) refuse(value->at, name, expected);
  }
  template <class T>
  void optional(std::string_view name, T& into) {
    const Value* value = find(name);
    if (value == nullptr) return;
    if (const char* expected = read(*value, into)) refuse(value->at, name, expected);
  }
  // Only the time is needed: what is not said is taken for certain.
  void baseline(Evidence& e) {
    if (table_.find("default_ns") == nullptr) return;
    auto& [elapsed, speedup] = e.baseline.emplace();
    (*this)("default_ns", elapsed.value);
    elapsed.interval = {elapsed.value, elapsed.value};
    optional("default_low_ns", elapsed.interval.low);
    optional("default_high_ns", elapsed.interval.high);
    speedup.value = elapsed.value / e.elapsed.value;
    optional("speedup", speedup.value);
    speedup.interval = {speedup.value, speedup.value};
    optional("speedup_low", speedup.interval.low);
    optional("speedup_high", speedup.interval.high);
  }

 private:
  void refuse(std::size_t at, std::string_view name, const char* expected) {
    if (!fault_) fault_ = {at, fmt::format("'{}' is not {}", name, expected)};
  }

  // Mostly they are asked for in their order.
  const Value* find(std::string_view name) {
    const Value* next = last_ == nullptr ? table_.first : last_->next;
    const bool in_order = next != nullptr && next->name == name;
    const Value* found = in_order ? next : table_.find(name);
    if (found != nullptr) last_ = found;
    return found;
  }

  const Value& table_;
  const Value* last_ = nullptr;
  std::optional<toml::Fault> fault_;
};

// Of the text as it stands, or, where other hands have laid it out anew, as it would be written.
bool has_checksum(const Value& check, std::string_view piece, const Decision& decision) {
  const std::size_t line = piece.substr(0, check.at).rfind('\n') + 1;  // npos + 1 is 0
  if (check.text == checksum(piece.substr(0, line))) return true;
  return written(decision).ends_with(fmt::format("\"{}\"", check.text));
}

}  // namespace

Result<EntryPtr> make_entry(const Decision& decision) {
  if (auto checked = validate(decision); !checked) return Unexpected(checked.error());
  std::string text = written(decision);
  if (text.size() > max_entry_bytes) {
    return fail(ErrorKind::input,
                fmt::format("the decision takes more than {} bytes", max_entry_bytes));
  }
  // As it comes back from a file, where bytes that are not UTF-8 are replaced.
  const toml::Piece piece = toml::parse(text);
  if (piece.fault) return fail(ErrorKind::input, piece.fault->message);
  auto again = read_decision(decision.key, *piece.root.first, text);
  if (!again) return fail(ErrorKind::input, again.error().message);
  return std::make_shared<const Entry>(*std::move(again), std::move(text));
}

Expected<Decision, toml::Fault> read_decision(const Key& key, const Value& value,
                                              std::string_view piece) {
  Decision decision{.key = key};
  const auto wrong = [&](std::size_t at, std::string message) {
    return Unexpected(toml::Fault{at, std::move(message)});
  };
  const Value* check = nullptr;
  if (value.kind == toml::Kind::table) {
    decision.evidence.emplace();
    EntryReader reader(value);
    for_each_field(reader, decision);
    if (reader.fault()) return Unexpected(*reader.fault());
    check = value.find("check");
  } else if (const char* expected = read(value, decision.workgroup)) {
    return wrong(value.at, fmt::format("the workgroup is not {}", expected));
  }
  if (auto checked = validate(decision); !checked) return wrong(value.at, checked.error().message);
  if (check == nullptr || has_checksum(*check, piece, decision)) return decision;
  return wrong(check->at,
               "it was changed since it was written; if that is meant, remove the line 'check'");
}

std::string checksum(std::string_view text) {
  unsigned long crc =
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  std::string hex(8, '0');
  for (auto digit = hex.rbegin(); digit != hex.rend(); ++digit, crc >>= 4U) {
    *digit = "0123456789abcdef"[crc & 0xfU];
  }
  return hex;
}

}  // namespace vyre::store
