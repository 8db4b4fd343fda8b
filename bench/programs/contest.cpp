#include "contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "bench.h"
#include "copy.h"
#include "directory.h"
#include "interpret/interpret.h"
#include "peers.h"
#include "rounds.h"
#include "tuned_side.h"

namespace vyre::bench {
namespace {

// What a program has to read and to write at least.
double bytes_moved(const Arguments& data) {
  double bytes = 0;
  for (const Array& array : data.arrays()) {
    const double times = array.access == Access::read_write ? 2 : 1;
    bytes += times * static_cast<double>(array.bytes.size());
  }
  return bytes;
}

std::vector<double> ratios(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> made;
  for (std::size_t i = 0; i < over.size(); ++i) made.push_back(over[i] / under[i]);
  return made;
}

// A launch of seconds is not noise.
int rounds_for(TunedSide& side, int rounds) {
  constexpr double slow = 3e8;
  return wall_ns([&] { static_cast<void>(side.launch()); }) > slow ? std::min(rounds, 2) : rounds;
}

// The last side is a copy of as many bytes where memory is the bound.
Result<std::vector<std::vector<double>>> measure(const Entry& entry, TunedSide& vyre,
                                                 std::vector<Peer>& peers, double bytes,
                                                 std::vector<Side>& sides, int rounds) {
  Result<void> good;
  sides.push_back({"vyre", [&] {
                     if (good) good = vyre.launch();
                   }});
  for (Peer& peer : peers) sides.push_back({peer.name, [&] { peer.loop(peer.data); }});
  std::unique_ptr<Copy> copy;
  if (entry.bound == Bound::memory) {
    copy = std::make_unique<Copy>(static_cast<std::size_t>(bytes) / 2);
    sides.push_back({"copy", [&] { copy->run(); }});
  }
  auto times = take_turns(sides, rounds_for(vyre, rounds));
  if (!good) return Unexpected(good.error());
  return times;
}

void add_times(Contest& contest, const std::vector<Peer>& peers, const std::vector<Side>& sides,
               const std::vector<std::vector<double>>& times) {
  contest.ms = median(times[0]) / 1e6;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const double ratio = median(ratios(times[i], times[0]));
    if (sides[i].name == "copy") {
      contest.bandwidth = ratio;
    } else {
      contest.rivals.push_back({sides[i].name, peers[i - 1].how, median(times[i]) / 1e6, ratio});
    }
  }
}

}  // namespace

const Rival& Contest::best() const { return *std::ranges::min_element(rivals, {}, &Rival::ratio); }

const Rival* Contest::find(std::string_view rival) const {
  const auto found = std::ranges::find(rivals, rival, &Rival::name);
  return found == rivals.end() ? nullptr : &*found;
}

Result<Contest> hold(const Entry& entry, device::Device& device, const ContestOptions& options) {
  VYRE_TRY(const ir::Program program, read_program(entry));
  VYRE_TRY(Arguments data, inputs(entry, program));
  std::string left_out;
  std::vector<Peer> peers = all_peers(entry, data, left_out);
  const Directory directory;
  VYRE_TRY(const Tuning tuning, tune_program(entry, data, options.seconds, directory.path()));
  VYRE_TRY(auto vyre, TunedSide::make(device, program, data, directory.path()));
  VYRE_CHECK(vyre.launch());
  VYRE_CHECK(vyre.read(data));
  VYRE_CHECK(check_alike(entry, data, peers));
  std::vector<Side> sides;
  VYRE_TRY(const auto times, measure(entry, vyre, peers, bytes_moved(data), sides, options.rounds));
  Contest contest{.entry = &entry,
                  .rivals = {},
                  .tries = tuning.tries,
                  .schedule = vyre.schedule(),
                  .problem = tuning.problem,
                  .left_out = left_out};
  add_times(contest, peers, sides, times);
  return contest;
}

namespace {

Result<void> check_tiny(const Entry& entry, const ir::Program& program) {
  const ir::Uniforms sizes = tiny_sizes(entry);
  VYRE_TRY(Arguments data, inputs(entry, program, sizes));
  std::vector<Peer> peers = native_peers(entry, data);
  std::vector<std::span<std::byte>> buffers;
  for (const Array& array : data.arrays()) buffers.push_back(array.bytes);
  VYRE_TRY(const auto ran, interpret::run(program, sizes, buffers));
  static_cast<void>(ran);
  return check_alike(entry, data, peers);
}

}  // namespace

Result<void> check_peers(const Entry& entry, std::string& left_out) {
  VYRE_TRY(const ir::Program program, read_program(entry));
  VYRE_CHECK(check_tiny(entry, program));
  VYRE_TRY(const Arguments data, inputs(entry, program));
  std::vector<Peer> peers = all_peers(entry, data, left_out);
  entry.openmp(data);
  return check_alike(entry, data, peers);
}

}  // namespace vyre::bench
