#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "front/opened.h"
#include "support/subprocess.h"
#include "vyre/ir/build.h"
#include "vyre/ir/text.h"

namespace vyre {
namespace {

using testing::add_one_text;
using testing::must;
using testing::opened;
using testing::quiet;
using testing::scale_text;

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST(Kernels, AreCalledWithArraysOfAnySizeAndDeduceIt) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = testing::opened_on(device);
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    for (const std::size_t n : {1U, 7U, 1000U, 7U}) {
      const auto x = gpu.array(ramp(n));
      const auto y = gpu.array<float>(n);
      scale(x, y);
      const auto result = must(y.to_host());
      ASSERT_EQ(result.size(), n);
      EXPECT_EQ(result[n - 1], 2.0F * static_cast<float>(n - 1)) << device;
    }
    EXPECT_TRUE(gpu.finish());
  }
}

TEST(Kernels, TakeArraysOfBytesShortsAndHalves) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = testing::opened_on(device);
    const auto gray = must(gpu.kernel<const std::uint8_t, std::uint8_t, vyre::Half>(
        "program gray {\n  uniform n: u32 = 4\n  buffer rgb: u8[n * 3] read\n"
        "  buffer y: u8[n] write\n  buffer share: f16[n] write\n  grid n\n"
        "  let i = invocation.x\n"
        "  let sum = rgb[i * 3] * 77 + rgb[i * 3 + 1] * 150 + rgb[i * 3 + 2] * 29\n"
        "  y[i] = sum >> 8\n  share[i] = f32(sum) * 0.0000153186\n}"));
    const auto rgb = gpu.array(std::vector<std::uint8_t>{0, 0, 0, 255, 255, 255, 255, 0, 0});
    const auto y = gpu.array<std::uint8_t>(3);
    const auto share = gpu.array<Half>(3);
    gray(rgb, y, share);
    EXPECT_EQ(must(y.to_host()), (std::vector<std::uint8_t>{0, 255, 76})) << device;
    EXPECT_NEAR(must(share.to_host())[1], 1.0F, 1e-3F) << device;
    y.fill(7);
    EXPECT_EQ(must(y.slice(1, 2).to_host()), (std::vector<std::uint8_t>{7, 7})) << device;
  }
}

