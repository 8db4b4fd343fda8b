#include "peers.h"

#include <fmt/format.h>

#include "blas.h"
#include "compare.h"
#include "halide.h"

namespace vyre::bench {

std::vector<Peer> native_peers(const Entry& entry, const Arguments& data) {
  std::vector<Peer> peers;
  peers.push_back({"OpenMP", "", entry.openmp, data.copy()});
  if (const Loop blas = blas_of(entry.name); blas != nullptr) {
    peers.push_back({"OpenBLAS", "", blas, data.copy()});
  }
  return peers;
}

std::vector<Peer> all_peers(const Entry& entry, const Arguments& data, std::string& left_out) {
  std::vector<Peer> peers = native_peers(entry, data);
  if (auto halide = Halide::load(entry.name); halide) {
    peers.push_back({"Halide", halide->schedule(),
                     [halide = *halide](const Arguments& p) { halide.run(p); }, data.copy()});
  } else {
    left_out = halide.error().message;
  }
  return peers;
}

Result<void> check_alike(const Entry& entry, const Arguments& right, std::vector<Peer>& peers) {
  for (Peer& peer : peers) {
    peer.loop(peer.data);
    const std::string where = difference(right, peer.data, entry.may_differ);
    if (where.empty()) continue;
    return fail(ErrorKind::run, fmt::format("{}: {} differs: {}", entry.name, peer.name, where));
  }
  return {};
}

}  // namespace vyre::bench
