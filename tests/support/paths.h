// Where the build left what tests run, and where the examples and the programs of the benchmarks
// are. Only paths.cpp knows it when it is compiled: every other test is the same in each clone, so
// that a compiler cache serves them all.
#pragma once

namespace vyre::testing::paths {

extern const char* const examples;
extern const char* const bench_programs;
extern const char* const tool;
extern const char* const worker;
extern const char* const fake_worker;
extern const char* const crashing_driver;

}  // namespace vyre::testing::paths