TEST(Kernels, TakeArraysAndUniformsOf64Bits) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = testing::opened_on(device);
    const auto mix = must(gpu.kernel<const std::int64_t, std::uint64_t>(
        "program mix {\n  uniform n: u32 = 4\n  uniform k: u64 = 1u64\n  uniform d: i64 = 1i64\n"
        "  buffer x: i64[n] read\n  buffer y: u64[n] write\n  grid n\n"
        "  y[invocation.x] = u64(x[invocation.x] / d) + k\n}",
        {{"k", 0xffff'ffff'ffff'ffffULL}, {"d", -3}}));
    const auto x = gpu.array(std::vector<std::int64_t>{-9'000'000'000, 6, 0});
    const auto y = gpu.array<std::uint64_t>(3);
    mix(x, y);
    EXPECT_EQ(must(y.to_host()), (std::vector<std::uint64_t>{2'999'999'999, ~0ULL - 2, ~0ULL}))
        << device;
    EXPECT_FALSE(mix.set("k", -1));
    EXPECT_FALSE(mix.set("d", 0xffff'ffff'ffff'ffffULL));
  }
}

TEST(Kernels, SayWhichCppTypeANarrowBufferIs) {
  const auto wrong = opened().kernel<const float, std::uint16_t>(
      "program p { buffer x: f16[4] read  buffer y: u16[4] write  grid 4\n"
      "y[invocation.x] = u32(x[invocation.x]) }");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().message.contains("kernel<const vyre::Half, std::uint16_t>"))
      << wrong.error().message;
}

TEST(Kernels, RunInTheOrderInWhichTheyWereCalled) {
  const Context gpu = opened();
  const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
  const auto x = gpu.array<std::uint32_t>(1000);
  for (int i = 0; i < 500; ++i) add_one(x);
  const auto event = add_one(x);
  EXPECT_TRUE(event.wait());
  EXPECT_TRUE(event.ended());
  EXPECT_EQ(must(x.to_host()), std::vector<std::uint32_t>(1000, 501));
}

TEST(Kernels, TakeTheUniformsThatTheyAreMadeWithAndThoseSetLater) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text, {{"factor", 3}}));
  const auto x = gpu.array(ramp(5));
  const auto y = gpu.array<float>(5);
  scale(x, y);
  EXPECT_EQ(must(y.to_host())[4], 12.0F);
  EXPECT_TRUE(scale.set("factor", 0.5));
  scale(x, y);
  EXPECT_EQ(must(y.to_host())[4], 2.0F);
  const auto z = gpu.array<float>(3);
  scale(gpu.array(ramp(3)), z);  // also for a size that was not seen before
  EXPECT_EQ(must(z.to_host())[2], 1.0F);
}

TEST(Kernels, RefuseUniformsThatDoNotExistOrDoNotFitAllAtOnce) {
  const Context gpu = opened();
  const auto wrong = gpu.kernel<const float, float>(scale_text, {{"n", 0.5}, {"f", 1}, {"n", -1}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_string(wrong.error()),
            "uniform 'n' of scale: 0.5 is no u32\n"
            "scale has no uniform 'f'\n"
            "uniform 'n' of scale: -1 is no u32");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  EXPECT_FALSE(scale.set("factor", true));
  EXPECT_FALSE(scale.set("factor", 1e300));
  EXPECT_NE(to_string(scale.set("n", 5).error()).find("deduced from the arrays"),
            std::string::npos);
}

TEST(Kernels, RefuseTheWrongTypesWithTheRightOnes) {
  const Context gpu = opened();
  const auto swapped = gpu.kernel<float, const float>(scale_text);
  ASSERT_FALSE(swapped);
  EXPECT_EQ(swapped.error().all().size(), 2U);
  EXPECT_NE(
      swapped.error().message.find("'x', is f32 and is only read: its type is const float, not "
                                   "float; it is a kernel<const float, float>"),
      std::string::npos)
      << swapped.error().message;
  EXPECT_FALSE((gpu.kernel<const std::uint32_t, float>(scale_text)));
  const auto few = gpu.kernel<const float>(scale_text);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().message, "scale takes 2 arrays, not 1; it is a kernel<const float, float>");
  static_assert(
      !std::is_invocable_v<Kernel<const float, float>, Array<std::uint32_t>, Array<float>>);
  static_assert(!std::is_invocable_v<Kernel<const float, float>, Array<float>, Array<const float>>);
  static_assert(std::is_invocable_v<Kernel<const float, float>, Array<const float>, Array<float>>);
}

TEST(Kernels, GiveAllProblemsOfATextWithTheirPlaces) {
  const auto wrong = opened().kernel<float>(
      "program p {\n  buffer x: f32[4] write\n  grid 4\n"
      "  y[0] = 1.0\n  z[0] = 2.0\n}\n");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().all().size(), 2U);
  EXPECT_EQ(wrong.error().all()[1].place.line, 5U);
}

TEST(Kernels, RefuseArraysOfAWrongSizeAndSayWhy) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto x = gpu.array<float>(10);
  const auto y = gpu.array<float>(20);
  const auto refused = scale(x, y).wait();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "argument 2 of scale, 'y', has 20 elements; it must have 10 (n, n = 10)");
  EXPECT_EQ(y.to_host().error(), refused.error());  // it was to be written
  EXPECT_TRUE(x.to_host());
  EXPECT_EQ(gpu.finish().error(), refused.error());
  EXPECT_TRUE(gpu.finish());
  EXPECT_FALSE(y.to_host());
  y.fill(1);  // written as a whole, it is good again
  EXPECT_EQ(must(y.to_host())[19], 1.0F);
}

TEST(Kernels, PassAnErrorOnToWhatDependsOnIt) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  auto u = gpu.array(ramp(8));
  auto v = gpu.array<float>(8);
  const auto other = gpu.array(ramp(8));
  const auto wrong = gpu.array<float>(9);
  const auto first = scale(wrong, v).wait();
  ASSERT_FALSE(first);
  for (int i = 0; i < 10; ++i) {
    scale(v, u);
    std::swap(u, v);
  }
  EXPECT_EQ(u.to_host().error(), first.error());
  EXPECT_EQ(v.to_host().error(), first.error());
  EXPECT_TRUE(other.to_host());
  EXPECT_EQ(gpu.finish().error(), first.error());
  scale(other, v);  // v is only written: what it held does not matter
  EXPECT_EQ(must(v.to_host())[7], 14.0F);
}

TEST(Kernels, RefuseOneArrayInTwoRolesAndOverlappingSlices) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto x = gpu.array(ramp(4096));
  EXPECT_FALSE(scale(x, x).wait());
  x.fill(1);
  EXPECT_FALSE(scale(x.slice(0, 2048), x.slice(1024, 2048)).wait());
  x.fill(1);
  ASSERT_TRUE(scale(x.slice(0, 2048), x.slice(2048, 2048)).wait());
  EXPECT_EQ(must(x.to_host())[2047], 1.0F);
  EXPECT_EQ(must(x.to_host())[2048], 2.0F);
}

