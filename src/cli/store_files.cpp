#include "cli/store_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "cli/print.h"
#include "cli/program_file.h"
#include "store/directory.h"
#include "vyre/store/store.h"

namespace vyre::cli {

namespace {

// Where the environment does not name a place that counts.
std::string why_there(const Environment& environment) {
  const std::string& cache = environment.xdg_cache_home;
  if (!cache.empty() && !std::filesystem::path(cache).is_absolute()) {
    return fmt::format("XDG_CACHE_HOME is ignored: {} is not an absolute path", cache);
  }
  const bool is_set = !cache.empty() || !environment.home.empty();
  return is_set ? "" : "neither XDG_CACHE_HOME nor HOME is set";
}

}  // namespace

std::filesystem::path store_directory(const Environment& environment) {
  const auto directory = store::directory(environment.xdg_cache_home, environment.home);
  static bool is_said = false;
  if (const std::string why = why_there(environment); !why.empty() && !is_said) {
    print_message("vyre: {}: decisions are kept in {}\n", why, directory.string());
    is_said = true;
  }
  return directory;
}

std::vector<store::EntryPtr> ReadFile::entries() const {
  std::vector<store::EntryPtr> order;
  for (const auto& [key, entry] : file.entries()) order.push_back(entry);
  std::ranges::sort(order, {}, [](const store::EntryPtr& entry) {
    const auto& evidence = entry->decision.evidence;
    return std::tuple(!evidence, evidence ? evidence->program_name : "",
                      evidence ? evidence->dispatch.output_bytes : 0, entry->decision.key.digest);
  });
  return order;
}

Result<ReadFile> read_store_file(const std::filesystem::path& path, store::Pipes pipes) {
  ReadFile made{.adapter = {}, .file = store::File(path, {})};
  if (auto loaded = made.file.load(pipes); !loaded) return Unexpected(loaded.error());
  made.adapter = made.file.header().adapter;
  if (made.adapter.empty()) made.adapter = path.stem().string();
  return made;
}

Result<std::vector<ReadFile>> read_store(const Environment& environment,
                                         const std::string& adapter) {
  const auto paths = store::files(store_directory(environment));
  if (!paths) return Unexpected(paths.error());
  std::vector<ReadFile> made;
  for (const std::filesystem::path& path : *paths) {
    auto file = read_store_file(path);
    if (!file) {
      report(file.error());
      continue;
    }
    if (file->adapter.find(adapter) == std::string::npos) continue;
    print_problems(file->file);
    made.push_back(*std::move(file));
  }
  if (made.empty() && !adapter.empty()) {
    return fail(
        ErrorKind::input,
        fmt::format("the store has no adapter like '{}'; `vyre store list` names them", adapter));
  }
  return made;
}

void print_problems(const store::File& file) {
  if (!file.problems().empty()) report(file.path().string(), one_error(file.problems()));
}

}  // namespace vyre::cli
