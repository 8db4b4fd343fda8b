#include "set.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

#include "openmp.h"
#include "vyre/ir/text.h"

namespace vyre::bench {
namespace {

using enum Half;
using enum Bound;

// From [-1, 1).
void spread(float* values, std::size_t count, float low, float high) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = low + (values[i] + 1.0F) * 0.5F * (high - low);
  }
}

void clear_bins(const Arguments& p) { std::fill_n(p.words("bins"), 256, 0U); }
void clear_counts(const Arguments& p) { std::fill_n(p.words("counts"), 1024, 0U); }
void clear_sum(const Arguments& p) {
  for (const char* vector : {"x", "y"}) spread(p.floats(vector), p.size("n"), 0, 1);
  *p.floats("sum") = 0;
}
void clear_weights(const Arguments& p) {
  spread(p.floats("weight"), p.size("n"), 0, 1);
  std::fill_n(p.floats("bins"), 256, 0.0F);
}
void masses(const Arguments& p) { spread(p.floats("mass"), p.size("n"), 0.1F, 1.0F); }
void variances(const Arguments& p) { spread(p.floats("variance"), p.size("channels"), 0.5F, 2); }

void options(const Arguments& p) {
  const std::size_t n = p.size("n");
  spread(p.floats("price"), n, 5, 30);
  spread(p.floats("strike"), n, 5, 30);
  spread(p.floats("years"), n, 0.25F, 5);
}

void prices(const Arguments& p) {
  for (const char* buffer : {"price", "strike"}) spread(p.floats(buffer), p.size("n"), 5, 30);
}

// Rows of 1 to twice the mean number of entries, at columns anywhere.
void sparse(const Arguments& p) {
  const std::size_t rows = p.size("rows"), entries = p.size("entries");
  const std::size_t mean = entries / rows;
  std::uint32_t* start = p.words("start");
  for (std::size_t i = 0; i < rows; ++i) {
    start[i] = static_cast<std::uint32_t>(i * mean + (i == 0 ? 0 : start[i] % mean));
  }
  start[rows] = static_cast<std::uint32_t>(entries);
  const auto columns = static_cast<std::uint32_t>(p.size("columns"));
  std::uint32_t* column = p.words("column");
  for (std::size_t i = 0; i < entries; ++i) column[i] %= columns;
}

// Diagonals that outweigh the rest of their rows, so that elimination needs no pivots.
void dominant(const Arguments& p) {
  float* a = p.floats("a");
  for (std::size_t i = 0; i < p.size("n"); ++i) {
    for (std::size_t k = 0; k < 4; ++k) a[i * 16 + k * 5] += 5.0F;
  }
}

void labels(const Arguments& p) {
  const auto n = static_cast<std::uint32_t>(p.size("n"));
  std::uint32_t* label = p.words("label");
  for (std::size_t i = 0; i < p.size("rows"); ++i) label[i] %= n;
}

// Entries anywhere, in any order.
void coo_entries(const Arguments& p) {
  const auto rows = static_cast<std::uint32_t>(p.size("rows"));
  const auto columns = static_cast<std::uint32_t>(p.size("columns"));
  std::uint32_t* row = p.words("row");
  std::uint32_t* column = p.words("column");
  for (std::size_t i = 0; i < p.size("entries"); ++i) {
    row[i] %= rows;
    column[i] %= columns;
  }
  std::fill_n(p.floats("y"), p.size("rows"), 0.0F);
}

// They outweigh the rest of their rows, so that elimination needs no pivots.
void heavy_diagonals(const Arguments& p) {
  spread(p.floats("diagonal"), p.size("n") * p.size("systems"), 3, 5);
}

void densities(const Arguments& p) {
  spread(p.floats("f"), 9 * p.size("w") * p.size("h"), 0.05F, 0.15F);
}

void living_cells(const Arguments& p) {
  std::uint8_t* cells = p.bytes("cells");
  for (std::size_t i = 0; i < p.size("w") * p.size("h"); ++i) cells[i] &= 1U;
}

