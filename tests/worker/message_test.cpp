#include "worker/message.h"

#include <gtest/gtest.h>

#include <random>

namespace vyre::worker {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

Launch some_launch() {
  return {.kernel = 9,
          .arguments = {BufferRef{3, Access::read_write}, Literal{Scalar::f64, 1U << 20U}},
          .shape = {.grid = {100, 2, 3}, .groups = {2, 2, 3}, .workgroup = {64, 1, 1}},
          .launches = 12,
          .restore = Restore::all,
          .announce = true,
          .then = {{{Literal{Scalar::u32, 5}, Literal{Scalar::i32, 6}}, {.grid = {7, 8, 9}}},
                   {{}, {.workgroup = {1, 2, 3}}}}};
}

Answer some_opened() {
  return Opened{{.kind = "opencl", .name = "device", .is_cpu = true, .limits = {.has_f64 = true}},
                Language::vy};
}

Answer some_listing() {
  return Listed{{.devices = {{"reference", {.kind = "reference"}},
                             {"opencl:0", {.kind = "opencl", .limits = {.max_workgroup = 64}}}},
                 .opencl = device::OpenclState::ready,
                 .why_no_opencl = "why",
                 .what_to_install = "what"}};
}

TEST(Message, ARequestIsReadAsItWasWritten) {
  const auto run = decode_request(encode(Request{some_launch()}));
  ASSERT_TRUE(run);
  const auto& got = std::get<Launch>(*run);
  EXPECT_EQ(got.kernel, 9U);
  EXPECT_EQ(std::get<BufferRef>(got.arguments[0]).access, Access::read_write);
  EXPECT_EQ(std::get<Literal>(got.arguments[1]), (Literal{Scalar::f64, 1U << 20U}));
  EXPECT_EQ(got.shape, some_launch().shape);
  EXPECT_EQ(got.launches, 12U);
  ASSERT_EQ(got.then.size(), 2U);
  EXPECT_EQ(got.then[0].scalars, some_launch().then[0].scalars);
  EXPECT_EQ(got.then[0].shape, some_launch().then[0].shape);
  EXPECT_EQ(got.then[1].shape.workgroup, (Extent{1, 2, 3}));

  const auto put = decode_request(encode(Request{Put{5, data(some_bytes(100))}}));
  ASSERT_TRUE(put);
  EXPECT_EQ(*std::get<Put>(*put).content, some_bytes(100));
  const auto build = decode_request(encode(Request{Build{1, "source", "entry", "-DN=4"}}));
  ASSERT_TRUE(build);
  EXPECT_EQ(std::get<Build>(*build).options, "-DN=4");
}

TEST(Message, AnAnswerIsReadAsItWasWritten) {
  const auto opened = decode_answer(encode(some_opened()));
  ASSERT_TRUE(opened);
  EXPECT_EQ(std::get<Opened>(*opened).adapter.name, "device");
  EXPECT_TRUE(std::get<Opened>(*opened).adapter.is_cpu);
  EXPECT_EQ(std::get<Opened>(*opened).language, Language::vy);
  const auto failed = decode_answer(encode(Answer{Failed{{ErrorKind::timeout, "late"}}}));
  ASSERT_TRUE(failed);
  EXPECT_EQ(std::get<Failed>(*failed).error, (Error{ErrorKind::timeout, "late"}));
  const auto content = decode_answer(encode(Answer{Content{some_bytes(9), device::Touched{-4}}}));
  ASSERT_TRUE(content);
  EXPECT_EQ(std::get<Content>(*content).bytes, some_bytes(9));
  EXPECT_EQ(std::get<Content>(*content).touched->offset, -4);
  const auto listed = decode_answer(encode(some_listing()));
  ASSERT_TRUE(listed);
  const device::Listing& listing = std::get<Listed>(*listed).listing;
  ASSERT_EQ(listing.devices.size(), 2U);
  EXPECT_EQ(listing.devices[1].which, "opencl:0");
  EXPECT_EQ(listing.devices[1].adapter.limits.max_workgroup, 64U);
  EXPECT_EQ(listing.opencl, device::OpenclState::ready);
  EXPECT_EQ(listing.what_to_install, "what");
}

// No field has the value that it starts with: what is not read, or not written, shows.
TEST(Message, EveryFieldArrives) {
  const std::vector<Request> requests = {Open{"opencl:1", false},
                                         Put{5, data(some_bytes(100)), false},
                                         Drop{6},
                                         Build{1, "source", "entry", "-DN=4", {"then", "last"}},
                                         some_launch(),
                                         Read{7, 8}};
  for (const Request& request : requests) {
    const auto bytes = encode(request);
    const auto read = decode_request(bytes);
    ASSERT_TRUE(read) << request.index();
    EXPECT_EQ(read->index(), request.index());
    EXPECT_EQ(encode(*read), bytes) << request.index();
  }
  const device::Adapter adapter{.kind = "opencl",
                                .platform = "platform",
                                .vendor = "vendor",
                                .name = "name",
                                .driver = "driver",
                                .is_cpu = true,
                                .limits = {.max_workgroup = 1,
                                           .max_workgroup_dims = {2, 3, 4},
                                           .shared_bytes = 5,
                                           .max_buffer_bytes = 6,
                                           .compute_units = 7,
                                           .preferred_multiple = 8,
                                           .has_f64 = true}};
  const std::vector<Answer> answers = {Opened{adapter, Language::vy},
                                       Done{},
                                       Started{},
                                       Launched{{1, 2, 3}},
                                       Content{some_bytes(9), device::Touched{-4}, true},
                                       Failed{{ErrorKind::timeout, "late"}}};
  for (const Answer& answer : answers) {
    const auto bytes = encode(answer);
    const auto read = decode_answer(bytes);
    ASSERT_TRUE(read) << answer.index();
    EXPECT_EQ(read->index(), answer.index());
    EXPECT_EQ(encode(*read), bytes) << answer.index();
  }
  const auto opened = decode_answer(encode(answers[0]));
  EXPECT_EQ(std::get<Opened>(*opened).adapter.limits.max_workgroup_dims, (Extent{2, 3, 4}));
  EXPECT_EQ(std::get<Opened>(*opened).adapter.limits.compute_units, 7U);
}

TEST(Message, EveryPartOfAMessageIsRefused) {
  const std::vector<Answer> answers = {some_opened(), some_listing(), Launched{{1, 2, 3}},
                                       Content{some_bytes(9), std::nullopt},
                                       Failed{{ErrorKind::run, "why"}}};
  for (const Answer& answer : answers) {
    const auto whole = encode(answer);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_FALSE(decode_answer(std::span(whole).first(length))) << answer.index() << length;
    }
  }
  const auto run = encode(Request{some_launch()});
  for (std::size_t length = 0; length < run.size(); ++length) {
    EXPECT_FALSE(decode_request(std::span(run).first(length))) << length;
  }
}

