#include "schedule/halo_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/polynomial.h"
#include "ir/visit.h"
#include "schedule/loops.h"
#include "schedule/step.h"

namespace vyre::schedule {
namespace {

using ir::Expr;
using ir::Monomial;
using ir::Polynomial;

constexpr std::int64_t widest = 64;  // of shifts in a dimension
constexpr std::array<std::string_view, 3> own_ids = {"invocation.x", "invocation.y",
                                                     "invocation.z"};

// The values of a loop's variable.
struct LoopValues {
  std::int64_t least = 0, most = 0;
};

// A shift as a sum: of a literal, under "", and of loop variables.
using Shift = std::map<std::string, std::int64_t>;

// An index: the stride of each id, a polynomial of uniforms, and how far each is shifted.
struct Shifted {
  std::array<Polynomial, 3> strides;
  std::array<Shift, 3> shifts;
};

// The term with the most names.
const Polynomial::value_type& leading(const Polynomial& stride) {
  return *std::ranges::max_element(stride, {}, [](auto& term) { return term.first.size(); });
}

class HaloPlanner {
 public:
  HaloPlanner(const ir::Program& program, std::string_view what) : program_(program), what_(what) {
    for_each_stmt(program.body, [&](const ir::Stmt& stmt) {
      const auto* let = ir::as<ir::Let>(stmt);
      if (let != nullptr && !let->is_mutable) lets_.emplace(let->name, let->value);
      if (const auto* loop = ir::as<ir::For>(stmt)) know(*loop);
    });
  }

  Result<std::vector<HaloTile>> run() {
    for_each_expr(program_.body, [&](const Expr& e) { consider(e); });
    std::vector<HaloTile> made;
    for (Candidate& one : candidates_) {
      if (is_worth_it(one.tile)) made.push_back(std::move(one.tile));
    }
    if (!made.empty()) return made;
    return refuse(what_, "no buffer is loaded from at places around the invocation's own");
  }

 private:
  struct Candidate {
    std::array<Polynomial, 3> strides;
    HaloTile tile;
  };

  void know(const ir::For& loop) {
    const auto count = trips(loop);
    if (!count || *count == 0 || loop.begin.type() != ir::Type{Scalar::u32}) return;
    const std::int64_t begin = *literal_bits(loop.begin);
    const std::int64_t step = *literal_bits(loop.step);
    const std::int64_t last = begin + static_cast<std::int64_t>(*count - 1) * step;
    if (last <= widest) loops_[loop.name] = {begin, last};
  }

  void consider(const Expr& e) {
    const auto* load = ir::as<ir::Load>(e);
    if (load == nullptr || load->lanes != 1) return;
    const ir::Buffer& buffer = *find_buffer(program_, load->buffer);
    if (buffer.access != Access::read) return;
    const auto index = polynomial_of(load->index, [&](const std::string& name) {
      const auto found = lets_.find(name);
      return found == lets_.end() ? std::nullopt : std::optional(found->second);
    });
    const auto shifted = index ? shifted_index(*index) : std::nullopt;
    if (shifted) add(e, buffer, *shifted);
  }

