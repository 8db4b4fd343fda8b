// What OpenCL offers on this machine: every device that compiles source text, best first.
#pragma once

#include <string>
#include <vector>

#include "device/opencl_offer.h"
#include "vyre/device/device.h"

namespace vyre::device {

struct OpenclOffers {
  std::vector<OpenclOffer> offers;  // GPUs and accelerators before CPUs, else the loader's order
  OpenclState state = OpenclState::no_loader;
  std::string why_none;         // empty if there are offers
  std::string what_to_install;  // likewise
};

[[nodiscard]] OpenclOffers opencl_offers();

}  // namespace vyre::device
