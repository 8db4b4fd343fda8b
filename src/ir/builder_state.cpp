#include "ir/builder_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/visit.h"

namespace vyre::ir {
namespace {

using BlockKind = History::BlockKind;

BlockKind kind_of_block(const Stmt& stmt, std::size_t index) {
  if (is<For>(stmt) || is<While>(stmt)) return BlockKind::loop;
  return index == 1 ? BlockKind::otherwise : BlockKind::plain;
}

void record_changes(const Stmt& stmt, History& history) {
  match(
      stmt, [&](const Assign& s) { history.changed(s.name); },
      [&](const OneOf<Store, AtomicAdd> auto& s) { history.changed(s.buffer); },
      [&](const Barrier&) { history.all_buffers_changed(); },
      [](const OneOf<Let, If, For, While, Break, Region> auto&) {});
}

}  // namespace

std::string Builder::State::declare(const std::string& name) {
  std::string unique = name;
  while (!visible.insert(unique).second) unique = name + std::to_string(++repeats[name]);
  scope.push_back(unique);
  return unique;
}

Value Builder::State::name(std::string name, Type type) {
  Expr made = Var{std::move(name), type};
  history.named(made);
  return made;
}

Expr Builder::State::take(const Value& value, Type type, SourceLocation at) {
  Operands operands;
  Expr taken = operands.take(value, type, false);
  report(std::move(operands), at);
  return taken;
}

void Builder::State::report(Operands operands, SourceLocation at) {
  for (Mistake& mistake : std::move(operands).mistakes()) {
    if (std::ranges::find(reported, mistake) != reported.end()) continue;
    Error error = mistake->place.known() ? *mistake : written_at(mistake->message, at);
    if (std::ranges::find(problems, error) == problems.end()) problems.push_back(std::move(error));
    reported.push_back(std::move(mistake));
  }
}

void Builder::State::report(std::string message, SourceLocation at) {
  Operands operands;
  operands.mistake(std::move(message), at);
  report(std::move(operands), at);
}

void Builder::State::need_open(std::uint32_t block, const std::string& variable,
                               SourceLocation at) {
  if (history.is_open(block)) return;
  report(
      fmt::format("the block that declares '{}' has ended: declare it before the block", variable),
      at);
}

void Builder::State::add(Stmt stmt, SourceLocation at) {
  stmt.place = enter(at);
  std::size_t index = 0;
  for_each_block(stmt, [&](Block& block) {
    Block written = std::exchange(block, {});
    block = inside(stmt, index++, [&] {
      for (Stmt& inner : written) add(std::move(inner), at);
    });
  });
  push(std::move(stmt));
}

Block Builder::State::inside(const Stmt& stmt, std::size_t index, const Body<>& body) {
  Block made;
  const std::size_t outside = scope.size();
  open.push_back(&made);
  history.open(stmt.place.column, index, kind_of_block(stmt, index));
  body();
  history.close();
  open.pop_back();
  for (; scope.size() > outside; scope.pop_back()) visible.erase(scope.back());
  return made;
}

void Builder::State::push(Stmt stmt) {
  record_changes(stmt, history);
  open.back()->push_back(std::move(stmt));
}

}  // namespace vyre::ir
