// What a program asks the store: is there a decision for this dispatch, and how good a fit is it;
// and, once it has tuned: remember this.
//
// A store is for one adapter. It is opened once, answers from memory, and may be used by several
// threads. No failure of the disk stops a run: what cannot be read is empty, what cannot be saved
// is kept in memory, and the caller gets the messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/store/decision.h"

namespace vyre::store {

// Where its files are, from the values of XDG_CACHE_HOME and HOME, empty if not set:
// $XDG_CACHE_HOME/vyre/tuner, else $HOME/.cache/vyre/tuner, else ./vyre/tuner. A relative
// XDG_CACHE_HOME counts as not set, as its specification says.
[[nodiscard]] std::filesystem::path directory(std::string_view xdg_cache_home,
                                              std::string_view home);

// The adapter whose decisions they are.
struct Owner {
  std::string adapter;  // device::Adapter::id()
  std::string device;
  std::string driver;
};
[[nodiscard]] Owner owner_of(const device::Adapter& adapter);

enum class Match : std::uint8_t {
  exact,          // this adapter, this program, these sizes
  nearest_size,   // this adapter, this program, the nearest sizes that are known
  other_adapter,  // this program on another adapter: one of the same name, and the nearest sizes
                  // first
  nothing,
};
[[nodiscard]] std::string_view to_string(Match match);

struct Found {
  Match match = Match::nothing;
  std::shared_ptr<const Decision> decision;  // none if nothing was found
  bool other_driver = false;                 // it was measured with another version of the driver
  std::string adapter;                       // whose it is, if another's
};

// What happened beside the change that was saved.
struct Saved {
  std::size_t dropped = 0;          // the oldest decisions, for which there was no room
  std::filesystem::path set_aside;  // where the damaged file is now; empty if there was none
};
// As messages for people.
[[nodiscard]] std::vector<std::string> notes(const Saved& saved);

class Store {
 public:
  // Reads the file of `owner` in `directory`; problems() says what was wrong.
  Store(const std::filesystem::path& directory, const Owner& owner);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // With line and file where there is one.
  [[nodiscard]] const std::vector<std::string>& problems() const;
  [[nodiscard]] std::size_t size() const;

  // All of this adapter, by key: for those who look for like programs.
  [[nodiscard]] std::vector<std::shared_ptr<const Decision>> decisions() const;

  // Exact or nothing, in a fraction of a microsecond.
  [[nodiscard]] Found lookup(const Key& key) const;
  // The best there is. The files of other adapters are read when they are needed first.
  [[nodiscard]] Found lookup(const Dispatch& dispatch) const;

  // In place of what was decided for the same key. Returns when it is durable, or with the reason
  // why it is not: then it is in memory, and saved with the next one that can be. An empty driver
  // or version of vyre, and a date of 0, are filled in. A decision that is not valid is refused.
  Result<Saved> record(Decision decision);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vyre::store
