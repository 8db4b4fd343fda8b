# Several files of a folder are compiled as one, because most of the time goes into reading headers: the library takes a
# third of it. Names in the anonymous namespaces of one folder are therefore unique. Off, every file is
# compiled on its own (`make tidy` reads them so).
option(VYRE_UNITY "compile several files of a folder as one" ON)
set(unity_batch 9)

function(vyre_unity target)
  if(NOT VYRE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    list(APPEND "of_${folder}" ${source})
    list(LENGTH "of_${folder}" count)
    math(EXPR batch "(${count} - 1) / ${unity_batch}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
