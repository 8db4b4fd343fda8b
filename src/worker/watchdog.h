// Lets a worker die with its parent, however that ends and whatever a kernel is doing meanwhile.
//
// A thread waits for the parent's end of the channel to close, which the system does also for a
// process that was killed. A signal at the parent's death would not do: that is sent when the
// parent's thread that started the worker ends, which may be long before its process does.
#pragma once

#include <string>

namespace vyre::worker {

// Starts the thread. When the parent is gone it lets another process remove `scratch` and kills
// this process and all in its group. Programs that a driver starts do not inherit the channel: one
// that outlived the worker would hide its end.
void die_with_parent(int channel, std::string scratch);

// Where the parent is gone, waits for that thread to end this process; else returns. A worker that
// ended by itself would leave the directory behind.
void let_watchdog_end(int channel);

// Waits until the process group is gone, then removes the directory. What that other process does.
void clean_after(int group, const std::string& scratch);

}  // namespace vyre::worker
