#include "emit/kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "emit/kernel_state.h"
#include "emit/operators.h"
#include "emit/statement.h"

namespace vyre::emit {
namespace {

constexpr std::size_t line_length = 100;

// The pieces of a kernel's head: parameters, and the lines before the body.
class Head {
 public:
  explicit Head(KernelState& state) : state_(state) {}

  void buffers() {
    for (const ir::Buffer& buffer : state_.program().buffers) {
      const std::string& name = state_.names.of(buffer.name);
      if (buffer.memory == ir::Memory::global) {
        parameters_.push_back(state_.dialect.parameter(buffer, name));
      } else {
        // No language has arrays without elements; none is ever accessed there.
        const auto count = std::max<std::int64_t>(state_.counts.at(buffer.name).lo, 1);
        const bool shared = buffer.memory == ir::Memory::shared;
        line(fmt::format("{}{} {}[{}];", shared ? fmt::format("{} ", state_.dialect.shared) : "",
                         state_.dialect.stored(buffer.element), name, count));
      }
    }
  }

  // Adds those that become arguments to the entry.
  void uniforms(Entry& entry) {
    for (const ir::Uniform& uniform : state_.program().uniforms) {
      const auto fixed = state_.unit.fixed.find(uniform.name);
      if (fixed == state_.unit.fixed.end()) {
        entry.uniforms.push_back(uniform.name);
        argument(uniform);
      } else if (state_.used_uniforms.contains(uniform.name)) {
        constant(uniform.name, fixed->second);
      }
    }
  }

  void ids() {
    for (const auto& [id, name] : state_.used_ids) {
      line(fmt::format("const {} {} = {};", type({Scalar::u32}), name,
                       state_.dialect.id(id.first, id.second)));
    }
  }

  // In the line that `start` begins if they fit, else one per line.
  [[nodiscard]] std::string parameters(std::string_view start) const {
    const std::size_t begun = start.size() - (start.rfind('\n') + 1);
    std::string list = fmt::format("{}", fmt::join(parameters_, ", "));
    if (begun + list.size() + 4 <= line_length) return list;
    return fmt::format("\n    {}", fmt::join(parameters_, ",\n    "));
  }
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  std::string type(ir::Type type) { return state_.dialect.type(type, state_.helpers); }

  // bool has no size that host and device agree on, so it is passed as a byte.
  void argument(const ir::Uniform& uniform) {
    const std::string& name = state_.names.of(uniform.name);
    const Scalar scalar = uniform.value.scalar;
    if (scalar != Scalar::boolean) {
      parameters_.push_back(fmt::format("{} {}", type({scalar}), name));
      return;
    }
    const std::string byte = state_.names.fresh(name + "_byte");
    parameters_.push_back(fmt::format("{} {}", state_.dialect.stored(scalar), byte));
    line(fmt::format("const {} {} = {} != 0;", type({scalar}), name, byte));
  }

  void constant(const std::string& uniform, Literal value) {
    const Code code = Expressions(state_).emit(value);
    line(fmt::format("const {} {} = {};", type({value.scalar}), state_.names.of(uniform),
                     code.text));
  }

  KernelState& state_;
  std::vector<std::string> parameters_;
  std::string text_;
};

}  // namespace

Result<Kernel> emit_kernel(const Unit& unit, std::string name, const Dialect& dialect,
                           Helpers& helpers) {
  auto state = start_kernel(unit, dialect, helpers);
  if (!state) return Unexpected(state.error());

  // The body first: it decides what the head declares.
  Statements statements(*state);
  statements.return_if_surplus();
  const std::string guard = statements.take();
  statements.block(unit.program.body);
  const std::string body = statements.take();

  Kernel kernel{.entry = {.name = std::move(name), .guarded = state->guarded}};
  Head head(*state);
  head.buffers();
  head.uniforms(kernel.entry);
  const std::string constants = head.take();
  head.ids();
  std::optional<Extent> workgroup;
  if (state->workgroup_is_fixed) workgroup = unit.program.workgroup;
  const std::string start = dialect.kernel(kernel.entry.name, workgroup);
  kernel.text = fmt::format("{}({}) {{\n{}{}{}{}}}\n", start, head.parameters(start), constants,
                            head.take(), guard, body);
  return kernel;
}

}  // namespace vyre::emit
