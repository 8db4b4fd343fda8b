# `cmake --install build --prefix P`: the program, the library, its headers, and what
# find_package(vyre) needs to use them.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)

install(TARGETS vyre_library EXPORT vyre-targets)
install(EXPORT vyre-targets NAMESPACE vyre:: DESTINATION ${package_dir})
install(DIRECTORY include/vyre DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS vyre_worker EXPORT vyre-targets DESTINATION ${worker_dir})
if(TARGET vyre)
  install(TARGETS vyre)
endif()

# Before 1.0 a minor version may break the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vyre-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/vyre-config.cmake ${PROJECT_BINARY_DIR}/vyre-config-version.cmake
  DESTINATION ${package_dir})
