// A tuned program on a real device, with a real worker and a store on disk.
#include "vyre/tune/tuned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <thread>

#include "store/directory.h"
#include "support/programs.h"
#include "support/subprocess.h"
#include "support/worker.h"
#include "tune/family.h"
#include "tune/remember.h"
#include "tune/sweep.h"
#include "vyre/run/run.h"

namespace vyre::tune {
namespace {

using namespace std::chrono_literals;
using testing::parsed;

constexpr std::uint32_t count = 4096;

// Reads and writes x: a launch too many shows.
constexpr const char* steps = R"(program steps {
  uniform n: u32 = 4096
  uniform by: u32 = 3
  buffer x: u32[n] read_write
  buffer y: u32[n] write
  grid n
  let i = invocation.x
  x[i] = x[i] + by
  y[i] = i * 2
}
)";

TuneOptions quick() { return {.evaluations = 4, .time = 10min}; }

// Everything that a test needs around tuned programs.
class TunedPrograms : public ::testing::Test {
 protected:
  TunedPrograms() : store(dir.path(), store::owner_of(device->adapter())) {}

  TunedOptions options(Mode mode = Mode::natural) {
    return {.mode = mode,
            .store = &store,
            .counters = &counters,
            .tune = quick(),
            .worker = testing::worker_options()};
  }
  Tuned tuned(const TunedOptions& how) {
    auto made = Tuned::make(*device, parsed(steps), {}, how);
    if (!made) throw std::runtime_error(made.error().message);
    return *std::move(made);
  }
  std::uint64_t counted(Count what) const { return counters.read()[what]; }

  Family family() { return *family_of(parsed(steps), {}, device->adapter().limits); }
  store::Dispatch dispatch() { return *dispatch_of(parsed(steps), {}); }
  // A decision for the member with this workgroup, measured on this device.
  store::Decision decision(const Extent& workgroup) {
    const Family all = family();
    const auto member = member_of(all, {.key = {}, .workgroup = workgroup, .evidence = {}});
    return *decision_of(
        all, *member,
        {.gain = Gain::faster,
         .compared = true,
         .elapsed = {10, {9, 11}},
         .baseline = store::Baseline{.elapsed = {30, {29, 31}}, .speedup = {3, {2.9, 3.1}}},
         .samples = 12},
        "natural");
  }

  std::unique_ptr<device::Device> device = testing::opened("opencl");
  testing::TemporaryDirectory dir;
  store::Store store;
  Counters counters;
};

// The buffers of one caller: x holds 0, 1, 2, ... at first.
class Buffers {
 public:
  explicit Buffers(device::Device& device) : device_(device) {
    std::vector<std::uint32_t> ramp(count);
    for (std::uint32_t i = 0; i < count; ++i) ramp[i] = i;
    for (auto& buffer : owned_) {
      buffer = *device.allocate(count * sizeof(std::uint32_t));
      if (!device.write(*buffer, std::as_bytes(std::span(ramp)))) throw std::runtime_error("write");
    }
  }
  [[nodiscard]] std::span<device::Buffer* const> all() {
    given_ = {owned_[0].get(), owned_[1].get()};
    return given_;
  }
  // Whether the buffers are as after launches that added `by` in all.
  [[nodiscard]] ::testing::AssertionResult were_added(std::uint32_t by) {
    std::vector<std::uint32_t> x(count);
    std::vector<std::uint32_t> y(count);
    if (!device_.read(std::as_writable_bytes(std::span(x)), *owned_[0]) ||
        !device_.read(std::as_writable_bytes(std::span(y)), *owned_[1])) {
      return ::testing::AssertionFailure() << "the buffers cannot be read";
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (x[i] == i + by && y[i] == i * 2) continue;
      return ::testing::AssertionFailure() << "at " << i << ": x " << x[i] << ", y " << y[i];
    }
    return ::testing::AssertionSuccess();
  }

 private:
  device::Device& device_;
  std::array<std::unique_ptr<device::Buffer>, 2> owned_;
  std::array<device::Buffer*, 2> given_ = {};
};

