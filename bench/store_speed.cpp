// store_open_ms: opening a store of 4 MiB. store_lookup_ns: finding a decision in it by its key.
#include <fmt/format.h>

#include <filesystem>

#include "bench.h"
#include "directory.h"
#include "store/directory.h"
#include "store/file.h"
#include "vyre/store/store.h"

namespace vyre::bench {
namespace {

const store::Owner owner{"opencl-bench", "bench", "3.1 (OpenCL 3.0 PoCL)"};

store::Decision decision(std::uint32_t n) {
  return store::decide({4, 64, 1}, {.dispatch = {.program = blake2b(fmt::format("{}", n % 100)),
                                                 .groups = store::Size{n + 1, 1, 1},
                                                 .output_bytes = 256 * (std::uint64_t{n} + 1)},
                                    .program_name = fmt::format("program{}", n % 100),
                                    .configuration = {{"tile", std::int64_t{16}},
                                                      {"unroll", std::int64_t{4}},
                                                      {"vector", std::int64_t{8}},
                                                      {"shared", true}},
                                    .elapsed = {1234.5 + n, {1200.25 + n, 1300.75 + n}},
                                    .baseline = store::Baseline{{5000.5, {4900.25, 5100.5}},
                                                                {4.0 + n, {3.75 + n, 4.25 + n}}},
                                    .samples = 31,
                                    .strategy = "natural",
                                    .vyre = "0.1.0",
                                    .date = std::chrono::sys_seconds(std::chrono::seconds(n + 1)),
                                    .driver = owner.driver});
}

// As full as a file can be: what does not fit is dropped.
Result<std::vector<store::Key>> fill(const std::filesystem::path& directory) {
  store::File file(directory / store::file_name(owner.adapter), {owner.adapter, owner.device});
  store::Changes changes;
  for (std::uint32_t n = 0; n < 8'500; ++n) {
    auto entry = store::make_entry(decision(n));
    if (!entry) return Unexpected(entry.error());
    changes.put.push_back(*std::move(entry));
  }
  if (auto saved = file.update([&](const store::Entries&) { return changes; }); !saved) {
    return Unexpected(saved.error());
  }
  std::vector<store::Key> keys;
  for (const auto& [key, entry] : file.entries()) keys.push_back(key);
  return keys;
}

double lookup_ns(const store::Store& store, const std::vector<store::Key>& keys) {
  std::size_t found = 0;
  const double all = wall_ns([&] {
    for (const store::Key& key : keys) found += store.lookup(key).decision ? 1U : 0U;
  });
  return found == keys.size() ? all / static_cast<double>(keys.size()) : 1e9;
}

Result<std::vector<Row>> measure() {
  const Directory directory;
  const auto keys = fill(directory.path());
  if (!keys) return Unexpected(keys.error());
  std::vector<double> opening;
  std::vector<double> lookups;
  for (int round = 0; round < 15; ++round) {
    std::optional<store::Store> store;
    opening.push_back(wall_ns([&] { store.emplace(directory.path(), owner); }));
    if (store->size() != keys->size()) return fail(ErrorKind::io, "the store is not complete");
    lookups.push_back(lookup_ns(*store, *keys));
  }
  const auto bytes = std::filesystem::file_size(directory.path() / store::file_name(owner.adapter));
  return std::vector<Row>{{.name = "store_open_ms",
                           .value = median(opening) / 1e6,
                           .target = 50,
                           .better = Better::lower,
                           .baseline = "fixed time",
                           .note = fmt::format("{} decisions, {} bytes", keys->size(), bytes)},
                          {.name = "store_lookup_ns",
                           .value = median(lookups),
                           .target = 200,
                           .better = Better::lower,
                           .baseline = "fixed time",
                           .note = "by key, each of them once"}};
}

}  // namespace

Benchmark store_speed() { return {{"store_open_ms", "store_lookup_ns"}, measure}; }

}  // namespace vyre::bench
