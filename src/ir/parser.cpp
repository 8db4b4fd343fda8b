#include "ir/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"
#include "ir/hints.h"
#include "ir/validate.h"
#include "ir/words.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

constexpr std::array<std::string_view, 3> access_words = {"read", "write", "read_write"};

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the text";
  if (token.kind == TokenKind::bad && token.text.starts_with('"'))
    return "a string without its end";
  const bool printable =
      std::ranges::all_of(token.text, [](char c) { return c >= ' ' && c <= '~'; });
  if (!printable) {
    return fmt::format("the character 0x{:02x}", static_cast<unsigned char>(token.text[0]));
  }
  return fmt::format("'{}'", token.text.substr(0, 40));
}

}  // namespace

bool Parser::full() const { return problems_.size() >= max_problems; }

void Parser::problem(std::string message, Place place) {
  if (!panicking_ && !full()) problems_.push_back({ErrorKind::input, std::move(message), place});
  panicking_ = true;
}

void Parser::unexpected(std::string_view expected) {
  problem(fmt::format("expected {}, found {}{}", expected, shown(token_), hint(token_.text)),
          token_.place);
}

bool Parser::accept(std::string_view text) {
  if (!sees(text)) return false;
  advance();
  return true;
}

bool Parser::expect(std::string_view text, std::string_view where) {
  if (panicking_) return false;
  if (accept(text)) return true;
  unexpected(fmt::format("'{}' {}", text, where));
  return false;
}

Type Parser::type_named(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  }
  return {};
}

// A name that cannot be read gets one of its own, so that it is not reported twice.
std::string Parser::new_name(std::string_view what) {
  const auto made_up = [&] { return fmt::format("missing_{}", ++missing_names_); };
  if (panicking_) return made_up();
  if (token_.kind != TokenKind::word || !is_name(token_.text)) {
    if (token_.kind == TokenKind::word) {
      problem(fmt::format("{} cannot be the name of {}: {}", shown(token_), what,
                          is_reserved(token_.text) ? "it is a word of the language"
                                                   : "names have at most 64 characters"),
              token_.place);
    } else {
      unexpected(fmt::format("the name of {}", what));
    }
    return made_up();
  }
  std::string name(token_.text);
  advance();
  return name;
}

// To the next line that can start a statement, over whole inner blocks.
void Parser::skip_statement() {
  int depth = 0;
  while (token_.kind != TokenKind::end) {
    if (depth == 0 && (sees("}") || (token_.starts_line && token_.kind == TokenKind::word))) break;
    if (sees("{")) ++depth;
    if (sees("}")) --depth;
    advance();
  }
  panicking_ = false;
}

Program Parser::program() {
  Program program;
  expect("program", "at the start of the text");
  program.name = new_name("a program");
  expect("{", "after the program's name");
  declarations(program);
  while (!full()) {
    statements(program.body);
    while (!full() && sees_stage()) program.then.push_back(stage());
    if (!program.then.empty() && token_.kind != TokenKind::end && !sees("}")) {
      unexpected("'}' or another stage");
      break;
    }
    if (token_.kind == TokenKind::end) {
      panicking_ = false;
      unexpected("'}' at the end of the program");
      break;
    }
    advance();  // the closing brace
    if (token_.kind == TokenKind::end) break;
    panicking_ = false;
    unexpected("nothing after the program's end");
    break;
  }
  return program;
}

void Parser::declarations(Program& program) {
  while (token_.kind != TokenKind::end && !full()) {
    if (panicking_) skip_statement();
    if (!declaration(program)) return;
  }
}

bool Parser::declaration(Program& program) {
  if (accept("uniform")) {
    uniform(program);
  } else if (accept("buffer")) {
    buffer(program, Memory::global);
  } else if (accept("shared")) {
    buffer(program, Memory::shared);
  } else if (accept("private")) {
    buffer(program, Memory::own);
  } else if (sees_scratch()) {
    advance();
    buffer(program, Memory::scratch);
  } else if (sees("grid") || sees("workgroup")) {
    const Token word = token_;
    advance();
    bool& given = word.text == "grid" ? has_grid_ : has_workgroup_;
    if (given) problem(fmt::format("'{}' is given twice", word.text), word.place);
    given = true;
    if (!panicking_) word.text == "grid" ? grid(program.grid) : workgroup(program);
  } else if (sees("reassociate")) {
    if (program.reassociate) problem("'reassociate' is given twice", token_.place);
    program.reassociate = true;
    advance();
  } else {
    return false;
  }
  return true;
}

// A type's word; unknown, with a problem, if there is none.
Scalar Parser::scalar(std::string_view choices) {
  if (panicking_) return Scalar::unknown;
  const auto named = scalar_named(token_.text);
  if (!named) {
    unexpected(choices);
    return Scalar::unknown;
  }
  advance();
  return *named;
}

