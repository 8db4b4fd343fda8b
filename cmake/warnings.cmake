# Warnings for vyre's own code, as errors, with g++ 12 and clang 19.
add_library(vyre_warnings INTERFACE)
target_compile_options(vyre_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-qual -Wundef -Werror
  # Aggregates with defaults are built by naming what differs.
  -Wno-missing-field-initializers
  # g++ 12 sees overlaps and overflows in std::string that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
  # libstdc++ 12's stable_sort calls what it deprecates itself, and clang reports that as ours.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

# Where files are compiled together, what one keeps to itself is in sight of the others. `make tidy` reads them alone.
if(NOT VYRE_UNITY)
  target_compile_options(vyre_warnings INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(vyre_warnings INTERFACE -Wshadow=local -Wno-subobject-linkage)
endif()

# Under sanitizers g++ takes its own checks for uses of what is not set, or for reads past an end.
if(VYRE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(vyre_warnings INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overread)
endif()