constexpr Entry entries[] = {
    {"softmax", open, arithmetic, openmp::softmax, "rows=5 n=37"},
    {"matvec", open, memory, openmp::matvec, "m=7 n=37"},
    {"histogram", open, arithmetic, openmp::histogram, "n=1000", clear_bins},
    {"mandelbrot", open, arithmetic, openmp::mandelbrot, "w=33 h=17", nullptr, 0.01},
    {"trmv", open, arithmetic, openmp::trmv, "n=37"},
    {"gemm_scaled", open, arithmetic, openmp::gemm_scaled, "m=7 n=9 k=11"},
    {"gemm_1024", open, arithmetic, openmp::gemm_1024, "m=7 n=9 k=11"},
    {"blur", open, arithmetic, openmp::blur, "w=33 h=17"},
    {"mvt", open, memory, openmp::mvt, "n=37"},
    {"prefix_sums", open, arithmetic, openmp::prefix_sums, "rows=5 n=37"},
    {"attention", open, arithmetic, openmp::attention, "queries=3 keys=17 d=8"},
    {"column_sums", open, memory, openmp::column_sums, "m=7 n=37"},
    {"jacobi2d", open, memory, openmp::jacobi2d, "w=33 h=17"},
    {"sobel", open, memory, openmp::sobel, "w=33 h=17"},
    {"nbody", open, arithmetic, openmp::nbody, "n=37", masses},
    {"nbody_cutoff", open, arithmetic, openmp::nbody_cutoff, "n=37", masses},
    {"gesummv", open, memory, openmp::gesummv, "n=37"},
    {"batch_norm", open, memory, openmp::batch_norm, "batch=2 channels=3 size=19", variances},
    {"depthwise_conv", open, memory, openmp::depthwise_conv, "w=33 h=17 channels=2"},
    {"horner", open, memory, openmp::horner, "n=1000"},
    {"rgb_to_gray", open, memory, openmp::rgb_to_gray, "n=1000"},
    {"dot_product", open, memory, openmp::dot_product, "n=1000", clear_sum},
    {"vector_norm", open, memory, openmp::vector_norm, "n=1000"},
    {"median3x3", open, arithmetic, openmp::median3x3, "w=33 h=17"},
    {"gelu", open, memory, openmp::gelu, "n=1000"},

    {"syrk", held_back, arithmetic, openmp::syrk, "n=9 k=11"},
    {"matvec_transposed", held_back, memory, openmp::matvec_transposed, "m=7 n=37"},
    {"layer_norm", held_back, arithmetic, openmp::layer_norm, "rows=5 n=37"},
    {"grid_counts", held_back, arithmetic, openmp::grid_counts, "n=1000", clear_counts},
    {"trmm", held_back, arithmetic, openmp::trmm, "n=9 m=11"},
    {"bicg", held_back, memory, openmp::bicg, "n=37"},
    {"black_scholes", held_back, arithmetic, openmp::black_scholes, "n=1000", options},
    {"spmv", held_back, arithmetic, openmp::spmv, "rows=31 columns=17 entries=100", sparse},
    {"kmeans", held_back, arithmetic, openmp::kmeans, "n=100 d=8 clusters=5", nullptr, 0.001},
    {"nearest", held_back, arithmetic, openmp::nearest, "n=100 sites=9", nullptr, 0.001},
    {"axpby", held_back, memory, openmp::axpby, "n=1000"},
    {"transpose", held_back, memory, openmp::transpose, "w=33 h=17"},
    {"heat3d", held_back, memory, openmp::heat3d, "n=9"},
    {"conv3x3", held_back, memory, openmp::conv3x3, "w=33 h=17"},
    {"covariance", held_back, arithmetic, openmp::covariance, "samples=37 m=9"},
    {"pairwise_distances", held_back, arithmetic, openmp::pairwise_distances, "n=7 m=9 d=11"},
    {"argmax_rows", held_back, memory, openmp::argmax_rows, "rows=5 n=37"},
    {"complex_multiply", held_back, memory, openmp::complex_multiply, "n=1000"},
    {"hash_bits", held_back, memory, openmp::hash_bits, "n=1000"},
    {"monte_carlo", held_back, arithmetic, openmp::monte_carlo, "n=33 points=50"},
    {"weighted_histogram", held_back, arithmetic, openmp::weighted_histogram, "n=1000",
     clear_weights},
    {"bilinear_upsample", held_back, memory, openmp::bilinear_upsample, "w=33 h=17"},
    {"row_extremes", held_back, memory, openmp::row_extremes, "rows=3 n=1000"},
    {"conv_layer", held_back, arithmetic, openmp::conv_layer, "w=9 h=7 channels=3 filters=2"},
    {"binomial", held_back, arithmetic, openmp::binomial, "n=3 steps=16", prices},

    {"avg_pool", added, memory, openmp::avg_pool, "w=33 h=17 channels=2"},
    {"life", added, memory, openmp::life, "w=33 h=17", living_cells},
    {"coo_spmv", added, arithmetic, openmp::coo_spmv, "rows=31 columns=17 entries=100",
     coo_entries},
    {"solve_4x4", added, arithmetic, openmp::solve_4x4, "n=37", dominant},
    {"cross_entropy", added, arithmetic, openmp::cross_entropy, "rows=5 n=37", labels},
    {"lattice_boltzmann", added, memory, openmp::lattice_boltzmann, "w=33 h=17", densities},
    {"dilated_conv", added, arithmetic, openmp::dilated_conv,
     "length=37 channels=8 filters=4 parts=2"},
    {"tridiagonal", added, memory, openmp::tridiagonal, "systems=37 n=5", heavy_diagonals},
    {"gamma_correct", added, arithmetic, openmp::gamma_correct, "n=1000"},
    {"sample_sums", added, arithmetic, openmp::sample_sums, "places=37 samples=11"},
};

}  // namespace

std::string_view name_of(Half half) {
  constexpr std::array<std::string_view, 3> names = {"open", "held back", "added"};
  return names[static_cast<std::size_t>(half)];
}

std::span<const Entry> programs() { return entries; }

std::string program_path(const Entry& entry) {
  return fmt::format("{}/{}.vy", VYRE_BENCH_PROGRAMS, entry.name);
}

Result<ir::Program> read_program(const Entry& entry) {
  const std::string path = program_path(entry);
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  auto program = ir::parse(text);
  if (program) return *std::move(program);
  return fail(ErrorKind::input, fmt::format("{}: {}", path, to_string(program.error())));
}

ir::Uniforms tiny_sizes(const Entry& entry) {
  ir::Uniforms sizes;
  std::istringstream words{std::string(entry.tiny)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    sizes[word.substr(0, equals)] = Literal{Scalar::u32, std::stoul(word.substr(equals + 1))};
  }
  return sizes;
}

Result<Arguments> inputs(const Entry& entry, const ir::Program& program,
                         const ir::Uniforms& uniforms) {
  VYRE_TRY(auto made, Arguments::make(program, uniforms));
  if (entry.prepare != nullptr) entry.prepare(made);
  return made;
}

}  // namespace vyre::bench
