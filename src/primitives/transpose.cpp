#include "primitives/transpose.h"

#include "primitives/checks.h"
#include "primitives/programs.h"
#include "vyre/ir/build.h"
#include "vyre/primitives/decisions.h"

namespace vyre::primitives {
namespace {

using ir::Builder;
using ir::Value;

void straight(Builder& k, const Value& rows, const Value& columns) {
  const auto a = k.read("a", Scalar::f32, rows * columns);
  const auto t = k.write("t", Scalar::f32, columns * rows);
  k.grid(rows, columns);
  k.workgroup(64, 4);
  const Value r = k.let("r", ir::invocation(0));
  const Value c = k.let("c", ir::invocation(1));
  t[c * rows + r] = a[r * columns + c];
}

// A row of the tile is one longer than it need be: a column then lies in different memory banks.
void tiled(Builder& k, const Value& rows, const Value& columns, std::uint32_t side) {
  const auto a = k.read("a", Scalar::f32, rows * columns);
  const auto t = k.write("t", Scalar::f32, columns * rows);
  const auto tile = k.shared("tile", Scalar::f32, ir::constant(side * (side + 1)));
  k.grid(round_up(columns, side), round_up(rows, side));
  k.workgroup(side, side);
  const Value x = k.let("x", ir::local(0));
  const Value y = k.let("y", ir::local(1));
  const Value column = k.let("column", ir::invocation(0));
  const Value row = k.let("row", ir::invocation(1));
  k.when((column < columns) & (row < rows),
         [&] { tile[y * (side + 1) + x] = a[row * columns + column]; });
  k.barrier();
  const Value to_column = k.let("to_column", ir::group(1) * side + x);
  const Value to_row = k.let("to_row", ir::group(0) * side + y);
  k.when((to_column < rows) & (to_row < columns),
         [&] { t[to_row * rows + to_column] = tile[x * (side + 1) + y]; });
}

}  // namespace

Result<ir::Program> transpose_program(const TransposeOptions& options) {
  const auto count =
      element_count("transpose", {{"rows", options.rows}, {"columns", options.columns}});
  if (!count) return Unexpected(count.error());
  Builder k(options.tile == 0 ? "transpose" : "transpose_tiled");
  const Value rows = k.uniform("rows", options.rows);
  const Value columns = k.uniform("columns", options.columns);
  if (options.tile == 0) {
    straight(k, rows, columns);
  } else {
    tiled(k, rows, columns, options.tile);
  }
  return scheduled(finished(k), options.schedule);
}

void transpose_reference(std::span<const double> a, std::uint32_t rows, std::uint32_t columns,
                         std::span<double> t) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) t[c * rows + r] = a[r * columns + c];
  }
}

Result<Operation> transpose(device::Device& device, const TransposeOptions& options) {
  const bool asks = options.tile == 0 && !options.schedule && options.decisions != nullptr;
  auto program =
      transpose_program(asks ? options.decisions->decided(options, device.adapter()) : options);
  if (!program) return Unexpected(program.error());
  return Operation::make(
      device,
      {.name = "transpose", .programs = {*std::move(program)}, .inputs = {"a"}, .output = "t"});
}

}  // namespace vyre::primitives
