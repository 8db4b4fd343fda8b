#include "cli/tune_explain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vyre::cli {
namespace {

// A roof of 8 bytes read, 4 written and 16 operations in a nanosecond.
Explanation explained(const tune::Work& work, double elapsed_ns) {
  Explanation made{.work = work, .roof = {.read_bytes = 8, .written_bytes = 4, .operations = 16}};
  made.bound = tune::bound_of(work, made.roof);
  made.elapsed_ns = elapsed_ns;
  return made;
}

TEST(TuneExplain, SaysWhatBoundsAProgramAndHowNearItCame) {
  const auto moves =
      explained({.read_bytes = 8'000'000, .updated_bytes = 4'000'000, .operations = 640}, 4e6);
  EXPECT_EQ(explanation_text("saxpy", moves),
            "saxpy: bound by memory: 2.000 ms to read 8.00 MB, update 4.00 MB; 40 ns for 640 flop\n"
            "  it takes 4.000 ms: 0.50 of what memory allows\n");
  const auto computes =
      explained({.written_bytes = 40, .operations = 3'200'000, .exact = false}, 250e3);
  EXPECT_EQ(explanation_text("gemm", computes),
            "gemm: bound by arithmetic: 200.0 us for at least 3.20 Mflop; 10 ns to write 40 B\n"
            "  it takes 250.0 us: 0.80 of what arithmetic allows\n");
}

TEST(TuneExplain, SaysItOfAProgramThatDoesNothing) {
  EXPECT_EQ(explanation_text("empty", explained({}, 1000)),
            "empty: bound by memory: 0 ns to move nothing; 0 ns for 0 flop\n"
            "  it takes 1.000 us: 0.00 of what memory allows\n");
}

TEST(TuneExplain, ListsChoicesAndRefusals) {
  Explanation made = explained({.read_bytes = 8}, 1);
  made.steps = {{"vector", {{"vector", {1L, 2L, 4L}}}, ""},
                {"unroll", {}, "there is no loop"},
                {"items_x order",
                 {{"items_x", {1L, 2L, 4L, 8L, 16L, 32L}},
                  {"order", {std::string("contiguous"), std::string("jammed")}}},
                 ""}};
  const std::string text = explanation_text("p", made);
  EXPECT_TRUE(
      text.ends_with("  choices: vector=1,2,4 items_x=1..32 order=contiguous,jammed\n"
                     "  no unroll: there is no loop\n"))
      << text;
  const auto json = explanation_json(made);
  EXPECT_EQ(json.at("steps").dump(),
            R"([{"step":"vector","values":{"vector":[1,2,4]}},)"
            R"({"step":"unroll","refused":"there is no loop"},)"
            R"({"step":"items_x order","values":{"items_x":[1,2,4,8,16,32],)"
            R"("order":["contiguous","jammed"]}}])");
  EXPECT_EQ(json.at("bound_by"), "memory");
  EXPECT_EQ(json.at("bound_ns"), 1);
  EXPECT_EQ(json.at("reached"), 1);
}

}  // namespace
}  // namespace vyre::cli
