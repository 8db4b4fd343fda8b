#include "vyre/store/store.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/memory.h"
#include "store/directory.h"
#include "store/file.h"
#include "store/quote.h"

namespace vyre::store {
namespace {

// Digests are as good as random already.
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t first = 0;
    std::memcpy(&first, key.digest.data(), sizeof first);
    return first;
  }
};

std::vector<std::string> messages(const File& file) {
  std::vector<std::string> made;
  for (const Error& problem : file.problems()) {
    made.push_back(fmt::format("{}:{}{}", file.path().string(), problem.place.known() ? "" : " ",
                               to_string(problem)));
  }
  return made;
}

std::shared_ptr<const Decision> decision_of(const EntryPtr& entry) {
  return {entry, &entry->decision};
}

// Texts as they come back from a file, so that they can be compared.
Owner readable_owner(const Owner& owner) {
  return {readable(owner.adapter), readable(owner.device), readable(owner.driver)};
}

struct Nearest {
  EntryPtr entry;  // none: the program is not there
  double distance = 0;
};

// Of the decisions for the program the one for the nearest sizes; of several the best.
Nearest nearest(const Entries& entries, const Dispatch& dispatch) {
  Nearest best;
  for (const auto& [key, entry] : entries) {
    const auto& evidence = entry->decision.evidence;
    if (!evidence || evidence->dispatch.program != dispatch.program) continue;
    const double away = distance(evidence->dispatch, dispatch);
    const bool closer = !best.entry || away < best.distance ||
                        (away == best.distance && better(entry->decision, best.entry->decision));
    if (closer) best = {entry, away};
  }
  return best;
}

}  // namespace

struct Store::State {
  State(std::filesystem::path place, const Owner& whose)
      : directory(std::move(place)),
        owner(readable_owner(whose)),
        file(directory / file_name(owner.adapter), {owner.adapter, owner.device}) {}

  [[nodiscard]] Found found(Match match, const EntryPtr& entry) const;
  [[nodiscard]] Found on_other_adapters(const Dispatch& dispatch);
  void index_entries();
  void read_others();
  Result<Saved> record(Decision decision);

  std::mutex mutex;
  std::filesystem::path directory;
  Owner owner;
  File file;
  Entries unsaved;
  std::vector<std::string> problems;
  // The answer for each key, so that a lookup need not look into the decision.
  std::unordered_map<Key, Found, KeyHash> answers;
  std::optional<std::vector<Document>> others;  // none: not yet read
};

Found Store::State::found(Match match, const EntryPtr& entry) const {
  const auto& evidence = entry->decision.evidence;
  return {.match = match,
          .decision = decision_of(entry),
          .other_driver = evidence && evidence->driver != owner.driver,
          .adapter = {}};
}

void Store::State::index_entries() {
  answers.clear();
  answers.reserve(file.entries().size());
  for (const auto& [key, entry] : file.entries()) answers.emplace(key, found(Match::exact, entry));
}

// A file that cannot be read has nothing to offer; `vyre store verify` says why.
void Store::State::read_others() {
  others.emplace();
  const auto paths = files(directory);
  if (!paths) return;
  for (const std::filesystem::path& path : *paths) {
    File other(path, {});
    if (path == file.path() || !other.load()) continue;
    Document& document = others->emplace_back(other.document());
    if (document.header.adapter.empty()) document.header.adapter = path.stem().string();
  }
}

Found Store::State::on_other_adapters(const Dispatch& dispatch) {
  if (!others) read_others();
  Found best;
  std::tuple<bool, double> best_rank;  // another device, distance
  for (const Document& other : *others) {
    const auto [entry, distance] = nearest(other.entries, dispatch);
    const std::tuple rank(other.header.device != owner.device, distance);
    if (!entry || (best.decision && best_rank <= rank)) continue;
    best = found(Match::other_adapter, entry);
    best.adapter = other.header.adapter;
    best_rank = rank;
  }
  return best;
}

Owner owner_of(const device::Adapter& adapter) {
  return {adapter.id(), adapter.name, adapter.driver};
}

std::string_view to_string(Match match) {
  switch (match) {
    case Match::exact:
      return "exact";
    case Match::nearest_size:
      return "same program, nearest size";
    case Match::other_adapter:
      return "other adapter";
    case Match::nothing:
      return "nothing";
  }
  return "";
}

std::vector<std::string> notes(const Saved& saved) {
  std::vector<std::string> made;
  if (!saved.set_aside.empty()) {
    made.push_back(
        fmt::format("the decision file was damaged; it is now {}, and what was well in "
                    "it is kept",
                    saved.set_aside.string()));
  }
  if (saved.dropped > 0) {
    made.push_back(saved.dropped == 1
                       ? "the decision file is full: the oldest decision was dropped"
                       : fmt::format("the decision file is full: the {} oldest decisions were "
                                     "dropped",
                                     saved.dropped));
  }
  return made;
}

Store::Store(const std::filesystem::path& directory, const Owner& owner)
    : state_(std::make_unique<State>(directory, owner)) {
  const auto loaded = state_->file.load();
  state_->problems = messages(state_->file);
  if (!loaded) state_->problems.push_back(loaded.error().message);
  state_->index_entries();
}
Store::~Store() = default;

const std::vector<std::string>& Store::problems() const { return state_->problems; }

std::size_t Store::size() const {
  const std::lock_guard guard(state_->mutex);
  return state_->file.entries().size();
}

std::vector<std::shared_ptr<const Decision>> Store::decisions() const {
  const std::lock_guard guard(state_->mutex);
  std::vector<std::shared_ptr<const Decision>> made;
  for (const auto& [key, entry] : state_->file.entries()) made.push_back(decision_of(entry));
  return made;
}

Found Store::lookup(const Key& key) const {
  const std::lock_guard guard(state_->mutex);
  const auto answer = state_->answers.find(key);
  return answer == state_->answers.end() ? Found{} : answer->second;
}

Found Store::lookup(const Dispatch& dispatch) const {
  if (Found exact = lookup(key_of(dispatch)); exact.decision) return exact;
  const std::lock_guard guard(state_->mutex);
  if (const auto [entry, distance] = nearest(state_->file.entries(), dispatch); entry) {
    return state_->found(Match::nearest_size, entry);
  }
  return state_->on_other_adapters(dispatch);
}

Result<Saved> Store::record(Decision decision) {
  return within_memory([&] { return state_->record(std::move(decision)); });
}

Result<Saved> Store::State::record(Decision decision) {
  if (decision.evidence) {
    Evidence& evidence = *decision.evidence;
    if (evidence.driver.empty()) evidence.driver = owner.driver;
    if (evidence.vyre.empty()) evidence.vyre = VYRE_VERSION;
    if (evidence.date == std::chrono::sys_seconds()) {
      evidence.date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    }
  }
  auto entry = make_entry(decision);
  if (!entry) return Unexpected(entry.error());

  const std::lock_guard guard(mutex);
  unsaved.insert_or_assign((*entry)->decision.key, *entry);
  auto saved = file.update([&](const Entries&) {
    Changes changes;
    for (const auto& [key, kept] : unsaved) changes.put.push_back(kept);
    return changes;
  });
  if (saved) {
    unsaved.clear();
  } else {
    for (const auto& [key, kept] : unsaved) file.keep(kept);
  }
  index_entries();
  return saved;
}

}  // namespace vyre::store
