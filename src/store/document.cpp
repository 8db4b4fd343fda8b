#include "store/document.h"

#include <fmt/format.h>

#include "store/render.h"

namespace vyre::store {
namespace {

// All texts as they come back from a file.
void make_readable(Evidence& evidence) {
  for (std::string* text :
       {&evidence.program_name, &evidence.strategy, &evidence.vyre, &evidence.driver}) {
    *text = readable(*text);
  }
  for (Setting& setting : evidence.configuration) {
    setting.name = readable(setting.name);
    if (auto* text = std::get_if<std::string>(&setting.value)) *text = readable(*text);
  }
}

}  // namespace

EntryPtr entry_of(Decision decision, std::string text) {
  const std::size_t hash =
      decision.evidence ? std::hash<std::string>()(decision.evidence->driver) : 0;
  return std::make_shared<const Entry>(hash, std::move(decision), std::move(text));
}

Result<EntryPtr> make_entry(Decision decision) {
  if (decision.evidence) make_readable(*decision.evidence);
  if (auto checked = validate(decision); !checked) return std::unexpected(checked.error());
  std::string text = render(decision);
  if (text.size() > max_entry_bytes) {
    return fail(ErrorKind::input,
                fmt::format("the decision takes more than {} bytes", max_entry_bytes));
  }
  return entry_of(std::move(decision), std::move(text));
}

std::string write(const Document& document) {
  std::string text = "# Decisions of vyre. `vyre store` shows and checks them.\n";
  text += fmt::format("adapter = {}\ndevice = {}\n", quoted(document.header.adapter),
                      quoted(document.header.device));
  for (const std::string& field : document.unknown_fields) text += field + "\n";
  for (const EntryPtr& entry : document.entries) {
    if (!entry->text.starts_with('[')) text += entry->text + "\n";
  }
  for (const std::string& table : document.unknown_tables) text += "\n" + table + "\n";
  for (const EntryPtr& entry : document.entries) {
    if (entry->text.starts_with('[')) text += "\n" + entry->text + "\n";
  }
  return text;
}

}  // namespace vyre::store
