# Faster builds: ccache, one precompiled header that all libraries share, and several sources compiled together. Each can
# be turned off.
#
#   outrider_unite(TARGET...)   these targets get the headers that most sources include, and up to forty of their sources
#                               are compiled at a time
#   outrider_cold(TARGET...)    these are little optimised in a release build: no run waits for them
#   outrider_unite_tests(TARGET [HEADER...])
#                               tests: likewise, with a precompiled header of doctest and HEADERs
#
# A source with compile options of its own takes no precompiled header (SKIP_PRECOMPILE_HEADERS) and is compiled alone. A
# forgotten #include shows only in a build with -DOUTRIDER_PCH=OFF -DOUTRIDER_UNITY=OFF.

option(OUTRIDER_CCACHE "Compile through ccache when it is installed" ON)
option(OUTRIDER_PCH "Precompile the headers that most sources include" ON)
option(OUTRIDER_UNITY "Compile the sources of a library together: a clean build takes much less time" ON)

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

function(outrider_unite)
  if(OUTRIDER_PCH)
    foreach(target ${ARGN})
      target_precompile_headers(${target} REUSE_FROM outrider_precompiled)
    endforeach()
  endif()
  outrider_batches(${ARGN})
endfunction()

function(outrider_batches)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ${OUTRIDER_UNITY} UNITY_BUILD_BATCH_SIZE 40)
  if(OUTRIDER_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target ${ARGN})  # GCC takes sources that are included for headers, whose types must not be local to a file
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endforeach()
  endif()
endfunction()

function(outrider_cold)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

function(outrider_unite_tests target)
  outrider_batches(${target})
  target_compile_options(${target} PRIVATE -Og)
  target_compile_definitions(${target} PRIVATE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  if(OUTRIDER_PCH)
    target_precompile_headers(${target} PRIVATE <algorithm> <chrono> <cmath> <filesystem> <fstream> <functional> <map>
      <memory> <optional> <set> <span> <sstream> <string> <thread> <vector> <doctest/doctest.h> <fmt/format.h> ${ARGN})
  endif()
endfunction()
