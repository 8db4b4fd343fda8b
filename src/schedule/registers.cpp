#include "schedule/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>

#include "ir/fold.h"
#include "ir/names.h"
#include "ir/rewrite.h"
#include "ir/visit.h"
#include "schedule/loop_lanes.h"
#include "schedule/loops.h"
#include "schedule/space_maker.h"
#include "schedule/split_sums.h"
#include "schedule/unroll.h"

namespace vyre::schedule {
namespace {

using ir::Block;
using ir::Expr;
using ir::For;
using ir::Stmt;

constexpr std::uint64_t most_trips = 64;

// The loop's variable and what is computed from it in the loop, bounds of loops inside included.
ir::NameSet that_follow(const For& loop) {
  ir::NameSet names = {loop.name};
  const auto follow = [&](const std::string& name, const Expr& value) {
    if (ir::mentions(value, names)) names.insert(name);
  };
  for_each_stmt(loop.body, [&](const Stmt& stmt) {
    if (const auto* let = ir::as<ir::Let>(stmt)) follow(let->name, let->value);
    if (const auto* assign = ir::as<ir::Assign>(stmt)) follow(assign->name, assign->value);
    if (const auto* inner = ir::as<For>(stmt)) {
      follow(inner->name, inner->begin);
      follow(inner->name, inner->end);
    }
  });
  return names;
}

// Whether some access to one of these buffers is at a place of which the test holds.
template <class Test>
bool any_place(const Block& body, const ir::NameSet& buffers, const Test& test) {
  return ir::any_expr(body,
                      [&](const Expr& e) {
                        const auto* load = ir::as<ir::Load>(e);
                        return load != nullptr && buffers.contains(load->buffer) &&
                               test(load->index);
                      }) ||
         ir::any_stmt(body, [&](const Stmt& stmt) {
           const auto* store = ir::as<ir::Store>(stmt);
           return store != nullptr && buffers.contains(store->buffer) && test(store->index);
         });
}

class Writer {
 public:
  explicit Writer(const ir::Program& program)
      : names_(program), arrays_(ir::private_names(program)) {}

  Block block(const Block& body) {
    Block made;
    for (const Stmt& stmt : body) {
      const Stmt read = with_literals(stmt);
      if (!names_literal(read)) statement(read, made);
    }
    return made;
  }
  // Statements that took the place of loops.
  [[nodiscard]] std::size_t written() const { return written_; }
  [[nodiscard]] bool is_too_long() const { return written_ > max_statements; }

 private:
  // Names of literals are read through: what they choose is then as literal as what the variable
  // of a loop does.
  bool names_literal(const Stmt& stmt) {
    const auto* let = ir::as<ir::Let>(stmt);
    if (let == nullptr || let->is_mutable || !ir::literal_bits(let->value)) return false;
    literals_.emplace(let->name, let->value);
    return true;
  }

  [[nodiscard]] Stmt with_literals(const Stmt& stmt) const {
    if (literals_.empty()) return stmt;
    return ir::replaced(stmt, [&](const Expr& e) -> std::optional<Expr> {
      const auto* var = ir::as<ir::Var>(e);
      const auto found = var == nullptr ? literals_.end() : literals_.find(var->name);
      return found == literals_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  void statement(const Stmt& stmt, Block& into) {
    const auto* loop = ir::as<For>(stmt);
    const auto count = loop == nullptr ? std::nullopt : few_trips(*loop);
    if (!count) {
      into.push_back(with_blocks(stmt, [&](const Block& inner) { return block(inner); }));
      return;
    }
    const std::uint32_t step = *ir::literal_bits(loop->step);
    for (std::uint32_t i = 0; i < *count && !is_too_long(); ++i) iteration(*loop, i * step, into);
  }

  void iteration(const For& loop, std::uint32_t offset, Block& into) {
    const Expr value = plus(loop.begin, ir::integer(offset, loop.begin.type().scalar));
    const Block once = copy_of(with_var(loop.body, loop.name, value), names_);
    written_ += statement_count(once);
    const Block made = block(once);
    into.insert(into.end(), made.begin(), made.end());
  }

  // Nothing where the loop stays.
  [[nodiscard]] std::optional<std::uint32_t> few_trips(const For& loop) const {
    const auto count = trips(loop);
    if (!count || *count > most_trips || !ir::literal_bits(loop.step)) return {};
    const ir::NameSet names = that_follow(loop);
    const bool chooses = any_place(loop.body, arrays_,
                                   [&](const Expr& index) { return ir::mentions(index, names); });
    if (!chooses) return {};
    return static_cast<std::uint32_t>(*count);
  }

  ir::Names names_;
  ir::NameSet arrays_;
  std::unordered_map<std::string, Expr> literals_;
  std::size_t written_ = 0;
};

bool is_in_registers(const ir::Program& program, const std::string& array) {
  return !any_place(program.body, {array},
                    [](const Expr& index) { return !ir::literal_bits(index).has_value(); });
}

// An array that is in memory now and would be in registers then.
bool gains(const ir::Program& before, const ir::Program& after) {
  const ir::NameSet arrays = ir::private_names(before);
  return std::ranges::any_of(arrays, [&](const std::string& array) {
    return !is_in_registers(before, array) && is_in_registers(after, array);
  });
}

constexpr std::array registers_parameters = {
    Parameter{registers_name, "1: loops through small private arrays are written out", 0}};

// Where no loop is left that the step could take, it would be refused.
void exclude_if_refused(SpaceMaker& space, const ir::Program& made, const Step& step) {
  const std::string_view name = step.parameters.front().name;
  const auto* parameter = space.find(name);
  if (parameter == nullptr) return;
  Schedule schedule;
  const std::uint32_t initial = schedule[name];
  schedule.set(name, static_cast<std::uint32_t>(std::get<std::int64_t>(parameter->values[1])));
  if (step.apply(made, schedule)) return;
  space.constraint(fmt::format("{} == 0 or {} == {}", registers_name, name, initial));
}

void declare_registers(SpaceMaker& space) {
  constexpr std::size_t most_statements = 1024;  // more takes compilers too long
  const auto made = in_registers(space.program());
  if (!made || statement_count(made->body) > most_statements) return;
  if (!gains(space.program(), *made)) return;
  space.parameter(registers_name, std::array{0U, 1U});
  exclude_parts(space, registers_name);
  for (const Step* step : {&loop_lanes_step, &unroll_step}) exclude_if_refused(space, *made, *step);
  space.note_body(statement_count(made->body));
}

Result<ir::Program> take_registers(const ir::Program& program, const Schedule& schedule) {
  return schedule[registers_name] == 0 ? program : in_registers(program);
}

// Registers are few: vectors that leave room for some more.
constexpr std::array<std::string_view, 1> registers_guesses = {"vector=8 registers=1"};

}  // namespace

constinit const Step registers_step = {.parameters = registers_parameters,
                                       .declare = declare_registers,
                                       .apply = take_registers,
                                       .guesses = registers_guesses,
                                       .favoured = 1U};

Result<ir::Program> in_registers(const ir::Program& program) {
  constexpr std::string_view what = "keep private arrays in registers";
  if (auto fine = check_one_stage(program, what); !fine) return Unexpected(fine.error());
  ir::Program made = ir::with_unique_names(program);
  if (ir::private_names(made).empty()) return refuse(what, "there are none");
  Writer writer(made);
  made.body = writer.block(made.body);
  if (writer.is_too_long()) return refuse(what, "the program would be too long");
  if (writer.written() == 0) return refuse(what, "no short loop decides what is accessed in them");
  return finished(std::move(made), what);
}

}  // namespace vyre::schedule
