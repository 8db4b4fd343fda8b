// The programs of the benchmarks are run for minutes and rarely; that they can be read is held
// here.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/paths.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"

namespace vyre::ir {
namespace {

std::vector<std::filesystem::path> bench_programs() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(testing::paths::bench_programs)) {
    if (entry.path().extension() == ".vy") files.push_back(entry.path());
  }
  return files;
}

Result<Program> parse_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return parse(text.str());
}

TEST(BenchPrograms, AreAtLeastThirty) { EXPECT_GE(bench_programs().size(), 30U); }

TEST(BenchPrograms, AreValidAndNamedLikeTheirFiles) {
  for (const auto& file : bench_programs()) {
    const auto program = parse_file(file);
    ASSERT_TRUE(program) << file << ": " << to_string(program.error());
    EXPECT_EQ(program->name, file.stem().string());
  }
}

TEST(BenchPrograms, HaveBuffersOfTheSizesThatTheirUniformsSay) {
  for (const auto& file : bench_programs()) {
    const auto program = parse_file(file);
    ASSERT_TRUE(program) << file;
    for (const Buffer& buffer : program->buffers) {
      const auto count = evaluate_size(*program, buffer.count, {});
      ASSERT_TRUE(count) << file << ": " << buffer.name;
      EXPECT_GT(*count, 0U) << file << ": " << buffer.name;
    }
  }
}

}  // namespace
}  // namespace vyre::ir
