// Work in a process of its own: what a driver does to the process that opens it (abort, crash) is
// then something to report, not the end of the tool.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/print.h"
#include "vyre/base/expected.h"

namespace vyre::cli {

// The exit status of a forked process that did the work, or how it ended without one: "was killed
// by signal 6 (Aborted)". It dies with this process. Requires: this process has used no driver and
// has one thread.
[[nodiscard]] Expected<int, std::string> in_child(const std::function<int()>& work);

// A command in a process of its own. If that is brought down, a message says so, with what it was
// `doing`.
[[nodiscard]] ExitStatus isolated(std::string_view doing, const std::function<ExitStatus()>& work);

}  // namespace vyre::cli
