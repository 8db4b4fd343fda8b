// batches_*: items per microsecond of batches that adapt, against fixed sizes of 32 and 1024. On a
// steady stream items are pushed one by one as fast as a thread can; on a bursty one, bursts of 1
// to 600 items are pushed at once, flushed, and waited for. Each round begins with a new queue.
#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

#include "bench.h"
#include "vyre/vyre.h"

namespace vyre::bench {
namespace {

constexpr std::size_t numbers_of_item = 64;
constexpr const char* norm_text = R"(program norm {
  uniform n: u32 = 1
  uniform k: u32 = 1
  buffer x: f32[n * k] read
  buffer y: f32[n] write
  grid n
  var squares = 0.0
  for i in 0 .. k { squares = fma(x[invocation.x * k + i], x[invocation.x * k + i], squares) }
  y[invocation.x] = sqrt(squares)
}
)";

using Norm = Kernel<const float, float>;
using Queue = Batches<const float, float>;

struct Size {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};
constexpr std::array<Size, 3> sizes = {{{32, 1024}, {32, 32}, {1024, 1024}}};

Result<Queue> queue_of(const Context& gpu, const Norm& norm, const Size& size) {
  const BatchOptions options{
      .least = size.least, .most = size.most, .room = 8192, .item = {{numbers_of_item}, {}}};
  return gpu.batches(norm, options);
}

Result<void> steady(const Queue& queue) {
  constexpr std::size_t items = 60'000;
  const std::vector<float> item(numbers_of_item, 1.0F);
  for (std::size_t i = 0; i < items; ++i) VYRE_CHECK(queue.push(item));
  return queue.flush();
}

Result<void> bursty(const Queue& queue) {
  constexpr int bursts = 200;
  std::mt19937 random(1);
  const std::vector<float> all(600 * numbers_of_item, 1.0F);
  for (int i = 0; i < bursts; ++i) {
    const std::size_t items = 1 + random() % 600;
    VYRE_CHECK(queue.push(std::span(all).first(items * numbers_of_item)));
    VYRE_CHECK(queue.flush());
    VYRE_TRY(const auto norms, queue.pull(items));
    if (norms.back() != 8) return fail(ErrorKind::run, "a wrong norm");
  }
  return {};
}

// Items per microsecond.
template <class Stream>
Result<double> rate(const Context& gpu, const Norm& norm, const Size& size, const Stream& stream) {
  VYRE_TRY(const auto queue, queue_of(gpu, norm, size));
  Result<void> done;
  const double ns = wall_ns([&] { done = stream(queue); });
  VYRE_CHECK(done);
  return static_cast<double>(queue.stats().items) / (ns / 1e3);
}

template <class Stream>
Result<std::vector<Row>> rows_of(const std::string& name, const Stream& stream) {
  constexpr int rounds = 21;
  ContextOptions options;
  options.store = "none";
  options.mode = tune::Mode::stored;
  VYRE_TRY(const auto gpu, Context::open(options));
  VYRE_TRY(const auto norm, gpu.kernel<const float, float>(norm_text));
  std::array<std::vector<double>, 3> rates;
  for (int round = -2; round < rounds; ++round) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::size_t turn = (i + static_cast<std::size_t>(round + 2)) % sizes.size();
      VYRE_TRY(const double rate_now, rate(gpu, norm, sizes[turn], stream));
      if (round >= 0) rates[turn].push_back(rate_now);
    }
  }
  std::vector<Row> rows;
  for (std::size_t fixed = 1; fixed < sizes.size(); ++fixed) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < rounds; ++r) ratios.push_back(rates[0][r] / rates[fixed][r]);
    rows.push_back(
        {.name = fmt::format("batches_{}_vs_{}", name, sizes[fixed].most),
         .value = median(ratios),
         .target = sizes[fixed].most == 32 ? 1.5 : 0.8,
         .baseline = fmt::format("the same queue with a fixed size of {}", sizes[fixed].most),
         .note = fmt::format("{:.2f} items a microsecond, fixed {:.2f}", median(rates[0]),
                             median(rates[fixed]))});
  }
  return rows;
}

}  // namespace

Benchmark batch_speed() {
  return {.names = {"batches_steady_vs_32", "batches_steady_vs_1024", "batches_bursty_vs_32",
                    "batches_bursty_vs_1024"},
          .run = []() -> Result<std::vector<Row>> {
            VYRE_TRY(auto rows, rows_of("steady", steady));
            VYRE_TRY(const auto more, rows_of("bursty", bursty));
            rows.insert(rows.end(), more.begin(), more.end());
            return rows;
          }};
}

}  // namespace vyre::bench
