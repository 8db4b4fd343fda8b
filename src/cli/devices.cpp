// `vyre devices`: what this machine has to run kernels on.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/isolate.h"
#include "cli/json_text.h"
#include "cli/print.h"
#include "cli/text.h"
#include "vyre/device/device.h"

namespace vyre::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

// Without the device's version, which follows in parentheses and is long.
std::string driver_version(const device::Adapter& adapter) {
  return adapter.driver.substr(0, adapter.driver.find(" ("));
}

std::vector<std::string> row_of(const device::Listed& listed) {
  const auto& [which, adapter] = listed;
  return {which,
          adapter.name,
          driver_version(adapter),
          fmt::format("{}", adapter.limits.compute_units),
          fmt::format("{}", adapter.limits.max_workgroup),
          readable_bytes(adapter.limits.shared_bytes),
          adapter.limits.has_f64 ? "yes" : "no"};
}

std::string as_table(const device::Listing& listing) {
  std::vector<std::vector<std::string>> rows = {
      {"DEVICE", "NAME", "DRIVER", "UNITS", "WORKGROUP", "SHARED", "F64"}};
  for (const device::Listed& listed : listing.devices) rows.push_back(row_of(listed));
  return table(rows);
}

Json as_json(const device::Listed& listed) {
  const auto& [which, adapter] = listed;
  const device::Limits& limits = adapter.limits;
  return {{"device", which},
          {"id", adapter.id()},
          {"kind", adapter.kind},
          {"platform", adapter.platform},
          {"vendor", adapter.vendor},
          {"name", adapter.name},
          {"driver", adapter.driver},
          {"cpu", adapter.is_cpu},
          {"compute_units", limits.compute_units},
          {"max_workgroup", limits.max_workgroup},
          {"max_workgroup_dims", limits.max_workgroup_dims},
          {"preferred_multiple", limits.preferred_multiple},
          {"shared_bytes", limits.shared_bytes},
          {"max_buffer_bytes", limits.max_buffer_bytes},
          {"f64", limits.has_f64}};
}

std::string as_json(const device::Listing& listing) {
  Json rows = Json::array();
  for (const device::Listed& listed : listing.devices) rows.push_back(as_json(listed));
  return json_text({{"devices", rows}});
}

ExitStatus devices(bool json) {
  const device::Listing listing = device::list();
  write_result(json ? as_json(listing) : as_table(listing));
  if (listing.opencl == device::OpenclState::ready) return done;
  flush_results();
  print_message("vyre: {}. {}\n", listing.why_no_opencl, listing.what_to_install);
  return no_such_device;
}

}  // namespace

Command devices_command() {
  return {
      .name = "devices",
      .summary =
          "List the devices of this machine, the default OpenCL device first after the "
          "reference",
      .example =
          "vyre devices\n"
          "vyre devices --json\n"
          "vyre run saxpy.vy --device opencl:0    # the first column is what --device takes",
      .declare = [](CLI::App& app) -> Action {
        const auto json = std::make_shared<bool>(false);
        app.add_flag("--json", *json, "print the devices as JSON, for scripts");
        return [json](const Environment&) {
          return isolated("listing the devices", [&] { return devices(*json); });
        };
      },
  };
}

}  // namespace vyre::cli
