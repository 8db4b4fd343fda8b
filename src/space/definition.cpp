#include "vyre/space/definition.h"

#include <fmt/format.h>

#include "space/expression.h"
#include "space/positions.h"

namespace vyre::space {
namespace {

Result<Expression> parse_constraint(const std::string& text, const Positions& parameters) {
  constexpr std::size_t longest = 100;
  const std::string quoted = text.size() <= longest ? text : text.substr(0, longest) + "...";
  auto parsed = Expression::parse(text);
  if (!parsed) {
    return fail(ErrorKind::input, fmt::format("{} in \"{}\"", parsed.error().message, quoted),
                parsed.error().place);
  }
  for (const std::string& name : parsed->names()) {
    if (parameters.find(name)) continue;
    return fail(ErrorKind::input,
                fmt::format("'{}' in the constraint \"{}\" is not a parameter", name, quoted));
  }
  return parsed;
}

}  // namespace

Result<Definition> define(std::vector<Parameter> parameters,
                          const std::vector<std::string>& constraints) {
  auto good = checked(std::move(parameters));
  if (!good) return Unexpected(good.error());
  if (constraints.size() > max_constraints) {
    return fail(ErrorKind::input, fmt::format("a space has at most {} constraints, not {}",
                                              max_constraints, constraints.size()));
  }
  const Positions positions(*good);
  std::vector<Expression> parsed;
  for (const std::string& text : constraints) {
    auto constraint = parse_constraint(text, positions);
    if (!constraint) return Unexpected(constraint.error());
    parsed.push_back(std::move(*constraint));
  }
  return Definition{
      .parameters = std::move(*good),
      .constraints = std::make_shared<const std::vector<Expression>>(std::move(parsed))};
}

}  // namespace vyre::space