TEST(Message, MoreThanAMessageIsRefused) {
  auto bytes = encode(Answer{Done{}});
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(decode_answer(bytes));
}

TEST(Message, ValuesThatAreNoEnumeratorsAreRefused) {
  auto bytes = encode(Answer{Failed{{ErrorKind::run, ""}}});
  bytes[1] = std::byte{200};
  EXPECT_FALSE(decode_answer(bytes));
  bytes[0] = std::byte{99};
  EXPECT_FALSE(decode_answer(bytes));
}

TEST(Message, MoreStagesThanAProgramHasAreRefused) {
  Launch launch = some_launch();
  launch.then.resize(63);
  EXPECT_TRUE(decode_request(encode(Request{launch})));
  launch.then.resize(64);
  EXPECT_FALSE(decode_request(encode(Request{launch})));
  Build build{1, "source", "entry", "", std::vector<std::string>(64, "then")};
  EXPECT_FALSE(decode_request(encode(Request{build})));
}

TEST(Message, AnyBytesAreReadWithoutHarm) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes(random() % 64);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    if (!bytes.empty()) bytes[0] = static_cast<std::byte>(random() % 8);
    (void)decode_answer(bytes);
    (void)decode_request(bytes);
  }
}

}  // namespace
}  // namespace vyre::worker
