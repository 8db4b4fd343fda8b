#include "space/pipeline.h"

#include <algorithm>
#include <array>

namespace vyre::space {
namespace {

constexpr double per_lane = 4;  // steps that making a lane costs, beside a step for each column

// Stages hold a block for each column before them: where there are many, blocks are small.
std::size_t block_of(std::size_t steps) {
  constexpr std::size_t most_held = std::size_t{1} << 24;
  return std::clamp<std::size_t>(most_held / std::max<std::size_t>(steps * steps, 1), 16,
                                 max_lanes);
}

}  // namespace

Pipeline::Pipeline(Plan& plan, const Group& group, std::size_t parameters, Part& out,
                   std::uint64_t most)
    : plan_(plan),
      group_(group),
      out_(out),
      most_(most),
      block_(block_of(group.steps.size())),
      step_of_(parameters, 0),
      zeros_(max_lanes, 0),
      waiting_(group.steps.size() + 1),
      scratch_(group.steps.size()) {
  for (std::size_t step = 0; step < group.steps.size(); ++step) {
    step_of_[group.steps[step].parameter] = step;
    waiting_[step + 1].columns.assign(step + 1, std::vector<Digit>(block_));
    Scratch& scratch = scratch_[step];
    scratch.parents.resize(block_);
    scratch.values.resize(block_);
    scratch.columns.assign(step, std::vector<Digit>(block_));
    scratch.digits.assign(parameters, zeros_.data());
  }
}

bool Pipeline::run() {
  waiting_[0].lanes = 1;
  for (std::size_t step = 0; step < group_.steps.size() && !full_; ++step) drain(step);
  if (!full_) drain(group_.steps.size());
  return !full_;
}

// Works off what waits for a stage; behind the last stage rows are complete.
void Pipeline::drain(std::size_t step) {
  Waiting& waiting = waiting_[step];
  if (waiting.lanes == 0 || full_) return;
  if (step < group_.steps.size()) {
    extend(step);
  } else if (out_.size() + waiting.lanes > most_) {
    full_ = true;
  } else {
    out_.add(waiting.columns, waiting.lanes);
  }
  waiting.lanes = 0;
}

void Pipeline::extend(std::size_t step) {
  Scratch& scratch = scratch_[step];
  const std::vector<Digit>& domain = plan_.domains[group_.steps[step].parameter];
  std::size_t lanes = 0;
  const auto finish_block = [&] {
    const std::size_t kept = test(step, lanes);
    spend(step, lanes);
    pass(step, kept);
    lanes = 0;
  };
  for (std::uint32_t parent = 0; parent < waiting_[step].lanes && !full_; ++parent) {
    for (std::size_t first = 0; first < domain.size();) {
      const std::size_t count = std::min(domain.size() - first, block_ - lanes);
      std::fill_n(scratch.parents.begin() + static_cast<std::ptrdiff_t>(lanes), count, parent);
      std::copy_n(domain.begin() + static_cast<std::ptrdiff_t>(first), count,
                  scratch.values.begin() + static_cast<std::ptrdiff_t>(lanes));
      lanes += count;
      first += count;
      if (lanes == block_) finish_block();
      if (full_) return;
    }
  }
  if (lanes > 0) finish_block();
}

// Where the work is exhausted, what was tested last may be wrong: nothing goes on.
void Pipeline::spend(std::size_t step, std::size_t lanes) {
  plan_.tally.work.spend(lanes, per_lane + static_cast<double>(step));
  full_ = full_ || plan_.tally.work.exhausted();
}

// Fetches the columns that a check looks at.
void Pipeline::load(std::size_t step, const Check& check, std::size_t lanes) {
  Scratch& scratch = scratch_[step];
  for (const std::uint32_t parameter : check.columns()) {
    const std::size_t from = step_of_[parameter];
    if (from == step) {
      scratch.digits[parameter] = scratch.values.data();
      continue;
    }
    const Digit* const parents = waiting_[step].columns[from].data();
    Digit* const to = scratch.columns[from].data();
    for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] = parents[scratch.parents[lane]];
    scratch.digits[parameter] = to;
  }
}

std::size_t Pipeline::keep(Scratch& scratch, std::size_t lanes, const std::uint8_t* holds) {
  std::size_t kept = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    scratch.parents[kept] = scratch.parents[lane];
    scratch.values[kept] = scratch.values[lane];
    kept += holds[lane];
  }
  return kept;
}

std::size_t Pipeline::test(std::size_t step, std::size_t lanes) {
  std::array<std::uint8_t, max_lanes> holds;
  for (const std::size_t check : group_.steps[step].checks) {
    if (lanes == 0) break;
    load(step, plan_.checks[check], lanes);
    plan_.checks[check].test(scratch_[step].digits, lanes, holds.data(), plan_.tally);
    lanes = keep(scratch_[step], lanes, holds.data());
  }
  return lanes;
}

// Hands lanes to the next stage, which works whenever its block is full.
void Pipeline::pass(std::size_t step, std::size_t lanes) {
  Waiting& next = waiting_[step + 1];
  for (std::size_t first = 0; first < lanes && !full_;) {
    const std::size_t count = std::min(lanes - first, block_ - next.lanes);
    pass_some(step, first, count);
    first += count;
    if (next.lanes == block_) drain(step + 1);
  }
}

void Pipeline::pass_some(std::size_t step, std::size_t first, std::size_t lanes) {
  const Scratch& scratch = scratch_[step];
  Waiting& next = waiting_[step + 1];
  for (std::size_t column = 0; column < step; ++column) {
    const Digit* const from = waiting_[step].columns[column].data();
    Digit* const to = next.columns[column].data() + next.lanes;
    const std::uint32_t* const parents = scratch.parents.data() + first;
    for (std::size_t lane = 0; lane < lanes; ++lane) to[lane] = from[parents[lane]];
  }
  std::copy_n(scratch.values.begin() + static_cast<std::ptrdiff_t>(first), lanes,
              next.columns[step].begin() + static_cast<std::ptrdiff_t>(next.lanes));
  next.lanes += lanes;
}

}  // namespace vyre::space
