#include "support/paths.h"

namespace vyre::testing::paths {

const char* const examples = VYRE_EXAMPLES;
const char* const bench_programs = VYRE_BENCH_PROGRAMS;
const char* const tool = VYRE_TOOL;
const char* const worker = VYRE_WORKER;
const char* const fake_worker = VYRE_FAKE_WORKER;
const char* const crashing_driver = VYRE_CRASHING_DRIVER;

}  // namespace vyre::testing::paths
