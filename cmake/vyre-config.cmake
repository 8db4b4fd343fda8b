# find_package(vyre) gives the target vyre::vyre. The library is static, so what it links inside is
# found here too.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(PkgConfig)
pkg_check_modules(sodium REQUIRED QUIET IMPORTED_TARGET libsodium)
include(${CMAKE_CURRENT_LIST_DIR}/vyre-targets.cmake)
