#include "schedule/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "ir/definitions.h"
#include "ir/facts.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/stride.h"
#include "ir/varying.h"
#include "ir/visit.h"
#include "schedule/loops.h"
#include "schedule/settings.h"

namespace vyre::schedule {
namespace {

using Values = decltype(Features::values);

std::optional<std::size_t> find_feature(std::string_view name) {
  const auto* found = std::ranges::find(feature_table, name, &Feature::name);
  if (found == feature_table.end()) return std::nullopt;
  return static_cast<std::size_t>(found - feature_table.begin());
}

double number(std::uint64_t value) { return static_cast<double>(value); }
double log_of(double value) { return std::log2(std::max(value, 1.0)); }

// Accesses of one kind, counted in the text.
struct Accesses {
  std::size_t all = 0;
  std::size_t contiguous = 0;  // in x
  std::size_t uniform = 0;     // in x
  std::size_t shared = 0;      // the same in y
  std::size_t along = 0;       // contiguous along the innermost loop that they are in
  std::size_t clamped = 0;     // at an index with a minimum, maximum, remainder or choice

  [[nodiscard]] double share(std::size_t some) const {
    return all == 0 ? 0 : number(some) / number(all);
  }
};

// How the indices of a program's accesses go from one invocation to the next.
class Accessed {
 public:
  explicit Accessed(ir::Program program)
      : program_(ir::with_unique_names(std::move(program))),
        private_(ir::private_names(program_)),
        in_x_(program_.body, 0, private_),
        in_y_(program_.body, 1, private_),
        strides_(program_.body, in_x_),
        definitions_(program_.body) {
    for_each_expr(program_.body, [&](const ir::Expr& expr) {
      const auto* load = ir::as<ir::Load>(expr);
      if (load != nullptr && is_memory(load->buffer)) count(loads, load->index, load->lanes);
    });
    for_each_stmt(program_.body, [&](const ir::Stmt& stmt) {
      const auto* loop = ir::as<ir::For>(stmt);
      if (loop != nullptr && !has_loop(loop->body)) loads.along += along(*loop);
    });
    for_each_stmt(program_.body, [&](const ir::Stmt& stmt) {
      match(
          stmt,
          [&](const ir::Store& s) {
            if (is_memory(s.buffer)) count(stores, s.index, s.value.type().lanes);
          },
          [&](const ir::AtomicAdd& s) { count(atomics, s.index, 1); }, [](const auto&) {});
    });
  }

  Accesses loads;
  Accesses stores;
  Accesses atomics;

 private:
  void count(Accesses& into, const ir::Expr& index, std::uint32_t lanes) const {
    ++into.all;
    if (strides_.is(index, lanes)) ++into.contiguous;
    if (!in_x_.varies(index)) ++into.uniform;
    if (!in_y_.varies(index)) ++into.shared;
    if (is_clamped(definitions_.expanded(index))) ++into.clamped;
  }

  static bool is_clamped(const ir::Expr& index) {
    return any_expr(index, [](const ir::Expr& e) {
      const auto* node = ir::as<ir::Binary>(e);
      if (node == nullptr) return ir::is<ir::Select>(e);
      using enum ir::BinaryOp;
      return node->op == min || node->op == max || node->op == rem;
    });
  }

  [[nodiscard]] bool is_memory(const std::string& buffer) const {
    return !private_.contains(buffer);
  }

  [[nodiscard]] std::size_t along(const ir::For& loop) const {
    const ir::Varying varying(loop.body, ir::NameSet{loop.name});
    const ir::Strides strides(loop.body, varying, ir::Var{loop.name, loop.begin.type()});
    std::size_t neighbours = 0;
    for_each_expr(loop.body, [&](const ir::Expr& expr) {
      const auto* load = ir::as<ir::Load>(expr);
      if (load == nullptr || !is_memory(load->buffer)) return;
      if (strides.is(load->index, 1)) ++neighbours;
    });
    return neighbours;
  }