TEST(Kernels, OfNoContextAndArraysOfAnotherAreRefused) {
  const Context gpu = opened();
  const Context other = opened();
  const Kernel<const float, float> none;
  const auto x = gpu.array<float>(4);
  const auto y = gpu.array<float>(4);
  EXPECT_NE(none(x, y).wait().error().message.find("never made"), std::string::npos);
  EXPECT_FALSE(y.to_host());
  EXPECT_TRUE(x.to_host());
  EXPECT_FALSE(gpu.finish());
  EXPECT_NE(none.why(), "");
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  EXPECT_NE(scale(other.array<float>(4), y).wait().error().message.find("another context"),
            std::string::npos);
  EXPECT_NE(scale(Array<float>(), y).wait().error().message.find("never made"), std::string::npos);
  EXPECT_FALSE(gpu.finish());
  EXPECT_FALSE((Context().kernel<const float, float>(scale_text)));
  EXPECT_FALSE(Context().array<float>(4).to_host());
  EXPECT_FALSE(Context().finish());
}

TEST(Kernels, AndArraysOutliveTheirContextInAnyOrder) {
  auto gpu = std::make_unique<Context>(opened());
  auto scale = std::make_unique<Kernel<const float, float>>(
      must(gpu->kernel<const float, float>(scale_text)));
  auto x = std::make_unique<Array<float>>(gpu->array(ramp(16)));
  auto y = gpu->array<float>(16);
  gpu.reset();
  const Event event = (*scale)(*x, y);
  scale.reset();
  x.reset();
  EXPECT_TRUE(event.wait());
  EXPECT_EQ(must(y.to_host())[15], 30.0F);
  y = {};
  EXPECT_TRUE(event.wait());
}

TEST(Kernels, AreCalledByManyThreadsAtOnce) {
  for (const char* device : {"reference", "opencl"}) {
    const Context gpu = testing::opened_on(device);
    const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
    const auto shared = gpu.array<std::uint32_t>(64);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        const auto own = gpu.array<std::uint32_t>(64 + t % 3);
        for (int i = 0; i < 100; ++i) {
          add_one(own);
          add_one(shared);
        }
        EXPECT_EQ(must(own.to_host())[63], 100U);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(must(shared.to_host()), std::vector<std::uint32_t>(64, 800));
  }
}