TEST_F(TunedPrograms, TuneAtTheFirstDispatchAndLoadTheDecisionEverAfter) {
  Buffers buffers(*device);
  Tuned first = tuned(options());
  EXPECT_EQ(first.status().origin, Origin::undecided);
  ASSERT_TRUE(first.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));  // tuning changed nothing
  EXPECT_EQ(first.status().origin, Origin::tuned) << first.problem();
  EXPECT_EQ(first.problem(), "");
  EXPECT_EQ(counted(Count::tunings), 1U);
  EXPECT_EQ(counted(Count::no_matches), 1U);
  EXPECT_GE(counted(Count::evaluations), 1U);
  ASSERT_TRUE(first.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(6));

  const std::uint64_t evaluations = counted(Count::evaluations);
  store::Store reopened(dir.path(), store::owner_of(device->adapter()));
  TunedOptions how = options();
  how.store = &reopened;
  Tuned second = tuned(how);
  ASSERT_TRUE(second.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(9));
  EXPECT_EQ(second.status().origin, Origin::exact);
  EXPECT_EQ(second.status().configuration, first.status().configuration);
  EXPECT_DOUBLE_EQ(second.status().speedup, first.status().speedup);
  EXPECT_EQ(counted(Count::tunings), 1U);
  EXPECT_EQ(counted(Count::evaluations), evaluations);
  EXPECT_EQ(counted(Count::exact_matches), 1U);
  EXPECT_EQ(counted(Count::dispatches), 3U);
}

TEST_F(TunedPrograms, TuneOnceHoweverManyThreadsDispatchAtOnce) {
  Tuned program = tuned(options());
  std::vector<std::unique_ptr<Buffers>> buffers;
  for (int i = 0; i < 8; ++i) buffers.push_back(std::make_unique<Buffers>(*device));
  std::atomic<int> failed = 0;
  {
    std::vector<std::jthread> threads;
    for (const auto& own : buffers) {
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) failed += program.dispatch(own->all()) ? 0 : 1;
      });
    }
  }
  EXPECT_EQ(failed, 0);
  for (const auto& own : buffers) EXPECT_TRUE(own->were_added(15));
  EXPECT_EQ(counted(Count::tunings), 1U) << program.problem();
  EXPECT_EQ(counted(Count::dispatches), 40U);
}

TEST_F(TunedPrograms, NeverMeasureWhereOnlyTheStoreIsAsked) {
  Buffers buffers(*device);
  TunedOptions how = options(Mode::stored);
  how.worker.program = "/no/such/program";  // none is started
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::original);
  EXPECT_EQ(program.status().configuration, configuration_text(family(), family().baseline));
  EXPECT_EQ(program.problem(), "");
  EXPECT_EQ(counted(Count::tunings), 0U);
  EXPECT_EQ(counted(Count::evaluations), 0U);
  EXPECT_EQ(store.size(), 0U);
}

TEST_F(TunedPrograms, RunAsTheyAreWithoutAStore) {
  Buffers buffers(*device);
  TunedOptions how = options(Mode::stored);
  how.store = nullptr;
  how.counters = nullptr;
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
}

TEST_F(TunedPrograms, RunAsTheyAreIfTheDecisionIsForAConfigurationThatIsNoMore) {
  store::Decision old = decision({256, 1, 1});
  old.evidence->configuration.push_back({"prefetch", std::int64_t{2}});
  ASSERT_TRUE(store.record(old));
  Buffers buffers(*device);
  Tuned program = tuned(options(Mode::stored));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::original);
  EXPECT_EQ(program.problem(),
            "the stored decision (exact) is not used: the decision is not one of steps: it has no "
            "parameter prefetch");
}

TEST_F(TunedPrograms, RunAsTheyAreIfThereIsNoWorker) {
  Buffers buffers(*device);
  TunedOptions how = options();
  how.worker.program = "/no/such/program";
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::original);
  EXPECT_NE(program.problem().find("steps could not be tuned and runs as it is"),
            std::string::npos);
  EXPECT_NE(program.problem().find("/no/such/program"), std::string::npos) << program.problem();
  EXPECT_EQ(counted(Count::tunings), 0U);
  EXPECT_EQ(counted(Count::runtime_failures), 1U);
  EXPECT_EQ(store.size(), 0U);
  ASSERT_TRUE(program.dispatch(buffers.all()));  // it is not tried again
  EXPECT_EQ(counted(Count::runtime_failures), 1U);
}

TEST_F(TunedPrograms, TakeADecisionOfAnotherSizeWhereOnlyTheStoreIsAsked) {
  store::Decision other = decision({256, 1, 1});
  other.evidence->dispatch.groups = store::Size{1000, 1, 1};
  ASSERT_TRUE(store.record(store::decide(other.workgroup, *other.evidence)));
  Buffers buffers(*device);
  Tuned program = tuned(options(Mode::stored));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::nearest_size);
  EXPECT_DOUBLE_EQ(program.status().speedup, 3);
  EXPECT_TRUE(program.status().configuration.starts_with("wg_x=256 "));
  EXPECT_EQ(counted(Count::nearest_matches), 1U);
}