  ir::Program program_;
  ir::NameSet private_;
  ir::Varying in_x_;
  ir::Varying in_y_;
  ir::Strides strides_;
  ir::Definitions definitions_;
};

Result<std::uint64_t> buffer_bytes(const ir::Program& program, const ir::Uniforms& uniforms) {
  std::uint64_t bytes = 0;
  for (const ir::Buffer& buffer : program.buffers) {
    const auto count = ir::evaluate_size(program, buffer.count, uniforms);
    if (!count) return Unexpected(count.error());
    if (buffer.memory == ir::Memory::global) bytes += *count * storage_bytes(buffer.element);
  }
  return bytes;
}

// In the order of the table.
Values values_of(const ir::Facts& facts, const Shape& shape, double bytes, const Accessed& seen,
                 bool reassociate) {
  const double each = number(facts.invocations);
  const double accesses = number(facts.loads + facts.stores + 2 * facts.atomics);
  const double moved = number(facts.global_bytes_read + facts.global_bytes_written);
  const double operations = number(facts.float_ops + facts.integer_ops + facts.special_ops);
  return {
      log_of(each),
      log_of(shape.grid[0]),
      log_of(shape.grid[1]),
      log_of(shape.grid[2]),
      number(facts.loops),
      log_of(1 + number(facts.loads) / each),
      log_of(moved / std::max(bytes, 1.0)),
      log_of(1 + operations / std::max(accesses, 1.0)),
      log_of(1 + number(facts.special_ops) / each),
      log_of(1 + number(facts.atomics) / each),
      seen.atomics.share(seen.atomics.uniform),
      seen.loads.share(seen.loads.contiguous),
      seen.loads.share(seen.loads.uniform),
      shape.grid[1] == 1 ? 0 : seen.loads.share(seen.loads.shared),
      seen.stores.share(seen.stores.contiguous),
      number(facts.divergent),
      seen.loads.share(seen.loads.along),
      seen.loads.share(seen.loads.clamped),
      reassociate ? 1.0 : 0.0,
  };
}

Result<double> parse_number(const Setting& setting) {
  double value = 0;
  const std::string_view text = setting.value;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  if (whole && std::isfinite(value)) return value;
  return fail(ErrorKind::input,
              fmt::format("the feature {} is '{}', not a number", setting.name, setting.value));
}

}  // namespace

double Features::operator[](std::string_view name) const {
  const auto at = find_feature(name);
  check(at.has_value(), "features are asked for by their names");
  return values[*at];
}

Result<Features> features(const ir::Program& program, const ir::Uniforms& uniforms) {
  const auto shape = ir::launch_shape(program, uniforms);
  if (!shape) return Unexpected(shape.error());
  const auto facts = ir::facts(program, uniforms);
  if (!facts) return Unexpected(facts.error());
  const auto bytes = buffer_bytes(program, uniforms);
  if (!bytes) return Unexpected(bytes.error());
  Features made{values_of(*facts, *shape, number(*bytes), Accessed(program), program.reassociate)};
  for (double& value : made.values) value = std::round(value * 1000) / 1000;
  return made;
}

double distance(const Features& left, const Features& right) {
  double sum = 0;
  for (std::size_t i = 0; i < feature_table.size(); ++i) {
    const double apart = feature_table[i].weight * (left.values[i] - right.values[i]);
    sum += apart * apart;
  }
  return std::sqrt(sum);
}

std::string to_string(const Features& features) {
  std::string text;
  for (std::size_t i = 0; i < feature_table.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", feature_table[i].name, features.values[i]);
  }
  return text;
}

Result<Features> parse_features(std::string_view text) {
  const auto settings = parse_settings(text);
  if (!settings) return Unexpected(settings.error());
  Features made;
  std::array<bool, feature_table.size()> given = {};
  for (const Setting& setting : *settings) {
    const auto at = find_feature(setting.name);
    if (!at || given[*at]) {
      return fail(ErrorKind::input,
                  fmt::format("'{}' is no feature, or given twice", setting.name));
    }
    const auto value = parse_number(setting);
    if (!value) return Unexpected(value.error());
    made.values[*at] = *value;
    given[*at] = true;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i]) continue;
    return fail(ErrorKind::input, fmt::format("the feature {} is missing", feature_table[i].name));
  }
  return made;
}

}  // namespace vyre::schedule
