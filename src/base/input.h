// Opening and reading what users name as input. A pipe is read like a file (`<(...)`, a FIFO whose
// writer is there or comes soon); one that nobody writes to is refused, where open(2) would wait
// for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/disk.h"
#include "vyre/base/expected.h"

namespace vyre {

// How long a pipe may be without a writer.
inline constexpr std::chrono::milliseconds writer_patience(2'000);

// The descriptor, or why there is none, without the path.
[[nodiscard]] Expected<Descriptor, std::string> open_input(
    const std::filesystem::path& path, std::chrono::milliseconds patience = writer_patience);

// Fills `to` as far as there is something to read, and says how far; nothing if that failed, and
// errno says why.
[[nodiscard]] std::optional<std::size_t> read_into(const Descriptor& from, std::span<char> to);

// As read_into: all there is, but no more than `most` bytes.
[[nodiscard]] std::optional<std::string> read_up_to(const Descriptor& from, std::size_t most);

}  // namespace vyre
