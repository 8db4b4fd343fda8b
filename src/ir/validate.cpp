// The rules for declarations and statements.
#include "ir/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/check_expr.h"
#include "ir/grouping.h"
#include "ir/visit.h"
#include "ir/words.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

class Validator {
 public:
  Validator(const Program& program, bool parsed)
      : program_(program),
        parsed_(parsed),
        exprs_(program, scope_, parsed,
               [this](std::string message, Place place) { report(std::move(message), place); }) {}

  Problems run() {
    if (const std::size_t all = program_.buffers.size() + program_.uniforms.size();
        all > max_declared) {
      report(fmt::format("the program has {} buffers and uniforms; at most {} are accepted: put "
                         "several into one buffer",
                         all, max_declared),
             {});
      return std::move(problems_);
    }
    declarations();
    block(program_.body, 0);
    for (const Stage& one : program_.then) stage(one);
    return std::move(problems_);
  }

 private:
  void report(std::string message, Place place) {
    if (problems_.size() >= max_problems) return;
    if (!place.known() && stmt_ != nullptr) place = stmt_->place;
    if (!place.known() && stmt_ != nullptr && !deep(*stmt_)) {
      message = fmt::format("in `{}`: {}", print_head(*stmt_), message);
    }
    problems_.push_back({ErrorKind::input, std::move(message), place});
  }

  static bool deep(const Stmt& stmt) {
    return any_operand(stmt, [](const Expr& e) { return e.depth() > max_nesting; });
  }

  void new_name(const std::string& name, Symbol what) {
    if (!is_name(name)) {
      report(
          fmt::format("'{}' cannot be a name: use letters, digits and _, at most 64, and no word "
                      "of the language",
                      name.substr(0, 80)),
          what.place);
      return;
    }
    std::optional<Place> before;
    if (const Symbol* symbol = scope_.find(name)) before = symbol->place;
    const Buffer* buffer = stmt_ != nullptr ? find_buffer(program_, name) : nullptr;
    if (buffer != nullptr) before = buffer->place;
    if (before) {
      report(fmt::format("'{}' is already declared{}", name,
                         before->known() ? fmt::format(" in line {}", before->line) : ""),
             what.place);
    }
    scope_.declare(name, what);
  }

  void declarations() {
    if (!is_name(program_.name)) {
      report(fmt::format("'{}' cannot be a program's name", program_.name.substr(0, 80)), {});
    }
    for (const Uniform& u : program_.uniforms) {
      new_name(u.name, {.type = {u.value.scalar}, .place = u.place});
      if (u.value.scalar != Scalar::unknown || !parsed_) exprs_.check(Expr(u.value, u.place));
    }
    for (std::size_t i = 0; i < program_.buffers.size(); ++i) buffer(i);
    for (const Expr& extent : program_.grid) size(extent);
    workgroup(program_.workgroup);
    other_workgroups();
    number_of_stages();
  }

  void stage(const Stage& one) {
    stmt_ = nullptr;
    for (const Expr& extent : one.grid) size(extent);
    workgroup(one.workgroup);
    block(one.body, 0);
  }

  void number_of_stages() {
    if (program_.then.size() >= max_stages) {
      report(fmt::format("the program has {} stages; at most {} are accepted",
                         program_.then.size() + 1, max_stages),
             {});
    }
    if (has_stages(program_) && !program_.other_workgroups.empty()) {
      report("a program with stages or scratch lists no other workgroups", {});
    }
  }

  void workgroup(const Extent& extents) {
    std::uint64_t invocations = 1;
    for (const std::uint32_t extent : extents) {
      invocations = std::min<std::uint64_t>(invocations * extent, 1ULL << 32U);
    }
    if (invocations == 0 || invocations > 1ULL << 31U) {
      report(fmt::format("a workgroup has 1 to 2^31 invocations, not {} x {} x {}", extents[0],
                         extents[1], extents[2]),
             {});
    }
  }

  void other_workgroups() {
    constexpr std::size_t most = 256;
    if (program_.other_workgroups.size() >= most) {
      return report(fmt::format("at most {} workgroups are listed", most), {});
    }
    std::vector<Extent> seen = {program_.workgroup};
    for (const Extent& other : program_.other_workgroups) {
      workgroup(other);
      if (std::ranges::find(seen, other) != seen.end()) {
        report(
            fmt::format("the workgroup {} x {} x {} is listed twice", other[0], other[1], other[2]),
            {});
      }
      seen.push_back(other);
    }
  }

