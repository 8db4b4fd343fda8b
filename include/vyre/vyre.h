// The front door in one include: contexts, arrays, kernels, recorded steps, batches of items,
// mathematics on arrays, and the search for anything. C++20.
//
// The layers below have headers of their own, for those who want one of them alone:
//   vyre/ir/build.h, ir/text.h, ir/program.h    programs as values: built, parsed, printed
//   vyre/ir/compose.h                           several programs as one, in one dispatch
//   vyre/device/device.h, run/run.h             devices, and programs on them, one launch at a time
//   vyre/tune/tuned.h, store/store.h            a tuned program on a device, and its decisions
//   vyre/schedule/schedule.h                    the steps that make a family of one program
//   vyre/search/strategy.h, search/replay.h     strategies, asked and told; recorded spaces
//   vyre/trial/programs.h                       programs timed against each other in a worker
//   vyre/primitives/...                         the primitives on a device of one's own
#pragma once

#include "vyre/base/error.h"
#include "vyre/front/array.h"
#include "vyre/front/batches.h"
#include "vyre/front/context.h"
#include "vyre/front/event.h"
#include "vyre/front/kernel.h"
#include "vyre/front/mathematics.h"
#include "vyre/front/minimise.h"
#include "vyre/front/step.h"
