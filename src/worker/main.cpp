// vyre-worker: the process in which kernels run. vyre starts it; it is of no use by hand.
//
//   vyre-worker serve SCRATCH NICENESS  answers on descriptor 3; SCRATCH is removed if the parent
//                                       dies
//   vyre-worker clean GROUP SCRATCH     removes SCRATCH when the process group is gone
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "base/memory.h"
#include "worker/process.h"
#include "worker/server.h"
#include "worker/watchdog.h"

namespace {

// Kernels that crash are expected here: no core files, and no trace of one in the system's log.
void forbid_core_files() {
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vyre::worker;
  const std::span words(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? words[1] : "";
  if (what == "clean" && argc == 4) {
    clean_after(std::atoi(words[2]), words[3]);
    return 0;
  }
  if (what != "serve" || argc != 4) {
    std::fputs("vyre-worker is started by vyre, not by hand\n", stderr);
    return 2;
  }
  forbid_core_files();
  // Before there are threads, which inherit it. Where it is refused, the worker is not as nice.
  (void)nice(std::atoi(words[3]));
  vyre::explain_lack_of_memory("vyre-worker", 1);
  // What a driver cannot write because a file may not grow further is an error that it can report.
  std::signal(SIGXFSZ, SIG_IGN);
  // One that stands still wakes when its parent ends, to end too.
  prctl(PR_SET_PDEATHSIG, SIGCONT);
  die_with_parent(channel_descriptor, words[2]);
  Channel channel(channel_descriptor);
  serve(channel);
  let_watchdog_end(channel_descriptor);
  // Drivers may hang or crash when they are taken down, and there is nothing to save.
  _exit(0);
}