  void buffer(std::size_t i) {
    const Buffer& b = program_.buffers[i];
    const Buffer* first = find_buffer(program_, b.name);
    if (!is_name(b.name)) {
      report(fmt::format("'{}' cannot be a buffer's name", b.name.substr(0, 80)), b.place);
    } else if (scope_.find(b.name) != nullptr || first != &b) {
      report(fmt::format("'{}' is already declared", b.name), b.place);
    }
    if (b.element == Scalar::unknown && !parsed_) {
      report(fmt::format("buffer '{}' has no element type", b.name), b.place);
    }
    if (b.memory != Memory::global && b.access != Access::read_write) {
      report(fmt::format("{} buffer '{}' must be read_write", word_of(b.memory), b.name), b.place);
    }
    if (b.nontemporal && (b.memory != Memory::global || b.access != Access::write)) {
      report(fmt::format("'{}' is nontemporal, which only a buffer that is `write` can be", b.name),
             b.place);
    }
    if (size(b.count) && b.memory == Memory::own) room_for_private(b);
    const bool outlives_group = b.memory == Memory::global || b.memory == Memory::scratch;
    const bool several = !program_.other_workgroups.empty() || !program_.then.empty();
    if (outlives_group && several && any_expr(b.count, is_group_id)) {
      report(
          fmt::format("the size of '{}' names the workgroup: a program that may have several has "
                      "results of one size",
                      b.name),
          b.place);
    }
  }

  static std::string_view word_of(Memory memory) {
    if (memory == Memory::scratch) return "scratch";
    return memory == Memory::shared ? "shared" : "private";
  }

  // At the uniforms' defaults; reported once, where it is too much.
  void room_for_private(const Buffer& b) {
    const auto count = evaluate_size(program_, b.count);
    if (!count || private_elements_ > max_private_elements) return;
    private_elements_ += *count;
    if (private_elements_ <= max_private_elements) return;
    report(fmt::format("with '{}', an invocation has {} elements of its own; at most {} are "
                       "accepted: make private buffers smaller, or use a buffer",
                       b.name, private_elements_, max_private_elements),
           b.place);
  }

  bool size(const Expr& expr) {
    if (!exprs_.check(expr)) return false;
    const std::string why = why_not_size(expr);
    if (!why.empty()) report(why, expr.place());
    return why.empty();
  }

  void block(const Block& body, std::uint32_t nesting) {
    if (nesting > max_nesting) {
      report(fmt::format("blocks are nested deeper than {}", max_nesting), {});
      return;
    }
    scope_.open();
    for (const Stmt& stmt : body) {
      if (problems_.size() >= max_problems) break;
      stmt_ = &stmt;
      std::visit([&](const auto& s) { statement(s, stmt.place, nesting); }, stmt.node);
    }
    scope_.close();
  }

  void statement(const Let& s, Place place, std::uint32_t) {
    const bool fine = exprs_.check(s.value);
    new_name(s.name, {fine ? s.value.type() : Type{}, s.is_mutable, place});
  }

  void statement(const Assign& s, Place place, std::uint32_t) {
    const bool fine = exprs_.check(s.value);
    const Symbol* symbol = scope_.find(s.name);
    if (symbol == nullptr) {
      const std::string_view like = scope_.nearest(s.name);
      report(fmt::format(
                 "unknown name '{}': {}", s.name,
                 like.empty() ? "declare it with var" : fmt::format("did you mean '{}'?", like)),
             place);
    } else if (!symbol->assignable) {
      report(fmt::format("'{}' cannot be assigned: declare it with var", s.name), place);
    } else if (fine && symbol->type.scalar != Scalar::unknown && symbol->type != s.value.type()) {
      report(fmt::format("'{}' is {} but the value is {}", s.name, to_string(symbol->type),
                         to_string(s.value.type())),
             place);
    }
  }

  void statement(const Store& s, Place place, std::uint32_t) {
    const Buffer* to = element(s.buffer, s.index, place);
    const bool fine = exprs_.check(s.value);
    if (to == nullptr) return;
    if (to->access == Access::read) {
      report(fmt::format("buffer '{}' is read only: declare it write or read_write", s.buffer),
             place);
    }
    const Scalar taken = value_type(to->element);
    if (fine && s.value.type().scalar != taken && taken != Scalar::unknown) {
      report(
          fmt::format("buffer '{}' holds {}{}, but the value is {}", s.buffer, name_of(to->element),
                      is_narrow(to->element) ? fmt::format(", stored from {}", name_of(taken)) : "",
                      to_string(s.value.type())),
          place);
    }
  }

