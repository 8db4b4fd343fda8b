#include "vyre/store/store.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <tuple>

#include "store/file.h"
#include "store/index.h"
#include "store/render.h"
#include "store/shelf.h"
#include "vyre/store/directory.h"

namespace vyre::store {
namespace {

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

}  // namespace

struct Store::State {
  State(std::filesystem::path place, const Owner& whose)
      : directory(std::move(place)),
        owner(readable_owner(whose)),
        driver_hash(std::hash<std::string>()(owner.driver)),
        file(directory / file_name(owner.adapter), {owner.adapter, owner.device}),
        index(file.entries()) {}

  [[nodiscard]] Found found(Match match, const EntryPtr& entry) const;
  [[nodiscard]] std::optional<Found> on_other_adapters(const Dispatch& dispatch);
  void entries_changed();
  void read_others();

  std::mutex mutex;
  std::filesystem::path directory;
  Owner owner;
  std::size_t driver_hash;
  File file;
  Entries unsaved;
  std::vector<std::string> problems;
  Index index;                               // of the file's entries
  std::optional<Shelf> own;                  // made anew when it is needed after a change
  std::optional<std::vector<Shelf>> others;  // none: not yet read
};

Found Store::State::found(Match match, const EntryPtr& entry) const {
  return {.match = match,
          .decision = decision_of(entry),
          .other_driver = entry->driver_hash != 0 && entry->driver_hash != driver_hash,
          .adapter = {}};
}

void Store::State::entries_changed() {
  index = Index(file.entries());
  own.reset();
}

// A file that cannot be read has nothing to offer; `vyre store verify` says why.
void Store::State::read_others() {
  others.emplace();
  const auto paths = files(directory);
  if (!paths) return;
  for (const std::filesystem::path& path : *paths) {
    File other(path, {});
    if (path == file.path() || !other.load()) continue;
    Header header = other.header();
    if (header.adapter.empty()) header.adapter = path.stem().string();
    others->emplace_back(std::move(header), other.entries());
  }
}

std::optional<Found> Store::State::on_other_adapters(const Dispatch& dispatch) {
  if (!others) read_others();
  const Shelf* best = nullptr;
  Nearest nearest;
  const auto rank = [&](const Shelf& shelf, const Nearest& candidate) {
    return std::tuple(shelf.header().device != owner.device, candidate.distance);
  };
  for (const Shelf& shelf : *others) {
    const auto candidate = shelf.nearest(dispatch);
    if (!candidate || (best != nullptr && rank(*best, nearest) <= rank(shelf, *candidate)))
      continue;
    best = &shelf;
    nearest = *candidate;
  }
  if (best == nullptr) return {};
  Found made = found(Match::other_adapter, nearest.entry);
  made.adapter = best->header().adapter;
  return made;
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
  state_->entries_changed();
}
Store::~Store() = default;

const std::vector<std::string>& Store::problems() const { return state_->problems; }

std::size_t Store::size() const {
  const std::lock_guard guard(state_->mutex);
  return state_->file.entries().size();
}

Found Store::lookup(const Key& key) const {
  const std::lock_guard guard(state_->mutex);
  const EntryPtr* entry = state_->index.find(key);
  return entry == nullptr ? Found{} : state_->found(Match::exact, *entry);
}

Found Store::lookup(const Dispatch& dispatch) const {
  if (Found exact = lookup(key_of(dispatch)); exact.decision) return exact;
  const std::lock_guard guard(state_->mutex);
  if (!state_->own) state_->own.emplace(state_->file.header(), state_->file.entries());
  if (const auto nearest = state_->own->nearest(dispatch)) {
    return state_->found(Match::nearest_size, nearest->entry);
  }
  return state_->on_other_adapters(dispatch).value_or(Found{});
}

Result<Saved> Store::record(Decision decision) {
  if (decision.evidence) {
    Evidence& evidence = *decision.evidence;
    if (evidence.driver.empty()) evidence.driver = state_->owner.driver;
    if (evidence.vyre.empty()) evidence.vyre = VYRE_VERSION;
    if (evidence.date == std::chrono::sys_seconds()) {
      evidence.date = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    }
  }
  auto entry = make_entry(std::move(decision));
  if (!entry) return std::unexpected(entry.error());

  const std::lock_guard guard(state_->mutex);
  state_->unsaved.insert_or_assign((*entry)->decision.key, *entry);
  auto saved = state_->file.update([&](const Entries&) {
    Changes changes;
    for (const auto& [key, unsaved] : state_->unsaved) changes.put.push_back(unsaved);
    return changes;
  });
  if (saved) {
    state_->unsaved.clear();
  } else {
    for (const auto& [key, unsaved] : state_->unsaved) state_->file.keep(unsaved);
  }
  state_->entries_changed();
  return saved;
}

}  // namespace vyre::store
