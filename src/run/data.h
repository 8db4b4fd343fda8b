// Content for buffers from a short description, and buffers as text.
//
//   ramp          0, 1, 2, ... (a bool ramp is false, true, false, ...)
//   random:SEED   the same numbers for a seed everywhere: floats in [-1, 1), integers of all sizes
//   fill:VALUE    one value everywhere
//   1,2,3         these values
//   @FILE         the bytes of a file, as they are
//
// ramp, random and fill may end in :COUNT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/ir/type.h"

namespace vyre::run {

// More than this for one buffer is refused.
inline constexpr std::uint64_t max_data_bytes = 1ULL << 30U;

// A description that has been read. A file is read here, once, so that it may be a pipe.
class Data {
 public:
  static Result<Data> read(std::string_view description, Scalar element);

  // How many elements the description itself asks for: its COUNT, its list's length or its file's
  // size. Empty if it leaves that open.
  [[nodiscard]] std::optional<std::uint32_t> count() const { return count_; }
  // The content. Requires: `count` is the description's own where it has one.
  [[nodiscard]] Result<std::vector<std::byte>> bytes(std::uint32_t count) &&;

 private:
  enum class Kind : std::uint8_t { ramp, random, fill, list, file };

  Data(std::string_view text, Scalar element) : text_(text), element_(element) {}
  Result<void> read_generated();
  Result<void> read_list();
  Result<void> read_file();
  [[nodiscard]] Failure refuse(std::string_view why) const;

  std::string text_;
  Scalar element_;
  Kind kind_ = Kind::list;
  std::uint64_t seed_ = 0;
  std::uint64_t value_ = 0;            // fill: the element's bits
  std::vector<std::uint64_t> values_;  // list: the elements' bits
  std::vector<std::byte> content_;     // file
  std::optional<std::uint32_t> count_;
};

// Both in one.
[[nodiscard]] Result<std::vector<std::byte>> make_data(std::string_view description, Scalar element,
                                                       std::uint32_t count);

// One element as text that a list of values reads back: "1.5", "-7", "true".
[[nodiscard]] std::string element_text(std::span<const std::byte> bytes, Scalar element,
                                       std::size_t index);

// A literal of this type from text such as "42", "-1.5", "1e3", "true".
[[nodiscard]] Result<std::uint64_t> value_bits(std::string_view text, Scalar scalar);

}  // namespace vyre::run
