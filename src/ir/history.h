// What a Builder did, in its order: which blocks were open when, which buffers and variables were
// read into values, and what changed them. From it follows which values must be kept under a name
// to be what they were when they were made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/base/source_location.h"
#include "vyre/ir/program.h"

namespace vyre::ir {

class History {
 public:
  using Time = std::uint32_t;
  using BlockId = std::uint32_t;
  static constexpr BlockId root = 0;

  enum class BlockKind : std::uint8_t { plain, loop, otherwise };
  struct BlockSpan {
    BlockId parent = root;
    BlockKind kind = BlockKind::plain;
    Time begin = 0;
    Time end = 0;         // none yet while it is open
    BlockId sibling = 0;  // of an `otherwise`: the block that runs if it does not
  };
  // A statement or a declaration.
  struct Entry {
    SourceLocation at;
    Time time = 0;  // it computes its operands here, before its blocks
    BlockId block = root;
    std::array<BlockId, 2> inside = {};
  };
  // A value that was read from a buffer or variable.
  struct Read {
    Expr expr;  // kept, so that its address stays its own
    Time time = 0;
    BlockId block = root;
  };

  // Entries are numbered from 1. A statement of the builder has its number as the column of a place
  // without a line.
  std::uint32_t enter(SourceLocation at);
  [[nodiscard]] const Entry& entry(Place place) const { return entries_[place.column]; }
  // With the entry's place in C++ instead of its number.
  [[nodiscard]] Error located(const Error& problem) const;

  // Opens block `index` of an entry; it is closed before any that was opened earlier.
  void open(std::uint32_t entry, std::size_t index, BlockKind kind);
  void close();
  [[nodiscard]] BlockId innermost() const { return open_.back(); }
  [[nodiscard]] bool is_open(BlockId block) const { return spans_[block].end == 0; }

  void read(const Expr& value);
  // The name of a let or of a loop's variable: as good as its block.
  void named(const Expr& name);
  void changed(const std::string& name) { changes_[name].push_back(++clock_); }
  // Of a barrier: other invocations may have written to any buffer.
  void all_buffers_changed() { barriers_.push_back(++clock_); }

  [[nodiscard]] const Read* find_read(const Expr& expr) const;
  // The block that a name is declared in.
  [[nodiscard]] std::optional<BlockId> home(const Expr& expr) const;
  [[nodiscard]] bool is_inside(BlockId block, BlockId of) const;
  // Whether a value may be another one when it is computed again at this time in this block.
  [[nodiscard]] bool is_stale(const Read& read, Time time, BlockId block) const;

 private:
  [[nodiscard]] std::span<const Time> changes(const std::string& name) const;

  Time clock_ = 0;
  std::vector<Entry> entries_ = std::vector<Entry>(1);
  std::vector<BlockSpan> spans_ = std::vector<BlockSpan>(1);
  std::vector<BlockId> open_ = {root};
  std::unordered_map<const ExprNode*, Read> reads_;
  std::unordered_map<const ExprNode*, Read> names_;
  std::unordered_map<std::string, std::vector<Time>> changes_;
  std::vector<Time> barriers_;
};

}  // namespace vyre::ir