TEST_F(TunedPrograms, TakeADecisionOfAnotherAdapterWhereOnlyTheStoreIsAsked) {
  store::Store other(dir.path(), {"opencl-other", "other", "1"});
  ASSERT_TRUE(other.record(decision({256, 1, 1})));
  Buffers buffers(*device);
  Tuned program = tuned(options(Mode::stored));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::other_adapter);
  EXPECT_TRUE(program.status().configuration.starts_with("wg_x=256 "));
  EXPECT_EQ(counted(Count::other_adapter_matches), 1U);
}

TEST_F(TunedPrograms, TryADecisionOfAnotherDriverFirstAndReplaceIt) {
  store::Decision old = decision({512, 1, 1});
  old.evidence->driver = "another";
  ASSERT_TRUE(store.record(old));
  Buffers buffers(*device);
  TunedOptions how = options();
  how.tune.evaluations = 2;  // the original and the guess
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::tuned) << program.problem();
  const Family all = family();
  const std::vector<std::string> tried = {configuration_text(all, all.baseline),
                                          configuration_text(all, *member_of(all, old))};
  EXPECT_NE(std::ranges::find(tried, program.status().configuration), tried.end());
  EXPECT_FALSE(store.lookup(dispatch()).other_driver);
}

TEST_F(TunedPrograms, HonourTheShortForm) {
  std::ofstream(dir.path() / store::file_name(device->adapter().id()))
      << '"' << store::to_string(store::key_of(dispatch())) << "\" = [128, 1, 1]\n";
  store::Store written(dir.path(), store::owner_of(device->adapter()));
  ASSERT_EQ(written.size(), 1U);
  Buffers buffers(*device);
  TunedOptions how = options();
  how.store = &written;
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::exact) << program.problem();
  EXPECT_TRUE(program.status().configuration.starts_with("wg_x=128 "));
  EXPECT_EQ(counted(Count::evaluations), 0U);
}

TEST_F(TunedPrograms, HonourAWorkgroupOfTheShortFormThatIsNoCandidate) {
  ASSERT_TRUE(store.record({.key = key_of(dispatch()), .workgroup = {96, 1, 1}, .evidence = {}}));
  Buffers buffers(*device);
  Tuned program = tuned(options());
  ASSERT_TRUE(program.dispatch(buffers.all())) << program.problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::exact) << program.problem();
  EXPECT_EQ(program.status().configuration, "wg_x=96 wg_y=1 wg_z=1");
  EXPECT_EQ(counted(Count::tunings), 0U);
}

TEST_F(TunedPrograms, RunAsTheyAreIfTheDecisionIsMoreThanTheDeviceAllows) {
  ASSERT_TRUE(
      store.record({.key = key_of(dispatch()), .workgroup = {1 << 19, 1, 1}, .evidence = {}}));
  Buffers buffers(*device);
  Tuned program = tuned(options(Mode::stored));
  ASSERT_TRUE(program.dispatch(buffers.all())) << program.problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::original);
  EXPECT_NE(program.problem(), "");
}

// The real device, but for launches in groups of so many: as if the kernel needed more registers
// than that many invocations can have.
class ShortOfRegisters : public device::Device {
 public:
  ShortOfRegisters(device::Device& real, std::uint32_t workgroup)
      : real_(real), workgroup_(workgroup) {}
  const device::Adapter& adapter() const override { return real_.adapter(); }
  Language language() const override { return real_.language(); }
  Result<std::unique_ptr<device::Module>> compile(const std::string& source,
                                                  const std::string& options) override {
    return real_.compile(source, options);
  }
  Result<std::unique_ptr<device::Buffer>> allocate(std::size_t bytes) override {
    return real_.allocate(bytes);
  }
  Result<std::unique_ptr<device::Buffer>> allocate_guarded(std::size_t bytes) override {
    return real_.allocate_guarded(bytes);
  }
  Result<std::optional<device::Touched>> check_guards(device::Buffer& buffer) override {
    return real_.check_guards(buffer);
  }
  Result<void> write(device::Buffer& to, std::span<const std::byte> from) override {
    return real_.write(to, from);
  }
  Result<void> read(std::span<std::byte> to, const device::Buffer& from) override {
    return real_.read(to, from);
  }
  Result<void> launch(device::Kernel& kernel, std::span<const device::Argument> arguments,
                      const Shape& shape) override {
    if (shape.workgroup[0] == workgroup_) return fail(ErrorKind::device, "out of registers");
    return real_.launch(kernel, arguments, shape);
  }
  Result<device::Timing> time(device::Kernel& kernel, std::span<const device::Argument> arguments,
                              const Shape& shape, const device::TimeOptions& how) override {
    return real_.time(kernel, arguments, shape, how);
  }

