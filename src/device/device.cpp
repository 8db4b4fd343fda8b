// Finding and opening devices by name.
#include "vyre/device/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "device/opencl_device.h"
#include "device/opencl_platform.h"
#include "device/reference_device.h"

namespace vyre::device {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string which_opencl(std::size_t index) { return fmt::format("opencl:{}", index); }

std::optional<std::size_t> index_of(std::string_view which) {
  if (which == "opencl" || which == "default") return 0;
  constexpr std::string_view prefix = "opencl:";
  if (!which.starts_with(prefix)) return std::nullopt;
  which.remove_prefix(prefix.size());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), index);
  if (error != std::errc{} || end != which.data() + which.size()) return std::nullopt;
  return index;
}

// The devices that the text names: all whose id it is, else all whose name contains it.
std::vector<std::size_t> named(const std::vector<OpenclOffer>& offers, std::string_view which) {
  std::vector<std::size_t> by_id;
  std::vector<std::size_t> by_name;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (offers[i].adapter.id() == which) by_id.push_back(i);
    if (lower(offers[i].adapter.name).contains(lower(which))) by_name.push_back(i);
  }
  return by_id.empty() ? by_name : by_id;
}

std::string there_are(const std::vector<OpenclOffer>& offers) {
  std::vector<std::string> rows = {"reference"};
  for (std::size_t i = 0; i < offers.size(); ++i) {
    rows.push_back(fmt::format("{} ({})", which_opencl(i), offers[i].adapter.name));
  }
  return fmt::format("there are: {}", fmt::join(rows, ", "));
}

Result<std::size_t> choose(const std::vector<OpenclOffer>& offers, std::string_view which) {
  if (const auto index = index_of(which)) {
    if (*index < offers.size()) return *index;
    return fail(ErrorKind::no_device,
                fmt::format("there is no device '{}'; {}", which, there_are(offers)));
  }
  const auto matches = which.empty() ? std::vector<std::size_t>{} : named(offers, which);
  if (matches.empty()) {
    return fail(ErrorKind::no_device,
                fmt::format("there is no device '{}'; {}", which, there_are(offers)));
  }
  // Two cards of one make are alike: the first will do. Different devices are a question.
  for (const std::size_t i : matches) {
    if (offers[i].adapter.id() != offers[matches.front()].adapter.id()) {
      return fail(ErrorKind::no_device,
                  fmt::format("'{}' fits more than one device; {}", which, there_are(offers)));
    }
  }
  return matches.front();
}

}  // namespace

Listing list() {
  OpenclOffers found = opencl_offers();
  Listing listing{.opencl = found.state,
                  .why_no_opencl = std::move(found.why_none),
                  .what_to_install = std::move(found.what_to_install)};
  listing.devices.push_back({"reference", reference_adapter()});
  for (std::size_t i = 0; i < found.offers.size(); ++i) {
    listing.devices.push_back({which_opencl(i), std::move(found.offers[i].adapter)});
  }
  return listing;
}

Result<std::unique_ptr<Device>> open(std::string_view which) {
  if (which == "reference" || which == reference_adapter().id()) return open_reference();
  OpenclOffers found = opencl_offers();
  if (found.offers.empty()) {
    return fail(ErrorKind::no_device, fmt::format("cannot open device '{}': {}. {}", which,
                                                  found.why_none, found.what_to_install));
  }
  const auto index = choose(found.offers, which);
  if (!index) return std::unexpected(index.error());
  return open_opencl(std::move(found.offers[*index]));
}

}  // namespace vyre::device
