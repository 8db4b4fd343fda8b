#include "blas.h"

#if VYRE_BENCH_PEERS
#include <cblas.h>

#include <algorithm>
#include <vector>
#endif

namespace vyre::bench {

#if VYRE_BENCH_PEERS
namespace {

int length(const Arguments& p, std::string_view name) { return static_cast<int>(p.size(name)); }

// y = alpha op(a) x + beta y
void product(CBLAS_TRANSPOSE op, int m, int n, float alpha, const float* a, const float* x,
             float beta, float* y) {
  cblas_sgemv(CblasRowMajor, op, m, n, alpha, a, n, x, 1, beta, y, 1);
}

void matvec(const Arguments& p) {
  product(CblasNoTrans, length(p, "m"), length(p, "n"), 1, p.floats("a"), p.floats("x"), 0,
          p.floats("y"));
}

void matvec_transposed(const Arguments& p) {
  product(CblasTrans, length(p, "m"), length(p, "n"), 1, p.floats("a"), p.floats("x"), 0,
          p.floats("y"));
}

void column_sums(const Arguments& p) {
  const std::vector<float> ones(p.size("m"), 1.0F);
  product(CblasTrans, length(p, "m"), length(p, "n"), 1, p.floats("a"), ones.data(), 0,
          p.floats("sums"));
}

void mvt(const Arguments& p) {
  const int n = length(p, "n");
  product(CblasNoTrans, n, n, 1, p.floats("a"), p.floats("y1"), 1, p.floats("x1"));
  product(CblasTrans, n, n, 1, p.floats("a"), p.floats("y2"), 1, p.floats("x2"));
}

void bicg(const Arguments& p) {
  const int n = length(p, "n");
  product(CblasNoTrans, n, n, 1, p.floats("a"), p.floats("p"), 0, p.floats("q"));
  product(CblasTrans, n, n, 1, p.floats("a"), p.floats("r"), 0, p.floats("s"));
}

void gesummv(const Arguments& p) {
  const int n = length(p, "n");
  product(CblasNoTrans, n, n, p.number("alpha"), p.floats("a"), p.floats("x"), 0, p.floats("y"));
  product(CblasNoTrans, n, n, p.number("beta"), p.floats("b"), p.floats("x"), 1, p.floats("y"));
}

void syrk(const Arguments& p) {
  const int n = length(p, "n"), k = length(p, "k");
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, k, p.number("alpha"), p.floats("a"), k,
              p.number("beta"), p.floats("c"), n);
}

void trmv(const Arguments& p) {
  const int n = length(p, "n");
  std::copy_n(p.floats("x"), n, p.floats("y"));
  cblas_strmv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, p.floats("l"), n,
              p.floats("y"), 1);
}

void trmm(const Arguments& p) {
  const int n = length(p, "n"), m = length(p, "m");
  std::copy_n(p.floats("b"), n * m, p.floats("c"));
  cblas_strmm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, m, 1,
              p.floats("l"), n, p.floats("c"), m);
}

void gemm(const Arguments& p, float alpha, float beta) {
  const int m = length(p, "m"), n = length(p, "n"), k = length(p, "k");
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, p.floats("a"), k,
              p.floats("b"), n, beta, p.floats("c"), n);
}

void gemm_scaled(const Arguments& p) { gemm(p, p.number("alpha"), p.number("beta")); }
void gemm_1024(const Arguments& p) { gemm(p, 1, 0); }

// With the means taken off first.
void covariance(const Arguments& p) {
  const int samples = length(p, "samples"), m = length(p, "m");
  const auto count = static_cast<std::size_t>(m);
  static std::vector<float> centred;
  centred.assign(p.floats("x"), p.floats("x") + p.size("samples") * count);
  for (std::size_t i = 0; i < centred.size(); ++i) centred[i] -= p.floats("mean")[i % count];
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, samples,
              1.0F / static_cast<float>(samples - 1), centred.data(), m, centred.data(), m, 0,
              p.floats("cov"), m);
}

void axpby(const Arguments& p) {
  cblas_saxpby(length(p, "n"), p.number("a"), p.floats("x"), 1, p.number("b"), p.floats("y"), 1);
}

void transpose(const Arguments& p) {
  const int w = length(p, "w"), h = length(p, "h");
  cblas_somatcopy(CblasRowMajor, CblasTrans, h, w, 1, p.floats("a"), w, p.floats("t"), h);
}

struct Call {
  std::string_view program;
  Loop loop;
};

constexpr Call calls[] = {
    {"matvec", matvec},
    {"matvec_transposed", matvec_transposed},
    {"column_sums", column_sums},
    {"mvt", mvt},
    {"bicg", bicg},
    {"gesummv", gesummv},
    {"syrk", syrk},
    {"trmv", trmv},
    {"trmm", trmm},
    {"gemm_scaled", gemm_scaled},
    {"gemm_1024", gemm_1024},
    {"covariance", covariance},
    {"axpby", axpby},
    {"transpose", transpose},
};

}  // namespace

Loop blas_of(std::string_view program) {
  const auto* found = std::ranges::find(calls, program, &Call::program);
  return found == std::end(calls) ? nullptr : found->loop;
}
#else
Loop blas_of(std::string_view) { return nullptr; }
#endif

}  // namespace vyre::bench