 private:
  device::Device& real_;
  std::uint32_t workgroup_;
};

TEST_F(TunedPrograms, RunAsTheyAreIfTheDecisionCannotBeLaunched) {
  ASSERT_TRUE(store.record({.key = key_of(dispatch()), .workgroup = {96, 1, 1}, .evidence = {}}));
  ShortOfRegisters weak(*device, 96);
  auto program = Tuned::make(weak, parsed(steps), {}, options());
  ASSERT_TRUE(program) << program.error().message;
  Buffers buffers(*device);
  ASSERT_TRUE(program->dispatch(buffers.all())) << program->problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program->status().origin, Origin::original);
  EXPECT_EQ(program->problem(),
            "wg_x=96 wg_y=1 wg_z=1 cannot be launched and steps runs as it is: out of registers");
}

TEST_F(TunedPrograms, SweepTheCandidatesAndKeepTheFastest) {
  Buffers buffers(*device);
  Tuned program = tuned(options(Mode::sweep));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::tuned) << program.problem();
  const auto candidates = candidates_1d(device->adapter().limits.max_workgroup);
  const auto found = store.lookup(dispatch());
  ASSERT_EQ(found.match, store::Match::exact);
  EXPECT_NE(std::ranges::find(candidates, found.decision->workgroup), candidates.end());
  EXPECT_EQ(found.decision->evidence->strategy, "sweep");
  EXPECT_EQ(counted(Count::tunings), 1U);
  EXPECT_EQ(counted(Count::evaluations), options().tune.evaluations);
}

// Of workgroups of 64 (the original), 128, which computes something else, and 256.
TEST_F(TunedPrograms, SweepPastACandidateThatFails) {
  const auto space =
      space::Space::of({{"wg_x", {64L, 128L, 256L}}}, std::vector<space::Digit>{0, 1, 2});
  const auto member = [&](space::Index index) -> Result<ir::Program> {
    ir::Program program = parsed(steps);
    program.workgroup = {64U << index, 1, 1};
    if (index == 1) program.body.pop_back();
    return program;
  };
  auto swept = family_of({.name = "steps", .space = *space, .member = member}, {});
  ASSERT_TRUE(swept) << swept.error().message;
  auto made = Tuned::make(*device, *std::move(swept), {}, options(Mode::sweep));
  ASSERT_TRUE(made) << made.error().message;
  Buffers buffers(*device);
  ASSERT_TRUE(made->dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(made->status().origin, Origin::tuned) << made->problem();
  EXPECT_NE(made->status().configuration, "wg_x=128");
  EXPECT_EQ(counted(Count::evaluations), 3U);
  EXPECT_EQ(counted(Count::wrong_results), 1U);
}

// The other member is right only where x is 0 or 1, which it is not: x is what the caller has in
// it.
TEST_F(TunedPrograms, AreTunedOnWhatTheCallersBuffersHold) {
  const auto space = space::Space::of({{"m", {0L, 1L}}}, std::vector<space::Digit>{0, 1});
  const auto member = [](space::Index index) -> Result<ir::Program> {
    return parsed(std::string("program p {\n  buffer x: u32[4096] read_write\n"
                              "  buffer y: u32[4096] write\n  grid 4096\n  let i = invocation.x\n"
                              "  y[i] = i * 2\n  x[i] = ") +
                  (index == 0 ? "x[i] * 3" : "x[i] * x[i] * 3") + "\n}\n");
  };
  auto all = family_of({.name = "p", .space = *space, .member = member}, {});
  ASSERT_TRUE(all) << all.error().message;
  auto made = Tuned::make(*device, *std::move(all), {}, options());
  Buffers buffers(*device);
  ASSERT_TRUE(made->dispatch(buffers.all())) << made->problem();
  EXPECT_EQ(counted(Count::evaluations), 2U);
  EXPECT_EQ(counted(Count::wrong_results), 1U);
  EXPECT_EQ(made->status().configuration, "m=0");
}

TEST_F(TunedPrograms, RunAsTheyAreIfAMemberThatWasDecidedCannotBeLaunched) {
  ASSERT_TRUE(store.record(decision({256, 1, 1})));
  ShortOfRegisters weak(*device, 256);
  auto program = Tuned::make(weak, parsed(steps), {}, options());
  ASSERT_TRUE(program) << program.error().message;
  Buffers buffers(*device);
  ASSERT_TRUE(program->dispatch(buffers.all())) << program->problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program->status().origin, Origin::original);
  EXPECT_EQ(program->status().configuration, configuration_text(family(), family().baseline));
  EXPECT_DOUBLE_EQ(program->status().speedup, 1);
  EXPECT_NE(program->problem().find("cannot be launched and steps runs as it is"),
            std::string::npos);
  ASSERT_TRUE(program->dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(6));
}

