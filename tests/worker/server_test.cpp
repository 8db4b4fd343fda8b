// What a worker answers, without a process around it.
#include "worker/server.h"

#include <gtest/gtest.h>

#include <chrono>

#include "support/worker.h"

namespace vyre::worker {
namespace {

using testing::data_of;
using testing::row;
using testing::values_of;

using Numbers = std::vector<std::uint32_t>;

constexpr Id numbers = 1;
constexpr Id doubled = 2;

class ServerOfTheReference : public ::testing::Test {
 protected:
  ServerOfTheReference() : server_([this] { ++started_; }) {
    EXPECT_TRUE(answered<Opened>(Open{"reference", true}));
    EXPECT_TRUE(answered<Done>(Put{numbers, data_of(Numbers{1, 2, 3, 4})}));
    EXPECT_TRUE(answered<Done>(Build{doubled,
                                     "program p {\n  buffer x: u32[4] read_write\n  grid 4\n"
                                     "  x[invocation.x] = x[invocation.x] * 2\n}\n",
                                     "p", ""}));
  }

  template <class Expected>
  std::optional<Expected> answered(const Request& request) {
    Answer answer = server_.answer(request);
    auto* expected = std::get_if<Expected>(&answer);
    return expected == nullptr ? std::nullopt : std::optional(std::move(*expected));
  }

  static Launch launch() {
    return {.kernel = doubled,
            .arguments = {BufferRef{numbers, Access::read_write}},
            .shape = row(4, 64)};
  }

