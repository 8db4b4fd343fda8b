// Generated programs with a schedule each: what every step's own agreement test does with them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "interpret/interpret.h"
#include "ir/visit.h"
#include "run/data.h"
#include "schedule/schedule_space.h"
#include "support/agree.h"
#include "vyre/device/device.h"
#include "vyre/ir/size.h"
#include "vyre/ir/text.h"
#include "vyre/run/run.h"
#include "vyre/schedule/schedule.h"
#include "vyre/space/enumerate.h"

namespace vyre::schedule {

struct Case {
  ir::Program program;
  Schedule schedule;
};
using MakeCase = std::function<Case(std::uint64_t seed)>;

inline bool adds_to(const ir::Program& program, const ir::Buffer& buffer) {
  return ir::any_stmt(program.body, [&](const ir::Stmt& stmt) {
    const auto* add = ir::as<ir::AtomicAdd>(stmt);
    return add != nullptr && add->buffer == buffer.name;
  });
}

// The program with what the text says, over the program as it is.
inline Result<ir::Program> scheduled_as(const ir::Program& program, std::string_view text) {
  return apply(program, parse_schedule(text, default_schedule(program)).value());
}

// Random numbers for every global buffer; what floats are added to by atomics starts at zero, so
// that sums of whole numbers are exact.
inline testing::Content content_of(const ir::Program& program) {
  testing::Content content;
  for (const ir::Buffer& buffer : program.buffers) {
    if (buffer.memory != ir::Memory::global) continue;
    const auto count = ir::evaluate_size(program, buffer.count);
    const bool is_sum = program.reassociate && is_float(buffer.element) && adds_to(program, buffer);
    const char* data = is_sum ? "fill:0" : "random:1";
    content.push_back(run::make_data(data, buffer.element, count.value()).value());
  }
  return content;
}

inline testing::Content left_by_interpreter(const ir::Program& program, testing::Content content) {
  const auto ran = interpret::run(program, {}, testing::spans(content));
  EXPECT_TRUE(ran) << to_string(ran.error()) << "\n" << print(program);
  return content;
}

inline testing::Content left_by_interpreter(const ir::Program& program) {
  return left_by_interpreter(program, content_of(program));
}

// Whether a search of two units has the parameter to choose from.
inline bool is_offered(const ir::Program& program, const ir::Uniforms& sizes,
                       std::string_view parameter) {
  const auto space = schedule_space(program, {.compute_units = 2}, sizes).value();
  return std::ranges::find(space.parameters, parameter, &space::Parameter::name) !=
         space.parameters.end();
}

// Of about so many members of a space, all that have more than one of these groups are legal, and
// made in two stages; so many there are at least.
inline void expect_legal_stages(const ir::Program& program, const ir::Uniforms& sizes,
                                std::string_view groups, space::Index members,
                                std::size_t at_least) {
  const auto definition = schedule_space(program, {.compute_units = 2}, sizes).value();
  const space::Space space = space::enumerate(definition).value().space;
  std::size_t in_stages = 0;
  for (space::Index i = 0; i < space.size(); i += 1 + space.size() / members) {
    const Schedule schedule = schedule_of(program, space, i);
    if (schedule[groups] == 1) continue;
    const auto made = apply(program, schedule);
    ASSERT_TRUE(made) << to_string(schedule) << ": " << made.error().message;
    in_stages += made->then.size();
  }
  EXPECT_GT(in_stages, at_least);
}

// The scheduled programs of the seeds 0 .. seeds give the same bits on the interpreter; of that
// many at least, the schedule is legal.
inline void expect_same_bits(const MakeCase& make, std::uint64_t seeds, int at_least) {
  int applied = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Case from = make(seed);
    const auto made = apply(from.program, from.schedule);
    if (!made) continue;
    ++applied;
    ASSERT_EQ(left_by_interpreter(*made, content_of(from.program)),
              left_by_interpreter(from.program))
        << to_string(from.schedule) << "\n"
        << print(from.program) << print(*made);
  }
  EXPECT_GE(applied, at_least);
}

// The first `count` legal ones agree on the OpenCL device with the original on the interpreter.
inline void expect_agreement_on_device(const MakeCase& make, std::size_t count) {
  auto device = device::open("opencl");
  ASSERT_TRUE(device) << to_string(device.error());
  std::vector<ir::Program> from;
  std::vector<run::Request> requests;
  for (std::uint64_t seed = 1000; requests.size() < count; ++seed) {
    const Case one = make(seed);
    const auto made = apply(one.program, one.schedule);
    if (!made) continue;
    from.push_back(one.program);
    requests.push_back({*made, {}});
  }
  auto executables = run::compile(**device, requests);
  ASSERT_TRUE(executables) << to_string(executables.error());
  for (std::size_t i = 0; i < from.size(); ++i) {
    testing::Content got = content_of(from[i]);
    const auto ran = testing::launch_on(**device, (*executables)[i], got);
    ASSERT_TRUE(ran) << to_string(ran.error());
    const auto differs = testing::first_difference(from[i], left_by_interpreter(from[i]), got);
    EXPECT_FALSE(differs) << *differs << "\n" << print(requests[i].program);
  }
}

}  // namespace vyre::schedule