TEST_F(TunedPrograms, RefuseWrongBuffersAndStayUndecided) {
  Buffers buffers(*device);
  Tuned program = tuned(options());
  const auto refused = program.dispatch(buffers.all().first(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "program steps has 2 buffers, 1 were given");
  EXPECT_EQ(program.status().origin, Origin::undecided);
  EXPECT_EQ(counted(Count::dispatches), 0U);
}

TEST_F(TunedPrograms, RefuseWrongBuffersAlsoWhereTheStoreHasADecision) {
  ASSERT_TRUE(store.record(decision({256, 1, 1})));
  Buffers buffers(*device);
  Tuned program = tuned(options());
  ASSERT_FALSE(program.dispatch(buffers.all().first(1)));
  EXPECT_EQ(program.status().origin, Origin::undecided);
  ASSERT_TRUE(program.dispatch(buffers.all())) << program.problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::exact);
  EXPECT_EQ(program.problem(), "");
}

TEST_F(TunedPrograms, HaveUniformsThatCanBeSetBeforeAndAfterTheyAreDecided) {
  ASSERT_TRUE(store.record(decision({256, 1, 1})));
  Buffers buffers(*device);
  Tuned program = tuned(options());
  ASSERT_TRUE(program.set("by", testing::literal_u32(10)));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(10));
  EXPECT_EQ(program.status().origin, Origin::exact);
  ASSERT_TRUE(program.set("by", testing::literal_u32(1)));
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(11));
  EXPECT_FALSE(program.set("n", testing::literal_u32(1)));
}

TEST_F(TunedPrograms, AreNotMadeWithUniformsThatTheProgramDoesNotHave) {
  EXPECT_FALSE(Tuned::make(*device, parsed(steps), {{"m", testing::literal_u32(1)}}, options()));
}

// As with a program whose launches take longer than there is time for attempts.
TEST_F(TunedPrograms, AreTunedAnotherTimeIfOnlyTheDefaultWasTried) {
  Buffers buffers(*device);
  TunedOptions how = options();
  how.tune.evaluations = 1;
  Tuned program = tuned(how);
  ASSERT_TRUE(program.dispatch(buffers.all()));
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program.status().origin, Origin::original);
  EXPECT_EQ(program.problem(), "only the default was tried; nothing is remembered");
  EXPECT_EQ(store.size(), 0U);
  Tuned later = tuned(options());
  ASSERT_TRUE(later.dispatch(buffers.all()));
  EXPECT_EQ(later.status().origin, Origin::tuned) << later.problem();
  EXPECT_EQ(store.size(), 1U);
}

TEST_F(TunedPrograms, AreNotTunedWhereThereIsNothingToChoose) {
  const auto space = space::Space::of({{"m", {0L}}}, std::vector<space::Digit>{0});
  auto only =
      family_of({.name = "steps",
                 .space = *space,
                 .member = [](space::Index) -> Result<ir::Program> { return parsed(steps); }},
                {});
  ASSERT_TRUE(only) << only.error().message;
  TunedOptions how = options();
  how.worker.program = "/no/such/program";  // none is started
  auto program = Tuned::make(*device, *std::move(only), {}, how);
  Buffers buffers(*device);
  ASSERT_TRUE(program->dispatch(buffers.all())) << program->problem();
  EXPECT_TRUE(buffers.were_added(3));
  EXPECT_EQ(program->problem(), "");
  EXPECT_EQ(store.size(), 0U);
}

}  // namespace
}  // namespace vyre::tune
