#include "schedule/interleave.h"

#include <algorithm>
#include <vector>

#include "ir/fold.h"
#include "ir/polynomial.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
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
  if (!lanes.options().constants.contains(load->buffer)) return std::nullopt;
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

// By which element of the record each store goes, from 0; nothing where they are not all of one.
std::optional<std::vector<std::uint32_t>> places(const std::vector<const ir::Store*>& stores) {
  std::vector<std::uint32_t> made;
  const auto opaque = [](const std::string&) { return std::nullopt; };
  for (const ir::Store* store : stores) {
    const auto apart =
        polynomial_of(ir::Binary{ir::BinaryOp::sub, store->index, stores.front()->index}, opaque);
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

}  // namespace

Block with_named_loads(const Block& body, const Lanes::Options& options, ir::Names& names) {
  if (options.constants.empty()) return body;
  return LoadNamer(body, options, names).block(body);
}

// Pieces follow each other, but for the last, which ends where the last item's element does.
std::optional<Expr> picked_load(const Expr& expr, const Lanes& lanes, ir::Names& names,
                                Block& into) {
  const auto gap = gap_of(expr, lanes);
  if (!gap) return std::nullopt;
  const ir::Load& load = *ir::as<ir::Load>(expr);
  const std::uint32_t width = lanes.options().width;
  const std::uint32_t last = *gap * (width - 1) + 1 - width;
  const Expr first = lanes.item(load.index, 0U);
  std::vector<Expr> pieces;
  for (std::uint32_t i = 0; i < *gap; ++i) {
    const std::uint32_t begin = std::min(i * width, last);
    const Expr piece = ir::Load{load.buffer, load.element, plus(first, ir::literal(begin)),
                                static_cast<std::uint8_t>(width)};
    pieces.push_back(named(piece, load.buffer, names, into));
  }
  ir::Vector made;
  for (std::uint32_t l = 0; l < width; ++l) {
    const std::uint32_t place = l * *gap;
    const std::uint32_t piece = place / width;
    const std::uint32_t begin = std::min(piece * width, last);
    made.lanes.push_back(ir::Lane{pieces[piece], static_cast<std::uint8_t>(place - begin)});
  }
  return made;
}

std::size_t interleaved_stores(std::span<const Stmt> stmts, const Lanes& lanes, ir::Names& names,
                               Block& into) {
  const auto stores = record(stmts, lanes);
  if (stores.empty()) return 0;
  const auto order = places(stores);
  if (!order) return 0;
  const auto count = static_cast<std::uint32_t>(stores.size());
  std::vector<Expr> parts(count);
  Expr first;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t place = (*order)[i];
    parts[place] = named(lanes.wide(stores[i]->value), "part", names, into);
    if (place == 0) first = lanes.item(stores[i]->index, 0U);
  }
  const std::uint32_t width = lanes.options().width;
  for (std::uint32_t begin = 0; begin < count * width; begin += width) {
    ir::Vector piece;
    for (std::uint32_t e = begin; e < begin + width; ++e) {
      piece.lanes.push_back(ir::Lane{parts[e % count], static_cast<std::uint8_t>(e / count)});
    }
    into.push_back({ir::Store{stores.front()->buffer, plus(first, ir::literal(begin)), piece}});
  }
  return count;
}

}  // namespace vyre::schedule
