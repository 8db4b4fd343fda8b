#include "schedule/interleave.h"

#include <algorithm>
#include <vector>

#include "ir/fold.h"
#include "ir/polynomial.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/long_records.h"
#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::Stmt;

// Elements from one item's record to the next one's, if the load is one of a part of them.
std::optional<std::uint32_t> gap_of(const Expr& expr, const Lanes& lanes) {
  const auto* load = ir::as<ir::Load>(expr);
  if (load == nullptr || load->lanes > 1) return std::nullopt;
  if (!lanes.is_constant(load->buffer)) return std::nullopt;
  return lanes.gap(load->index);
}

class LoadNamer {
 public:
  LoadNamer(const Block& body, const Lanes::Options& options, ir::Names& names)
      : lanes_(body, options), names_(names) {}

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) {
      Block loads;
      Stmt with_names = with_parts(
          stmt, [&](const Expr& e) { return is_head(stmt) ? e : expr(e, stmt, loads); },
          [&](const Block& inner) { return block(inner); });
      const auto at = made.end() - (ir::is<ir::Store>(stmt) ? last_stores(made) : 0);
      made.insert(at, loads.begin(), loads.end());
      made.push_back(std::move(with_names));
    }
    return made;
  }

 private:
  // They stay together: what nobody writes can be loaded before them.
  static std::ptrdiff_t last_stores(const Block& body) {
    const auto other = std::ranges::find_if_not(
        body.rbegin(), body.rend(), [](const Stmt& stmt) { return ir::is<ir::Store>(stmt); });
    return other - body.rbegin();
  }

  // What is evaluated more than once, or elsewhere.
  static bool is_head(const Stmt& stmt) { return ir::is<ir::For>(stmt) || ir::is<ir::While>(stmt); }

  Expr expr(const Expr& from, const Stmt& stmt, Block& into) {
    if (ir::is<ir::Let>(stmt) && gap_of(from, lanes_)) return from;
    return map_exprs(from, [&](const Expr& e) {
      return gap_of(e, lanes_) ? named(e, ir::as<ir::Load>(e)->buffer, names_, into) : e;
    });
  }

  Lanes lanes_;
  ir::Names& names_;
};

// Which element of a record is at each index, from 0; nothing where they are not all of one.
std::optional<std::vector<std::uint32_t>> places(const std::vector<Expr>& indices) {
  std::vector<std::uint32_t> made;
  for (const Expr& index : indices) {
    const auto apart = polynomial_of(ir::Binary{ir::BinaryOp::sub, index, indices.front()});
    if (!apart || apart->size() > 1 || (!apart->empty() && !apart->begin()->first.empty())) {
      return std::nullopt;
    }
    made.push_back(apart->empty() ? 0 : apart->begin()->second);
  }
  // Relative to the least: by what the first is ahead of it.
  const auto count = static_cast<std::uint32_t>(made.size());
  for (std::uint32_t ahead = 0; ahead < count; ++ahead) {
    std::vector<std::uint32_t> shifted = made;
    for (std::uint32_t& place : shifted) place += ahead;
    std::vector<std::uint32_t> sorted = shifted;
    std::ranges::sort(sorted);
    bool whole = true;
    for (std::uint32_t i = 0; i < count; ++i) whole = whole && sorted[i] == i;
    if (whole) return shifted;
  }
  return std::nullopt;
}

bool loads_from(const Stmt& stmt, const std::string& buffer) {
  return any_expr(stmt, [&](const Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    return load != nullptr && load->buffer == buffer;
  });
}

// The first statements, if each stores a scalar to one buffer that none of them reads, with the
// items as far apart as there are stores.
std::vector<const ir::Store*> record(std::span<const Stmt> stmts, const Lanes& lanes) {
  const auto* first = stmts.empty() ? nullptr : ir::as<ir::Store>(stmts.front());
  if (first == nullptr || lanes.form_of_buffer(first->buffer)) return {};
  const auto gap = lanes.gap(first->index);
  if (!gap || stmts.size() < *gap) return {};
  std::vector<const ir::Store*> made;
  for (const Stmt& stmt : stmts.first(*gap)) {
    const auto* store = ir::as<ir::Store>(stmt);
    const bool fits = store != nullptr && store->buffer == first->buffer &&
                      store->value.type().lanes == 1 && lanes.gap(store->index) == gap &&
                      !loads_from(stmt, first->buffer);
    if (!fits) return {};
    made.push_back(store);
  }
  return made;
}

// The loads that the first statements name, if they are as many of one buffer as its items are
// apart.
std::vector<Expr> named_parts(std::span<const Stmt> stmts, const Lanes& lanes) {
  std::vector<Expr> made;
  for (const Stmt& stmt : stmts) {
    const auto* let = ir::as<ir::Let>(stmt);
    const auto gap = let == nullptr || let->is_mutable ? std::nullopt : gap_of(let->value, lanes);
    if (!gap) return {};
    const std::string& buffer = ir::as<ir::Load>(let->value)->buffer;
    if (!made.empty() && buffer != ir::as<ir::Load>(made[0])->buffer) return {};
    made.push_back(let->value);
    if (made.size() == *gap) return made;
  }
  return {};
}