TEST(Kernels, AreCalledRecordedSlicedAndSetByThreadsAtOnce) {
  const Context gpu = opened();
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  const auto x = gpu.array(ramp(128));
  std::vector<std::thread> threads;
  const auto repeat = [&](const auto& work) {
    threads.emplace_back([&gpu, &x, work] {
      const auto y = gpu.array<float>(128);
      for (int i = 0; i < 100; ++i) work(x, y);
      EXPECT_EQ(must(y.to_host())[63], 126.0F);
    });
  };
  for (int i = 0; i < 2; ++i) {
    repeat([&](const auto& from, const auto& to) { scale(from, to); });
    repeat([&](const auto& from, const auto& to) { scale(from.slice(0, 64), to.slice(0, 64)); });
    repeat([&](const auto& from, const auto& to) { gpu.record([&] { scale(from, to); }).run(); });
    repeat([&](const auto& from, const auto& to) {
      EXPECT_TRUE(scale.set("factor", 2.0F));
      scale(from, to);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(gpu.finish());
}

TEST(Kernels, DeduceTwoSizesFromAnArrayOfTwoExtents) {
  const Context gpu = opened();
  const auto rows = must(gpu.kernel<std::uint32_t>(R"(program rows {
    uniform h: u32 = 1
    uniform w: u32 = 1
    buffer x: u32[h * w] write
    grid w, h
    x[invocation.y * w + invocation.x] = invocation.y
  })"));
  const auto x = gpu.array<std::uint32_t>({3, 5});
  rows(x);
  EXPECT_EQ(must(x.to_host()),
            (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
  const auto flat = gpu.array<std::uint32_t>(15);
  const auto refused = rows(flat).wait();
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "argument 1 of rows, 'x', has 15 elements; it must have 1 (h * w, h = 1 by default, w = 1 "
      "by default)");
  EXPECT_FALSE(gpu.finish());
}

TEST(Kernels, ComeFromBuiltProgramsToo) {
  const Context gpu = opened();
  const auto program = must(ir::parse(add_one_text));
  const auto add_one = must(gpu.kernel<std::uint32_t>(program));
  EXPECT_EQ(add_one.name(), "add_one");
  const auto x = gpu.array<std::uint32_t>(3);
  add_one(x);
  EXPECT_EQ(must(x.to_host())[2], 1U);
}

TEST(Kernels, ThatFailOnTheInterpreterNameTheStatement) {
  auto options = quiet();
  options.device = "reference";
  const Context gpu = opened(options);
  const auto beyond = must(gpu.kernel<float>(R"(program beyond {
    uniform n: u32 = 4
    uniform by: u32 = 1
    buffer x: f32[n] write
    grid n
    x[invocation.x + by] = 1.0
  })"));
  const auto x = gpu.array<float>(4);
  const auto failed = beyond(x).wait();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::run);
  EXPECT_NE(failed.error().message.find("beyond"), std::string::npos) << failed.error().message;
  EXPECT_FALSE(x.to_host());
  EXPECT_FALSE(gpu.finish());
}

// See tests/device/layer/worst_driver.cpp.
TEST(Kernels, ThatFailInTheMiddleOfTheQueueAreFoundByTheirEvents) {
  if (std::getenv("OPENCL_LAYERS") == nullptr) GTEST_SKIP() << "needs a driver that fails late";
  const Context gpu = opened();
  const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
  std::string text = add_one_text;
  const auto fails =
      must(gpu.kernel<std::uint32_t>(text.replace(text.find("add_one"), 7, "fails_later")));
  const auto x = gpu.array<std::uint32_t>(16);
  const auto y = gpu.array<std::uint32_t>(16);
  add_one(x);
  EXPECT_FALSE(fails(x).wait());  // the first call of a kernel is waited for
  x.fill(0);
  EXPECT_FALSE(gpu.finish());
  const auto step = gpu.record([&] {
    add_one(x);
    fails(x);
    add_one(x);
  });
  const auto last = step.run(3);
  const auto read = y.to_host();  // nobody knows what any array holds
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("fails_later failed while it ran"), std::string::npos)
      << read.error().message;
  EXPECT_EQ(gpu.finish().error(), read.error());
  EXPECT_TRUE(gpu.finish());
  EXPECT_TRUE(y.to_host());
}

TEST(Kernels, SearchAtTheFirstCallAndRememberForTheNextContext) {
  testing::expect_searched_once([](const Context& gpu) {
    const auto scale = must(gpu.kernel<const float, float>(scale_text));
    EXPECT_FALSE(scale.tuned());
    EXPECT_EQ(scale.why(), "scale was not called yet");
    const auto x = gpu.array(ramp(4096));
    const auto y = gpu.array<float>(4096);
    scale(x, y);
    EXPECT_EQ(must(y.to_host())[4095], 8190.0F);
    EXPECT_TRUE(scale.tuned()) << scale.why();
    EXPECT_EQ(scale.why(), "");
    EXPECT_NE(scale.configuration(), "");
  });
}

TEST(Kernels, AreTunedAheadOfTimeOnCopiesWhileSomebodyWatches) {
  const testing::TemporaryDirectory directory;
  auto options = quiet();
  options.store = directory.path().string();
  const Context gpu = opened(options);
  const auto add_one = must(gpu.kernel<std::uint32_t>(add_one_text));
  const auto x = gpu.array<std::uint32_t>(4096);
  std::size_t seen = 0;
  ASSERT_TRUE(add_one.tune(
      x,
      {.budget = std::chrono::minutes(10), .evaluations = 50, .watch = [&](TuneProgress& progress) {
         seen = progress.evaluated;
         progress.stop = seen == 3;
       }}));
  EXPECT_EQ(seen, 3U);
  EXPECT_TRUE(add_one.tuned()) << add_one.why();
  EXPECT_EQ(must(x.to_host())[0], 0U);
  add_one(x);
  EXPECT_EQ(must(x.to_host())[0], 1U);
  EXPECT_FALSE(add_one.tune(Array<std::uint32_t>()));
}

TEST(Kernels, WithoutAWorkerRunAsTheyAreAndSayWhyOnce) {
  auto log = std::make_shared<testing::Log>();
  auto options = quiet(log);
  options.mode = tune::Mode::natural;
  options.worker.program = "/dev/null/vyre-worker";
  const Context gpu = opened(options);
  const auto scale = must(gpu.kernel<const float, float>(scale_text));
  for (const std::size_t n : {64U, 128U}) {
    const auto y = gpu.array<float>(n);
    scale(gpu.array(ramp(n)), y);
    scale(gpu.array(ramp(n)), y);
    EXPECT_EQ(must(y.to_host())[1], 2.0F);
  }
  EXPECT_FALSE(scale.tuned());
  EXPECT_NE(scale.why().find("vyre-worker"), std::string::npos) << scale.why();
  ASSERT_EQ(log->lines().size(), 1U);
  EXPECT_NE(log->lines()[0].find("vyre-worker"), std::string::npos);
}

}  // namespace
}  // namespace vyre