  // Nothing where a stride is not made of uniforms, or something is left over.
  [[nodiscard]] std::optional<Shifted> shifted_index(Polynomial index) const {
    Shifted made;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      if (!take_stride(index, std::string(own_ids[dim]), made.strides[dim])) return std::nullopt;
    }
    // Strides of more names first: what is left over by `w` may be a shift by 1.
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t dim) {
      if (made.strides[dim].empty()) return std::pair(0UL, 0U);
      const auto& [names, factor] = leading(made.strides[dim]);
      return std::pair(names.size(), factor);
    });
    for (const std::size_t dim : order) {
      if (!made.strides[dim].empty()) take_shifts(index, made.strides[dim], made.shifts[dim]);
    }
    return index.empty() ? std::optional(made) : std::nullopt;
  }

  // The terms that have the id.
  bool take_stride(Polynomial& index, const std::string& id, Polynomial& stride) const {
    for (auto term = index.begin(); term != index.end();) {
      const auto names = ir::without(term->first, {id});
      if (!names) {
        ++term;
        continue;
      }
      if (!are_uniforms(program_, *names)) return false;
      stride.emplace(*names, term->second);
      term = index.erase(term);
    }
    return true;
  }

  // Division with remainder: multiples of the stride, alone or times a loop's variable.
  void take_shifts(Polynomial& index, const Polynomial& stride, Shift& shift) const {
    constexpr int most_divisions = 64;
    for (int i = 0; i < most_divisions; ++i) {
      if (!take_shift(index, stride, shift)) return;
    }
  }

  bool take_shift(Polynomial& index, const Polynomial& stride, Shift& shift) const {
    const auto& [names, factor] = leading(stride);
    for (const auto& [monomial, value] : index) {
      const auto rest = ir::without(monomial, names);
      const bool is_known =
          rest && (rest->empty() || (rest->size() == 1 && loops_.contains(rest->front())));
      const std::int64_t often = is_known ? nearest(value, factor) : 0;
      if (often == 0) continue;
      shift[rest->empty() ? "" : rest->front()] += often;
      ir::add_product(index, stride, *rest, 0U - static_cast<std::uint32_t>(often));
      return true;
    }
    return false;
  }

  // How often the factor goes into a value that may be negative, rounded to the nearest.
  static std::int64_t nearest(std::uint32_t value, std::uint32_t factor) {
    const std::int64_t number = static_cast<std::int32_t>(value);
    const std::int64_t by = static_cast<std::int32_t>(factor);
    if (by <= 0) return 0;
    return (number >= 0 ? number + by / 2 : number - by / 2) / by;
  }

  void add(const Expr& load, const ir::Buffer& buffer, const Shifted& shifted) {
    std::array<LoopValues, 3> ranges;
    for (std::size_t dim = 0; dim < 3; ++dim) {
      ranges[dim] = range_of(shifted.shifts[dim]);
      if (ranges[dim].least < -widest || ranges[dim].most > widest) return;
    }
    HaloTile& tile = tile_of(buffer, shifted);
    if (std::ranges::find(tile.taps, load, &Tap::load) != tile.taps.end()) return;
    const bool is_first = tile.taps.empty();
    Tap tap{.load = load, .shifts = {}};
    for (std::size_t dim = 0; dim < 3; ++dim) {
      tap.shifts[dim] = expression_of(shifted.shifts[dim]);
      const auto [least, most] = ranges[dim];
      tile.least[dim] = is_first ? least : std::min(tile.least[dim], least);
      tile.most[dim] = is_first ? most : std::max(tile.most[dim], most);
    }
    tile.taps.push_back(std::move(tap));
  }

  HaloTile& tile_of(const ir::Buffer& buffer, const Shifted& shifted) {
    for (Candidate& one : candidates_) {
      if (one.tile.buffer == buffer.name && one.strides == shifted.strides) return one.tile;
    }
    HaloTile tile{.buffer = buffer.name, .element = buffer.element, .count = buffer.count};
    for (std::size_t dim = 0; dim < 3; ++dim) {
      const Polynomial& stride = shifted.strides[dim];
      if (!stride.empty()) tile.strides[dim] = ir::expression_of(stride);
    }
    return candidates_.emplace_back(shifted.strides, std::move(tile)).tile;
  }

  [[nodiscard]] LoopValues range_of(const Shift& shift) const {
    LoopValues made;
    for (const auto& [name, factor] : shift) {
      const LoopValues values = name.empty() ? LoopValues{1, 1} : loops_.at(name);
      made.least += factor * (factor > 0 ? values.least : values.most);
      made.most += factor * (factor > 0 ? values.most : values.least);
    }
    return made;
  }

  static Expr expression_of(const Shift& shift) {
    Expr sum = ir::literal(0U);
    for (const auto& [name, factor] : shift) {
      const Expr times_it = ir::literal(static_cast<std::uint32_t>(factor));
      if (!name.empty()) sum = plus(sum, times(ir::Var{name, {Scalar::u32}}, times_it));
    }
    const auto constant = shift.find("");
    if (constant == shift.end()) return sum;
    return plus(sum, ir::literal(static_cast<std::uint32_t>(constant->second)));
  }

  static bool is_worth_it(const HaloTile& tile) { return tile.least != tile.most; }

  const ir::Program& program_;
  std::string_view what_;
  std::unordered_map<std::string, Expr> lets_;
  std::unordered_map<std::string, LoopValues> loops_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::uint32_t HaloTile::extent(std::size_t dim, const Extent& workgroup) const {
  if (!strides[dim]) return 1;
  return workgroup[dim] + static_cast<std::uint32_t>(most[dim] - least[dim]);
}

Result<std::vector<HaloTile>> plan_halo(const ir::Program& program, std::string_view what) {
  return HaloPlanner(program, what).run();
}

}  // namespace vyre::schedule
