# `cmake --install build --prefix P`: the program, both libraries, their headers, and what
# find_package(vyre) and pkg-config need to use them. All paths in it are relative: P may be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vyre)

install(TARGETS vyre_static vyre_shared EXPORT vyre-targets)
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

set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
foreach(to LIB INCLUDE)
  file(RELATIVE_PATH pc_to_${to} ${pc_dir} ${CMAKE_INSTALL_FULL_${to}DIR})
endforeach()
configure_file(cmake/vyre.pc.in ${PROJECT_BINARY_DIR}/vyre.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vyre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
