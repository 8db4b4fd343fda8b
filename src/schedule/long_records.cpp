#include "schedule/long_records.h"

#include <algorithm>
#include <span>

#include "schedule/loops.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using Vectors = std::vector<Expr>;

class Shuffler {
 public:
  Shuffler(ir::Names& names, Block& into) : names_(names), into_(into) {}

  // Of a row of elements that is in these vectors, every n-th, from each of the first n on.
  Vectors apart(const Vectors& row) {
    if (row.size() == 1) return row;
    Vectors even;
    Vectors odd;
    for (std::size_t i = 0; i < row.size(); i += 2) {
      even.push_back(alternate(row[i], row[i + 1], 0));
      odd.push_back(alternate(row[i], row[i + 1], 1));
    }
    const Vectors first = apart(even);  // in this order, whatever the compiler
    return in_turns(first, apart(odd));
  }

  // The row again.
  Vectors together(const Vectors& parts) {
    if (parts.size() == 1) return parts;
    const Vectors even = together(every_second(parts, 0));
    const Vectors odd = together(every_second(parts, 1));
    Vectors row;
    for (std::size_t i = 0; i < even.size(); ++i) {
      const std::uint8_t half = even[i].type().lanes / 2;
      row.push_back(zipped(even[i], odd[i], 0));
      row.push_back(zipped(even[i], odd[i], half));
    }
    return row;
  }

 private:
  static Vectors in_turns(const Vectors& even, const Vectors& odd) {
    Vectors made;
    for (std::size_t i = 0; i < even.size(); ++i) {
      made.push_back(even[i]);
      made.push_back(odd[i]);
    }
    return made;
  }

  static Vectors every_second(const Vectors& of, std::size_t first) {
    Vectors made;
    for (std::size_t i = first; i < of.size(); i += 2) made.push_back(of[i]);
    return made;
  }

  Expr alternate(const Expr& a, const Expr& b, std::uint8_t first) {
    ir::Vector made;
    for (const Expr& from : {a, b}) {
      for (std::uint8_t l = first; l < a.type().lanes; l += 2) {
        made.lanes.push_back(ir::Lane{from, l});
      }
    }
    return named(std::move(made), "turn", names_, into_);
  }

  Expr zipped(const Expr& a, const Expr& b, std::uint8_t first) {
    ir::Vector made;
    for (std::uint8_t l = first; l < first + a.type().lanes / 2; ++l) {
      made.lanes.push_back(ir::Lane{a, l});
      made.lanes.push_back(ir::Lane{b, l});
    }
    return named(std::move(made), "turn", names_, into_);
  }

  ir::Names& names_;
  Block& into_;
};

// Of vectors shorter than a record, several make one: they are shuffled apart from each other.
std::size_t vectors_of_record(std::span<const Expr> all) {
  return std::max<std::size_t>(1, all.size() / all.front().type().lanes);
}

Vectors parts_of(std::span<const Expr> pieces, Shuffler& shuffler) {
  const std::size_t apart = vectors_of_record(pieces);
  Vectors made;
  for (std::size_t first = 0; first < apart; ++first) {
    Vectors row;
    for (std::size_t i = first; i < pieces.size(); i += apart) row.push_back(pieces[i]);
    const Vectors parts = shuffler.apart(row);
    made.insert(made.end(), parts.begin(), parts.end());
  }
  return made;
}

Vectors pieces_of(std::span<const Expr> parts, Shuffler& shuffler) {
  const std::size_t apart = vectors_of_record(parts);
  const std::size_t length = parts.size() / apart;
  Vectors made(parts.size());
  for (std::size_t first = 0; first < apart; ++first) {
    const auto some = parts.subspan(first * length, length);
    const Vectors row = shuffler.together({some.begin(), some.end()});
    for (std::size_t i = 0; i < row.size(); ++i) made[first + i * apart] = row[i];
  }
  return made;
}

void add_lanes(const Expr& of, std::uint32_t first, std::uint32_t count, ir::Vector& to) {
  for (std::uint32_t l = first; l < first + count; ++l) {
    to.lanes.push_back(ir::Lane{of, static_cast<std::uint8_t>(l)});
  }
}

}  // namespace

Vectors parts_of_records(const Vectors& pieces, std::uint32_t elements, ir::Names& names,
                         Block& into) {
  Shuffler shuffler(names, into);
  std::vector<Vectors> of_some_items;
  for (std::size_t first = 0; first < pieces.size(); first += elements) {
    of_some_items.push_back(parts_of(std::span(pieces).subspan(first, elements), shuffler));
  }
  if (of_some_items.size() == 1) return of_some_items.front();
  Vectors made;
  for (std::uint32_t part = 0; part < elements; ++part) {
    ir::Vector of_all;
    for (const Vectors& some : of_some_items) {
      add_lanes(some[part], 0, some[part].type().lanes, of_all);
    }
    made.push_back(std::move(of_all));
  }
  return made;
}

Vectors records_of_parts(const Vectors& parts, ir::Names& names, Block& into) {
  Shuffler shuffler(names, into);
  const std::uint32_t width = parts.front().type().lanes;
  const std::uint32_t some = shuffled_lanes(width);
  Vectors made;
  for (std::uint32_t first = 0; first < width; first += some) {
    Vectors of_some_items;
    for (const Expr& part : parts) {
      ir::Vector lanes;
      add_lanes(part, first, some, lanes);
      of_some_items.push_back(width == some ? part : named(lanes, "some", names, into));
    }
    const Vectors pieces = pieces_of(of_some_items, shuffler);
    made.insert(made.end(), pieces.begin(), pieces.end());
  }
  return made;
}

}  // namespace vyre::schedule
