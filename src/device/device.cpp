// The names of devices: the identity of an adapter, and finding and opening a device by name.
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
#include "vyre/base/hash.h"
#include "vyre/device/queue.h"

namespace vyre::device {
namespace {

constexpr std::size_t max_prefix = 48;

// Each field with its length, so that no two adapters share a text by shifting letters.
std::string identity(const Adapter& a) {
  const Limits& l = a.limits;
  std::string text = "vyre adapter v1\n";
  for (const std::string* field : {&a.kind, &a.platform, &a.vendor, &a.name, &a.driver}) {
    text += fmt::format("{}:{}\n", field->size(), *field);
  }
  text += fmt::format("{} {} {} {} {} {} {} {} {}", a.is_cpu, l.max_workgroup,
                      l.max_workgroup_dims[0], l.max_workgroup_dims[1], l.max_workgroup_dims[2],
                      l.shared_bytes, l.compute_units, l.preferred_multiple, l.has_f64);
  return text;
}

// Lower case, every run of other characters one '-'.
std::string readable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 0x80 && std::isalnum(letter) != 0) {
      out += static_cast<char>(std::tolower(letter));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
    if (out.size() == max_prefix) break;
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

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
std::vector<std::size_t> named(const std::vector<OpenclDeviceInfo>& devices,
                               std::string_view which) {
  std::vector<std::size_t> by_id;
  std::vector<std::size_t> by_name;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].adapter.id() == which) by_id.push_back(i);
    if (lower(devices[i].adapter.name).contains(lower(which))) by_name.push_back(i);
  }
  return by_id.empty() ? by_name : by_id;
}

std::string there_are(const std::vector<OpenclDeviceInfo>& devices) {
  std::vector<std::string> rows = {"reference"};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    rows.push_back(fmt::format("{} ({})", which_opencl(i), devices[i].adapter.name));
  }
  return fmt::format("there are: {}", fmt::join(rows, ", "));
}

Result<std::size_t> choose(const std::vector<OpenclDeviceInfo>& devices, std::string_view which) {
  if (const auto index = index_of(which)) {
    if (*index < devices.size()) return *index;
    return fail(ErrorKind::no_device,
                fmt::format("there is no device '{}'; {}", which, there_are(devices)));
  }
  const auto matches = which.empty() ? std::vector<std::size_t>{} : named(devices, which);
  if (matches.empty()) {
    return fail(ErrorKind::no_device,
                fmt::format("there is no device '{}'; {}", which, there_are(devices)));
  }
  // Two cards of one make are alike: the first will do. Different devices are a question.
  for (const std::size_t i : matches) {
    if (devices[i].adapter.id() != devices[matches.front()].adapter.id()) {
      return fail(ErrorKind::no_device,
                  fmt::format("'{}' fits more than one device; {}", which, there_are(devices)));
    }
  }
  return matches.front();
}

}  // namespace

std::string Adapter::id() const {
  const std::string prefix = kind == name ? kind : kind + " " + name;
  return fmt::format("{}-{}", readable(prefix), to_hex(blake2b(identity(*this))).substr(0, 16));
}

bool overlap(const Buffer& a, const Buffer& b) {
  return &a.whole() == &b.whole() && a.offset() < b.offset() + b.bytes() &&
         b.offset() < a.offset() + a.bytes();
}

Result<std::unique_ptr<Buffer>> Device::allocate_with(std::span<const std::byte> content) {
  VYRE_TRY(auto made, allocate(content.size()));
  VYRE_CHECK(write(*made, content));
  return made;
}

Result<std::unique_ptr<Buffer>> Device::slice(Buffer& /*whole*/, std::size_t /*offset*/,
                                              std::size_t /*bytes*/) {
  return fail(ErrorKind::limit, adapter().name + " has no slices of buffers");
}

Result<std::unique_ptr<Queue>> Device::make_queue(const QueueOptions& /*options*/) {
  return fail(ErrorKind::limit, adapter().name + " has no queues");
}

Listing list() {
  OpenclListing found = list_opencl();
  Listing listing{.opencl = found.state,
                  .why_no_opencl = std::move(found.why_none),
                  .what_to_install = std::move(found.what_to_install)};
  listing.devices.push_back({"reference", reference_adapter()});
  for (std::size_t i = 0; i < found.devices.size(); ++i) {
    listing.devices.push_back({which_opencl(i), std::move(found.devices[i].adapter)});
  }
  return listing;
}

Result<std::unique_ptr<Device>> open(std::string_view which) {
  if (which == "reference" || which == reference_adapter().id()) return open_reference();
  OpenclListing found = list_opencl();
  if (found.devices.empty()) {
    return fail(ErrorKind::no_device, fmt::format("cannot open device '{}': {}. {}", which,
                                                  found.why_none, found.what_to_install));
  }
  const auto index = choose(found.devices, which);
  if (!index) return Unexpected(index.error());
  return open_opencl(std::move(found.devices[*index]));
}

}  // namespace vyre::device