  int started_ = 0;
  Server server_;
};

TEST_F(ServerOfTheReference, RestoresWhatIsWrittenInPlaceBeforeEveryLaunch) {
  Launch request = launch();
  request.launches = 3;
  ASSERT_TRUE(answered<Launched>(request));
  const auto content = answered<Content>(Read{numbers});
  ASSERT_TRUE(content);
  EXPECT_EQ(values_of<std::uint32_t>(content->bytes), (Numbers{2, 4, 6, 8}));
}

TEST_F(ServerOfTheReference, RestoresItAlsoBesideBuffersThatAreOnlyRead) {
  constexpr Id steps = 3;
  constexpr Id add = 4;
  ASSERT_TRUE(answered<Done>(Put{steps, data_of(Numbers{1, 1, 1, 1})}));
  ASSERT_TRUE(answered<Done>(Build{add,
                                   "program p {\n  buffer s: u32[4] read\n"
                                   "  buffer x: u32[4] read_write\n  grid 4\n"
                                   "  x[invocation.x] = x[invocation.x] + s[invocation.x]\n}\n",
                                   "p", ""}));
  ASSERT_TRUE(answered<Launched>(
      Launch{.kernel = add,
             .arguments = {BufferRef{steps, Access::read}, BufferRef{numbers, Access::read_write}},
             .shape = row(4, 64),
             .launches = 3}));
  const auto content = answered<Content>(Read{numbers});
  ASSERT_TRUE(content);
  EXPECT_EQ(values_of<std::uint32_t>(content->bytes), (Numbers{2, 3, 4, 5}));
}

TEST_F(ServerOfTheReference, LaunchesStagesInOrderWithTheSameBuffers) {
  constexpr Id kept = 3;
  constexpr Id both = 4;
  ASSERT_TRUE(answered<Done>(Put{kept, data_of(Numbers{9, 9, 9, 9})}));
  ASSERT_TRUE(answered<Done>(Build{both,
                                   "program p {\n  buffer x: u32[4] read_write\n"
                                   "  buffer kept: u32[4] read_write\n  grid 4\n"
                                   "  kept[3 - invocation.x] = x[invocation.x]\n}\n"
                                   "program q {\n  uniform f: u32 = 1\n"
                                   "  buffer x: u32[4] read_write\n"
                                   "  buffer kept: u32[4] read_write\n  grid 2\n"
                                   "  x[invocation.x] = kept[invocation.x] * f\n}\n",
                                   "p",
                                   "",
                                   {"q"}}));
  Launch request{
      .kernel = both,
      .arguments = {BufferRef{numbers, Access::read_write}, BufferRef{kept, Access::write}},
      .shape = row(4, 64),
      .launches = 2,
      .announce = true};
  const auto refused = answered<Failed>(request);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->error.message, "kernel 4 has 2 stages, not 1");
  request.then = {{{Literal{Scalar::u32, 10}}, row(2, 64)}};
  ASSERT_TRUE(answered<Launched>(request));
  EXPECT_EQ(started_, 1);
  EXPECT_EQ(values_of<std::uint32_t>(answered<Content>(Read{numbers})->bytes),
            (Numbers{40, 30, 3, 4}));
}

// x is only read by the one that is verified; another has written to it since it was put there.
TEST_F(ServerOfTheReference, RestoresWhatIsOnlyReadWhereAllIsRestored) {
  constexpr Id reads = 3;
  ASSERT_TRUE(answered<Done>(
      Build{reads, "program p {\n  buffer x: u32[4] read\n  grid 4\n  let y = x[invocation.x]\n}\n",
            "p", ""}));
  const auto left_by = [&](Restore what) {
    EXPECT_TRUE(answered<Launched>(launch()));
    EXPECT_TRUE(answered<Launched>(Launch{.kernel = reads,
                                          .arguments = {BufferRef{numbers, Access::read}},
                                          .shape = row(4, 64),
                                          .restore = what}));
    return values_of<std::uint32_t>(answered<Content>(Read{numbers})->bytes);
  };
  EXPECT_EQ(left_by(Restore::in_place), (Numbers{2, 4, 6, 8}));
  EXPECT_EQ(left_by(Restore::written), (Numbers{2, 4, 6, 8}));
  EXPECT_EQ(left_by(Restore::all), (Numbers{1, 2, 3, 4}));
}

TEST_F(ServerOfTheReference, SendsNothingOfWhatIsAsItWasLikely) {
  constexpr Id likely = 3;
  constexpr Id unlikely = 4;
  ASSERT_TRUE(answered<Launched>(launch()));
  ASSERT_TRUE(answered<Done>(Put{likely, data_of(Numbers{2, 4, 6, 8}), false}));
  ASSERT_TRUE(answered<Done>(Put{unlikely, data_of(Numbers{2, 4, 6, 9}), false}));
  const auto same = answered<Content>(Read{numbers, likely});
  ASSERT_TRUE(same);
  EXPECT_TRUE(same->is_likely);
  EXPECT_TRUE(same->bytes.empty());
  const auto other = answered<Content>(Read{numbers, unlikely});
  ASSERT_TRUE(other);
  EXPECT_FALSE(other->is_likely);
  EXPECT_EQ(values_of<std::uint32_t>(other->bytes), (Numbers{2, 4, 6, 8}));
}

TEST_F(ServerOfTheReference, HasNoBufferForWhatIsOnlyCompared) {
  constexpr Id compared = 3;
  ASSERT_TRUE(answered<Done>(Put{compared, data_of(Numbers{1, 2, 3, 4}), false}));
  EXPECT_TRUE(answered<Failed>(Read{compared}));
  Launch request = launch();
  request.arguments = {BufferRef{compared, Access::read_write}};
  EXPECT_TRUE(answered<Failed>(request));
  EXPECT_TRUE(answered<Failed>(Read{numbers, Id{9}}));
}

// One after the other, because each needs its buffers restored.
TEST_F(ServerOfTheReference, GivesTheTimeOfAllLaunchesTogether) {
  Launch request = launch();
  request.launches = 50;
  const auto began = std::chrono::steady_clock::now();
  const auto launched = answered<Launched>(request);
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  ASSERT_TRUE(launched);
  EXPECT_GT(launched->timing.wall_ns, 0U);
  EXPECT_LE(launched->timing.wall_ns, static_cast<std::uint64_t>(took.count()));
  EXPECT_LE(launched->timing.device_ns, static_cast<std::uint64_t>(took.count()));
  EXPECT_LE(launched->timing.cpu_ns, 3'600'000'000'000U);
}

TEST_F(ServerOfTheReference, AnnouncesOnlyTheFirstLaunchAndOnlyOnRequest) {
  Launch request = launch();
  ASSERT_TRUE(answered<Launched>(request));
  EXPECT_EQ(started_, 0);
  request.launches = 3;
  request.announce = true;
  ASSERT_TRUE(answered<Launched>(request));
  EXPECT_EQ(started_, 1);
}

TEST_F(ServerOfTheReference, WhatWasDroppedIsUnknown) {
  ASSERT_TRUE(answered<Done>(Drop{numbers}));
  EXPECT_TRUE(answered<Failed>(Read{numbers}));
  const auto failed = answered<Failed>(launch());
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->error.message, "the worker has no content 1");
}

TEST(Server, KnowsNothingBeforeItIsToldItsDevice) {
  Server server([] {});
  EXPECT_TRUE(std::holds_alternative<Failed>(server.answer(Read{1})));
}

}  // namespace
}  // namespace vyre::worker
