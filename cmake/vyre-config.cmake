# find_package(vyre) gives the targets vyre::vyre, the library, and vyre::worker, the program in which
# it tries kernels. The library is static, so what it links inside is found here too.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(ZLIB)
find_dependency(PkgConfig)
pkg_check_modules(sodium REQUIRED QUIET IMPORTED_TARGET libsodium)
include(${CMAKE_CURRENT_LIST_DIR}/vyre-targets.cmake)