// A vector of memory that begins so far after the first item's element.
Expr piece_of(const Expr& expr, std::uint32_t after, std::uint32_t length, const Lanes& lanes,
              ir::Names& names, Block& into) {
  const ir::Load& load = *ir::as<ir::Load>(expr);
  const Expr at = plus(lanes.item(load.index, 0U), ir::literal(after));
  const auto count = static_cast<std::uint8_t>(length);
  return named(ir::Load{load.buffer, load.element, at, count}, load.buffer, names, into);
}

bool is_long(std::size_t elements, const Lanes& lanes) {
  return is_long_record(static_cast<std::uint32_t>(elements), lanes.options().width);
}

// The records one after the other, of a vector of each part.
std::vector<Expr> pieces_of(const std::vector<Expr>& parts, std::uint32_t width) {
  const auto count = static_cast<std::uint32_t>(parts.size());
  std::vector<Expr> made;
  for (std::uint32_t begin = 0; begin < count * width; begin += width) {
    ir::Vector piece;
    for (std::uint32_t e = begin; e < begin + width; ++e) {
      piece.lanes.push_back(ir::Lane{parts[e % count], static_cast<std::uint8_t>(e / count)});
    }
    made.push_back(std::move(piece));
  }
  return made;
}

}  // namespace

Block with_named_loads(const Block& body, const Lanes::Options& options, ir::Names& names) {
  if (options.constant_buffers.empty()) return body;
  return LoadNamer(body, options, names).block(body);
}

std::optional<Record> loaded_record(std::span<const Stmt> stmts, const Lanes& lanes,
                                    ir::Names& names, Block& into) {
  const auto loads = named_parts(stmts, lanes);
  if (loads.empty()) return std::nullopt;
  std::vector<Expr> indices;
  for (const Expr& load : loads) indices.push_back(ir::as<ir::Load>(load)->index);
  const auto order = places(indices);
  if (!order) return std::nullopt;
  Record made{.loads = loads, .places = *order, .pieces = {}};
  const auto first = static_cast<std::size_t>(std::ranges::find(*order, 0U) - order->begin());
  const auto count = static_cast<std::uint32_t>(loads.size());
  const std::uint32_t width = lanes.options().width;
  const std::uint32_t length = is_long(count, lanes) ? shuffled_lanes(width) : width;
  for (std::uint32_t after = 0; after < count * width; after += length) {
    made.pieces.push_back(piece_of(loads[first], after, length, lanes, names, into));
  }
  if (is_long(count, lanes)) made.parts = parts_of_records(made.pieces, count, names, into);
  return made;
}

// Pieces of its own follow each other, but for the last, which ends where the last item's element
// does.
std::optional<Expr> picked_load(const Expr& load, const std::optional<Record>& record,
                                const Lanes& lanes, ir::Names& names, Block& into) {
  const auto gap = gap_of(load, lanes);
  if (!gap) return std::nullopt;
  const std::uint32_t width = lanes.options().width;
  ir::Vector made;
  const auto pick = [&](const Expr& piece, std::uint32_t lane) {
    made.lanes.push_back(ir::Lane{piece, static_cast<std::uint8_t>(lane)});
  };
  const auto known = record ? std::ranges::find(record->loads, load) - record->loads.begin() : 0;
  if (record && static_cast<std::size_t>(known) < record->loads.size()) {
    const std::uint32_t place = record->places[static_cast<std::size_t>(known)];
    if (!record->parts.empty()) return record->parts[place];
    for (std::uint32_t e = place; e < width * *gap; e += *gap) {
      pick(record->pieces[e / width], e % width);
    }
    return made;
  }
  if (!is_gap(*gap, width)) return std::nullopt;
  const std::uint32_t last = *gap * (width - 1) + 1 - width;
  std::vector<Expr> pieces;
  for (std::uint32_t i = 0; i < *gap; ++i) {
    pieces.push_back(piece_of(load, std::min(i * width, last), width, lanes, names, into));
  }
  for (std::uint32_t e = 0; e < width * *gap; e += *gap) {
    pick(pieces[e / width], e - std::min(e / width * width, last));
  }
  return made;
}

std::size_t interleaved_stores(std::span<const Stmt> stmts, const Lanes& lanes, ir::Names& names,
                               Block& into) {
  const auto stores = record(stmts, lanes);
  if (stores.empty()) return 0;
  std::vector<Expr> indices;
  for (const ir::Store* store : stores) indices.push_back(store->index);
  const auto order = places(indices);
  if (!order) return 0;
  const auto count = static_cast<std::uint32_t>(stores.size());
  std::vector<Expr> parts(count);
  Expr first;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t place = (*order)[i];
    parts[place] = named(lanes.wide(stores[i]->value), "part", names, into);
    if (place == 0) first = lanes.item(stores[i]->index, 0U);
  }
  const auto pieces = is_long(count, lanes) ? records_of_parts(parts, names, into)
                                            : pieces_of(parts, lanes.options().width);
  std::uint32_t stored = 0;
  for (const Expr& piece : pieces) {
    const Expr at = plus(first, ir::literal(stored));
    into.push_back({ir::Store{stores.front()->buffer, at, piece}});
    stored += piece.type().lanes;
  }
  return count;
}

}  // namespace vyre::schedule
