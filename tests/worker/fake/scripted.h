// A worker that computes on the reference device, but takes the times and fails as a script says:
// what a search, a race or a session makes of them can then be known beforehand.
#pragma once

#include <string_view>

#include "worker/channel.h"

namespace vyre::testing {

// "name: step step; name: step" with the names of programs. Every request to launch a program takes
// its next step, the last for ever; a new worker begins again. A program that has no steps takes a
// millisecond.
//
//   250     takes 250 microseconds a launch
//   damage  takes a millisecond, and what is read from now on is wrong
//   child   takes a millisecond, and starts a process that never ends; the log has its id
//   late    begins a second and a half later, and takes a millisecond
//   toil    begins after 300 ms of CPU time, and ends 100 ms later
//   stuck   never begins
//   hang    begins and never ends
//   fail    is reported by the driver as a failure
//   crash   brings the worker down
//
// Two steps are taken when a program is built, and stand before all others:
//
//   breaks       its compiler brings the worker down
//   breaks-once  as that, in the first worker of a session
[[noreturn]] void serve_script(worker::Channel& channel, std::string_view script);

}  // namespace vyre::testing
