// The stable name of an adapter.
#include <fmt/format.h>

#include <cctype>

#include "vyre/base/hash.h"
#include "vyre/device/device.h"

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

}  // namespace

std::string Adapter::id() const {
  const std::string prefix = kind == name ? kind : kind + " " + name;
  return fmt::format("{}-{}", readable(prefix), to_hex(blake2b(identity(*this))).substr(0, 16));
}

}  // namespace vyre::device
