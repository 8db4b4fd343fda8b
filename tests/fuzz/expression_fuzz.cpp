// Any bytes are either refused with a place or an expression that has a result or a reason, and
// whose compiled form agrees with its evaluation.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "space/expression.h"
#include "vyre/space/enumerate.h"

namespace {

using namespace vyre::space;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "expression_fuzz: %s\n", what);
  std::abort();
}

const std::vector<Value>& values_of(std::size_t name) {
  static const std::vector<std::vector<Value>> all = {
      {std::int64_t{0}, std::int64_t{3}, std::int64_t{-8}},
      {0.5, -2.0},
      {std::string("x"), std::string("yz")},
      {std::int64_t{1}, true, 2.5, std::string("x")}};
  return all[name % all.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parsed = Expression::parse(text);
  if (!parsed) {
    require(parsed.error().place.known(), "a refusal has a place");
    return 0;
  }
  static_cast<void>(parsed->evaluate_list(nullptr));
  if (parsed->names().size() > 4 || size > 400) return 0;

  std::vector<Parameter> parameters = {{"spare", values_of(0)}};
  for (std::size_t n = 0; n < parsed->names().size(); ++n) {
    if (parsed->names()[n] == "spare") return 0;
    parameters.push_back({parsed->names()[n], values_of(n)});
  }
  const auto definition = define(parameters, {text});
  require(definition.has_value(), "an expression over its own names is a constraint");
  const auto space = enumerate(*definition);
  require(space.has_value(), "a small space can be enumerated");
  const auto everything = enumerate(*define(parameters, {}));
  for (Index i = 0; i < everything->space.size(); ++i) {
    const auto values = everything->space.values(i);
    const auto held = parsed->holds([&](std::string_view name) -> std::optional<Value> {
      for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].name == name) return values[p];
      }
      return std::nullopt;
    });
    const bool found = space->space.find(everything->space.digits(i)).has_value();
    require(found == (held && *held), "the compiled form agrees with the evaluation");
  }
  return 0;
}
