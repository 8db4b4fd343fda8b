# What was compiled before is not compiled again, also in another clone: paths in this one count as relative.
find_program(CCACHE ccache)
if(PROJECT_IS_TOP_LEVEL AND CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)  # __FILE__, which tests have
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