  void statement(const AtomicAdd& s, Place place, std::uint32_t) {
    const Buffer* to = element(s.buffer, s.index, place);
    if (to == nullptr || to->element == Scalar::unknown) {
      exprs_.check(s.value);
      return;
    }
    if (to->memory == Memory::own) {
      report(fmt::format("'{0}' is private, so nobody else adds to it: write `{0}[...] += ...` "
                         "without atomic",
                         s.buffer),
             place);
    }
    if (to->access != Access::read_write) {
      report(fmt::format("an atomic reads and writes: declare buffer '{}' read_write", s.buffer),
             place);
    }
    if (!is_word(to->element) && to->element != Scalar::f32) {
      report(fmt::format("an atomic adds to u32, i32 or f32, but buffer '{}' holds {}", s.buffer,
                         name_of(to->element)),
             place);
      return;
    }
    if (to->element == Scalar::f32 && !program_.reassociate) {
      report(
          "a sum of floats depends on the order of atomic additions, which is any: say that it "
          "does not matter by a line 'reassociate' among the declarations",
          place);
    }
    exprs_.check_is(s.value, Type{to->element}, "the value added");
  }

  void statement(const If& s, Place, std::uint32_t nesting) {
    exprs_.check_is(s.cond, Type{Scalar::boolean}, "a condition");
    block(s.then, nesting + 1);
    block(s.otherwise, nesting + 1);
  }

  void statement(const While& s, Place, std::uint32_t nesting) {
    exprs_.check_is(s.cond, Type{Scalar::boolean}, "a condition");
    loop_body(s.body, nesting, Loop::of_while);
  }

  void statement(const Break&, Place place, std::uint32_t) {
    if (loop_ == Loop::of_while) return;
    report(loop_ == Loop::none
               ? "there is no while around this break: write the rest of the body into an `if`"
               : "a break leaves a while, and this is in a for: write the for as a while, or the "
                 "rest of its body into an `if`",
           place);
  }

  void statement(const For& s, Place place, std::uint32_t nesting) {
    bool fine = true;
    for (const Expr* e : {&s.begin, &s.end, &s.step}) fine = exprs_.check(*e) && fine;
    const Type type = s.begin.type();
    if (fine && (!is_word(type.scalar) || type.lanes != 1 || s.end.type() != type ||
                 s.step.type() != type)) {
      report(fmt::format(
                 "a loop counts in one type, u32 or i32, but its values are {}, {} and step {}",
                 to_string(type), to_string(s.end.type()), to_string(s.step.type())),
             place);
    }
    if (const auto* step = as<Literal>(s.step); step != nullptr && step->bits == 0) {
      report("a loop with step 0 never ends", s.step.place());
    }
    scope_.open();
    new_name(s.name, {.type = fine ? type : Type{}, .place = place});
    loop_body(s.body, nesting, Loop::of_for);
    scope_.close();
  }

  void statement(const Barrier&, Place, std::uint32_t) {}

  void statement(const Region& s, Place place, std::uint32_t nesting) {
    constexpr std::size_t longest = 128;
    const bool printable = std::ranges::all_of(
        s.name, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (s.name.empty() || s.name.size() > longest || !printable) {
      report("a region's name has 1 to 128 printable characters, without quotes and backslashes",
             place);
    }
    block(s.body, nesting + 1);
  }

  // The nearest loop around a statement.
  enum class Loop : std::uint8_t { none, of_for, of_while };
  void loop_body(const Block& body, std::uint32_t nesting, Loop kind) {
    const Loop outer = std::exchange(loop_, kind);
    block(body, nesting + 1);
    loop_ = outer;
  }

  const Buffer* element(const std::string& buffer, const Expr& index, Place place) {
    exprs_.check_index(index);
    return exprs_.buffer(buffer, place);
  }

  const Program& program_;
  bool parsed_;
  Scope scope_;
  Problems problems_;
  const Stmt* stmt_ = nullptr;
  Loop loop_ = Loop::none;
  std::uint64_t private_elements_ = 0;
  ExprChecker exprs_;
};

}  // namespace

Problems validate(const Program& program) { return Validator(program, false).run(); }
Problems validate_parsed(const Program& program) { return Validator(program, true).run(); }

}  // namespace vyre::ir
