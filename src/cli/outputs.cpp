#include "cli/outputs.h"

#include <fmt/format.h>

#include "base/output.h"
#include "cli/print.h"

namespace vyre::cli {
namespace {

Result<void> check_distinct(const OutputFile& output, std::span<const OutputFile> others) {
  for (const OutputFile& other : others) {
    if (!is_same_output(output.path, other.path)) continue;
    return fail(ErrorKind::input,
                fmt::format("{} {} and {} {} are one file: give each its own", other.option,
                            other.path, output.option, output.path));
  }
  return {};
}

Result<void> check_not_read(const OutputFile& output, std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    if (!is_same_output(output.path, input)) continue;
    return fail(ErrorKind::input, fmt::format("{} {} would replace {}, which is read: give it "
                                              "another name",
                                              output.option, output.path, input));
  }
  return {};
}

}  // namespace

Result<void> check_outputs(std::span<const OutputFile> outputs,
                           std::span<const std::string> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (auto can = check_output(outputs[i].path); !can) {
      return fail(can.error().kind, fmt::format("{}: {}", outputs[i].option, can.error().message));
    }
    if (auto distinct = check_distinct(outputs[i], outputs.first(i)); !distinct) return distinct;
    if (auto unread = check_not_read(outputs[i], inputs); !unread) return unread;
  }
  return {};
}

Result<void> write_file(const std::string& path, std::string_view content) {
  flush_results();
  return write_output(path, content);
}

}  // namespace vyre::cli
