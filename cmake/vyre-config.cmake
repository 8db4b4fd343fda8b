# find_package(vyre) gives the targets vyre::static and vyre::shared, the library; vyre::vyre, the one of
# the two that BUILD_SHARED_LIBS asks for; and vyre::worker, the program in which kernels are tried. The
# library finds that by itself: whoever links it is compiled with where this package is.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(ZLIB)
find_dependency(PkgConfig)
pkg_check_modules(sodium REQUIRED QUIET IMPORTED_TARGET libsodium)
include(${CMAKE_CURRENT_LIST_DIR}/vyre-targets.cmake)

if(NOT TARGET vyre::vyre)
  add_library(vyre::vyre INTERFACE IMPORTED)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(vyre::vyre INTERFACE vyre::shared)
  else()
    target_link_libraries(vyre::vyre INTERFACE vyre::static)
  endif()
endif()
