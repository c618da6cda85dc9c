# Faster builds: ccache, and one precompiled header that all libraries share. Both can be turned off.
#
#   outrider_precompile(TARGET...)   these targets get the headers that most sources include
#
# A source with compile options of its own cannot take it: SKIP_PRECOMPILE_HEADERS. A forgotten #include shows only in a
# build with -DOUTRIDER_PCH=OFF.

option(OUTRIDER_CCACHE "Compile through ccache when it is installed" ON)
option(OUTRIDER_PCH "Precompile the headers that most sources include" ON)

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