void Parser::uniform(Program& program) {
  Uniform made{.place = token_.place};
  made.name = new_name("a uniform");
  expect(":", "and the type after the uniform's name");
  const Place at = token_.place;
  Scalar type = scalar("a type: bool, u32, i32, u64, i64, f32 or f64");
  if (is_narrow(type)) {
    problem(fmt::format("{} is a type of buffer elements only: make it {}", name_of(type),
                        with_article(value_type(type))),
            at);
    panicking_ = false;
    type = value_type(type);
  }
  expect("=", "and the uniform's default");
  const Expr value = panicking_ ? missing(token_.place) : expr();
  const auto* constant = as<Literal>(value);
  if (!panicking_ && (constant == nullptr || constant->scalar != type)) {
    problem(fmt::format("the default of '{}' must be {} literal", made.name, with_article(type)),
            value.place());
    panicking_ = false;
  }
  declare(made.name, Type{type});
  made.value = constant != nullptr && constant->scalar == type ? *constant : Literal{type, 0};
  program.uniforms.push_back(std::move(made));
}

void Parser::buffer(Program& program, Memory memory) {
  Buffer made{.memory = memory, .place = token_.place};
  made.name = new_name("a buffer");
  expect(":", "and the type after the buffer's name");
  made.element = scalar("a type: bool, u32, i32, u64, i64, f32, f64, u8, i8, u16, i16 or f16");
  expect("[", "and the number of elements");
  made.count = panicking_ ? missing(token_.place) : expr();
  expect("]", "after the number of elements");
  made.access = Access::read_write;
  if (memory == Memory::global && !panicking_) {
    const auto word = std::ranges::find(access_words, token_.text);
    if (word == access_words.end()) {
      unexpected("read, write or read_write");
    } else {
      made.access = static_cast<Access>(word - access_words.begin());
      advance();
    }
    made.nontemporal = sees_nontemporal();
    if (made.nontemporal) advance();
  }
  buffers_[made.name] = made.element;
  program.buffers.push_back(std::move(made));
}

void Parser::grid(std::array<Expr, 3>& grid) {
  grid = {literal(1U), literal(1U), literal(1U)};
  for (Expr& extent : grid) {
    extent = expr();
    if (panicking_ || !accept(",")) return;
  }
  unexpected("at most three extents");
}

void Parser::workgroup(Program& program) {
  program.workgroup = extents();
  while (!panicking_ && sees_other_workgroup()) {
    advance();
    program.other_workgroups.push_back(extents());
  }
}

// Nor are these: `scratch`, `then` and `nontemporal` may be names, but then an assignment or an
// index follows.
bool Parser::sees_scratch() const {
  Lexer ahead = lexer_;
  return sees("scratch") && ahead.next().kind == TokenKind::word;
}
bool Parser::sees_stage() const {
  Lexer ahead = lexer_;
  return sees("then") && ahead.next().text == "grid";
}
bool Parser::sees_nontemporal() const {
  Lexer ahead = lexer_;
  const Token next = ahead.next();
  return sees("nontemporal") && (next.kind == TokenKind::word || next.text == "}");
}

Stage Parser::stage() {
  advance();
  expect("grid", "after 'then'");
  Stage made;
  grid(made.grid);
  if (!panicking_ && accept("workgroup")) made.workgroup = extents();
  made.body = block();
  return made;
}

// `or` is no word of the language: a statement may begin with it, but then no number follows.
bool Parser::sees_other_workgroup() const {
  Lexer ahead = lexer_;
  return sees("or") && ahead.next().kind == TokenKind::integer;
}

Extent Parser::extents() {
  Extent made = {1, 1, 1};
  for (std::uint32_t& extent : made) {
    const Expr value = expr();
    if (panicking_) return made;
    const auto* constant = as<Literal>(value);
    if (constant == nullptr || constant->scalar != Scalar::u32) {
      problem("a workgroup's extents are u32 literals", value.place());
      return made;
    }
    extent = static_cast<std::uint32_t>(constant->bits);
    if (!accept(",")) return made;
  }
  unexpected("at most three extents");
  return made;
}

namespace {

Result<Program> parse_program(std::string_view text) {
  if (text.size() > max_text_bytes) {
    return fail(ErrorKind::input, fmt::format("the text has {} bytes; at most {} are accepted",
                                              text.size(), max_text_bytes));
  }
  Parser parser(text);
  Program program = parser.program();
  Problems problems = parser.problems();
  std::ranges::copy(validate_parsed(program), std::back_inserter(problems));
  if (problems.empty()) return program;
  std::ranges::stable_sort(problems, {},
                           [](const Error& e) { return std::pair(e.place.line, e.place.column); });
  if (problems.size() > max_problems) problems.resize(max_problems);
  return Failure(one_error(std::move(problems)));
}

}  // namespace

Result<Program> parse(std::string_view text) {
  return within_memory([&] { return parse_program(text); });
}

}  // namespace vyre::ir
