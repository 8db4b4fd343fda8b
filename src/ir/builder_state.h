// What a Builder has made so far.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/history.h"
#include "ir/origin.h"
#include "vyre/ir/build.h"

namespace vyre::ir {

// Statements, declarations and sizes have their entry in the history as their place (see History).
struct Builder::State {
  Program program;
  History history;
  Problems problems;  // with their places
  std::unordered_set<std::string> visible;
  std::vector<std::string> scope;  // the variables among them, in the order of declaration
  std::unordered_map<std::string, unsigned> repeats;
  std::vector<Block*> open = {&program.body};
  std::vector<Mistake> reported;

  // The name, or the name with a number if it is taken.
  std::string declare(const std::string& name);
  Value name(std::string name, Type type);

  // A value on its way into a statement; a number gets this type, or has its own.
  Expr take(const Value& value, Type type, SourceLocation at);
  Expr take(const Value& value, SourceLocation at) { return take(value, value.expr().type(), at); }
  Expr take_size(const Value& value, Place entry, SourceLocation at) {
    return take(value, {Scalar::u32}, at).at(entry);
  }
  // A mistake that has no place of its own is at `at`.
  void report(Operands operands, SourceLocation at);
  void report(std::string message, SourceLocation at);
  void need_open(std::uint32_t block, const std::string& variable, SourceLocation at);

  Place enter(SourceLocation at) { return {0, history.enter(at)}; }
  // With all that is in its blocks.
  void add(Stmt stmt, SourceLocation at);
  // Block `index` of a statement that was entered, as `body` makes it.
  Block inside(const Stmt& stmt, std::size_t index, const Body<>& body);
  // A statement that was entered and whose blocks are complete.
  void push(Stmt stmt);
};

}  // namespace vyre::ir
