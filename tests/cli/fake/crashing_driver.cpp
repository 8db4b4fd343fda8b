// An OpenCL driver that brings down whoever loads it.
#include <cstdlib>

[[gnu::constructor]] static void crash() { std::abort(); }
