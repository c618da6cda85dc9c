# Faster builds: ccache, one precompiled header that all libraries share, and several sources compiled together. Each can
# be turned off.
#
#   outrider_precompile(TARGET...)   these targets get the headers that most sources include
#   outrider_unite(TARGET...)        these, too, and eight of their sources are compiled at a time
#
# A source with compile options of its own takes no precompiled header (SKIP_PRECOMPILE_HEADERS) and is compiled alone. A
# forgotten #include shows only in a build with -DOUTRIDER_PCH=OFF -DOUTRIDER_UNITY=OFF. Strategies are compiled one by one:
# two of them may give different things the same name.

option(OUTRIDER_CCACHE "Compile through ccache when it is installed" ON)
option(OUTRIDER_PCH "Precompile the headers that most sources include" ON)
option(OUTRIDER_UNITY "Compile eight sources of a library at a time: a clean build takes half the time" ON)

if(OUTRIDER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE_PROGRAM ccache)
  mark_as_advanced(CCACHE_PROGRAM)
  if(CCACHE_PROGRAM)
    # Without these, ccache passes over every source that uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  endif()
endif()

if(OUTRIDER_PCH)
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp.new "// The precompiled header needs a source to belong to.\n")
  file(COPY_FILE ${PROJECT_BINARY_DIR}/precompiled.cpp.new ${PROJECT_BINARY_DIR}/precompiled.cpp ONLY_IF_DIFFERENT)
  add_library(outrider_precompiled OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(outrider_precompiled PRIVATE outrider_flags fmt::fmt)
  target_precompile_headers(outrider_precompiled PRIVATE
    <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <span> <string> <string_view> <utility>
    <variant> <vector> <fmt/format.h>)
endif()

function(outrider_precompile)
  if(OUTRIDER_PCH)
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM outrider_precompiled)
    endforeach()
  endif()
endfunction()

function(outrider_unite)
  outrider_precompile(${ARGN})
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ${OUTRIDER_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(OUTRIDER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target ${ARGN})  # GCC takes sources that are included for headers, whose types must not be local to a file
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endforeach()
  endif()
endfunction()
