#include "emit/emit.h"

#include <algorithm>

#include "emit/dialect.h"
#include "emit/helpers.h"
#include "emit/kernel.h"
#include "emit/names.h"
#include "ir/visit.h"
#include "vyre/ir/text.h"

namespace vyre::emit {
namespace {

bool uses_f64(const ir::Program& program) {
  const auto is_f64 = [](Scalar scalar) { return scalar == Scalar::f64; };
  return std::ranges::any_of(program.buffers, is_f64, &ir::Buffer::element) ||
         std::ranges::any_of(program.uniforms,
                             [&](const auto& u) { return is_f64(u.value.scalar); }) ||
         ir::any_expr(program.body, [&](const ir::Expr& e) { return is_f64(e.type().scalar); });
}

Entry vy_entry(const Unit& unit, std::string name) {
  Entry entry{.name = std::move(name)};
  for (const ir::Uniform& uniform : unit.program.uniforms) {
    if (!unit.fixed.contains(uniform.name)) entry.uniforms.push_back(uniform.name);
  }
  return entry;
}

Result<void> emit_vy(std::span<const Unit> units, Source& source) {
  Names names([](std::string_view) { return false; });
  for (const Unit& unit : units) {
    if (auto checked = ir::check_uniforms(unit.program, unit.fixed); !checked) {
      return Unexpected(checked.error());
    }
    ir::Program program = unit.program;
    program.name = names.fresh(program.name);
    for (ir::Uniform& uniform : program.uniforms) {
      uniform.value = ir::uniform_value(unit.program, uniform.name, unit.fixed);
    }
    source.text += (source.text.empty() ? "" : "\n") + ir::print(program);
    source.entries.push_back(vy_entry(unit, program.name));
  }
  return {};
}

Result<void> emit_c(std::span<const Unit> units, const Dialect& dialect, Source& source) {
  Names names(dialect.is_reserved_entry);
  Helpers helpers;
  std::string kernels;
  for (const Unit& unit : units) {
    auto kernel = emit_kernel(unit, names.fresh(unit.program.name), dialect, helpers);
    if (!kernel) return Unexpected(kernel.error());
    kernels += "\n" + kernel->text;
    source.entries.push_back(std::move(kernel->entry));
  }
  source.text = dialect.head(source.uses_f64) + helpers.text() + kernels;
  return {};
}

}  // namespace

Result<Source> emit(std::span<const Unit> units, Language language) {
  Source source{.language = language};
  source.uses_f64 =
      std::ranges::any_of(units, [](const Unit& unit) { return uses_f64(unit.program); });
  auto emitted =
      language == Language::vy
          ? emit_vy(units, source)
          : emit_c(units, language == Language::cuda_c ? cuda_dialect() : opencl_dialect(), source);
  if (!emitted) return Unexpected(emitted.error());
  return source;
}

std::span<const std::string_view> compile_options(Language language) {
  if (language == Language::vy) return {};
  return (language == Language::cuda_c ? cuda_dialect() : opencl_dialect()).compile_options;
}

}  // namespace vyre::emit
