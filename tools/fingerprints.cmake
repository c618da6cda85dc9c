# Writes OUTPUT, only when it changes: a hash of the sources that decide what happens in a run (the library), and one for
# each source of strategies/: of what belongs to it and of all in strategies/ that this includes. `own`: that is not as
# committed. Comments count, compilers and their flags do not.
#
#   cmake -DSOURCE_DIR=DIR -DOUTPUT=fingerprints.cpp -P tools/fingerprints.cmake
cmake_minimum_required(VERSION 3.25)

# Rooms that only record, show or ask: they decide nothing.
set(bystanders "^src/(arguments|batch|bound|browser|cli|conformance|learning|live|log|mcap|net|pictures|player|python|recording|scene|sensor_log|view|wire)/")

function(short_hash out text)
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 12 hash)
  set(${out} ${hash} PARENT_SCOPE)
endfunction()

# Hash of files, by name and content.
function(hash_of_files out)
  set(files ${ARGN})
  list(SORT files)
  set(contents "")
  foreach(file ${files})
    file(SHA256 ${SOURCE_DIR}/${file} hash)
    string(APPEND contents "${file} ${hash}\n")
  endforeach()
  short_hash(hash "${contents}")
  set(${out} ${hash} PARENT_SCOPE)
endfunction()

# The library.
file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR}
     ${SOURCE_DIR}/include/*.hpp ${SOURCE_DIR}/src/*.hpp ${SOURCE_DIR}/src/*.cpp)
list(FILTER sources EXCLUDE REGEX "${bystanders}")
list(FILTER sources EXCLUDE REGEX "^src/features/.*/test_[a-z0-9_]+[.]cpp$")
hash_of_files(library ${sources})

# The headers that strategies are built with, and for those that are built outside of this tree a header that says so.
file(GLOB_RECURSE headers RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/include/*.hpp)
hash_of_files(api ${headers})
cmake_path(GET OUTPUT PARENT_PATH build)
set(api_header ${build}/api/outrider/detail/api_fingerprint.hpp)
set(text "#pragma once\n#define OUTRIDER_API_FINGERPRINT \"${api}\"\n")
set(old "")
if(EXISTS ${api_header})
  file(READ ${api_header} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${api_header} "${text}")
endif()

# What is not as committed; nothing without git.
set(uncommitted "")
set(pathspec -- strategies/*.cpp strategies/*.hpp)
foreach(question "diff;--name-only;--relative;HEAD" "ls-files;--others")
  execute_process(COMMAND git -C ${SOURCE_DIR} -c core.quotepath=off ${question} ${pathspec}
                  OUTPUT_VARIABLE paths ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    string(REPLACE "\n" ";" paths "${paths}")
    list(APPEND uncommitted ${paths})
  endif()
endforeach()

# Each source of a strategy: its hash and what it includes.
file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/strategies/*.cpp ${SOURCE_DIR}/strategies/*.hpp)
list(SORT sources)
foreach(source ${sources})
  file(SHA256 ${SOURCE_DIR}/${source} hash_${source})
  file(STRINGS ${SOURCE_DIR}/${source} lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
  set(includes_${source} "")
  foreach(line ${lines})
    string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" header "${line}")
    list(APPEND includes_${source} ${header})
  endforeach()
endforeach()

# What belongs to a source: its folder, or where sources stand side by side, header and source of one name.
function(unit_of out source)
  cmake_path(GET source PARENT_PATH folder)
  if(folder STREQUAL "strategies" OR folder STREQUAL "strategies/shared")
    cmake_path(REMOVE_EXTENSION source LAST_ONLY OUTPUT_VARIABLE stem)
    set(unit ${stem}.cpp ${stem}.hpp)
  else()
    set(unit ${sources})
    list(FILTER unit INCLUDE REGEX "^${folder}/")
  endif()
  set(${out} ${unit} PARENT_SCOPE)
endfunction()

# Hash of a source, its unit and the units of all that these include, and whether all are as committed.
function(fingerprint_of source)
  unit_of(todo ${source})
  set(seen "")
  while(todo)
    list(POP_FRONT todo at)
    if(at IN_LIST seen OR NOT at IN_LIST sources)
      continue()
    endif()
    list(APPEND seen ${at})
    cmake_path(GET at PARENT_PATH folder)
    foreach(header ${includes_${at}})
      foreach(place ${folder}/${header} strategies/${header})
        if(place IN_LIST sources)
          unit_of(unit ${place})
          list(APPEND todo ${unit})
          break()
        endif()
      endforeach()
    endforeach()
  endwhile()
  list(SORT seen)
  set(contents "")
  set(own false)
  foreach(at ${seen})
    string(APPEND contents "${at} ${hash_${at}}\n")
    if(at IN_LIST uncommitted)
      set(own true)
    endif()
  endforeach()
  short_hash(hash "${contents}")
  set(hash ${hash} PARENT_SCOPE)
  set(own ${own} PARENT_SCOPE)
endfunction()

set(table "")
file(GLOB adapters RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/src/external/*.cpp)  # strategies, too, but of the library
foreach(source ${adapters})
  string(APPEND table "    {\"${source}\", \"${library}\", false},\n")
endforeach()
foreach(source ${sources})
  if(source MATCHES "\\.cpp$")
    fingerprint_of(${source})
    string(APPEND table "    {\"${source}\", \"${hash}\", ${own}},\n")
  endif()
endforeach()

set(text "#include \"base/version.hpp\"

namespace outrider {
namespace {

constexpr SourceFingerprint strategies[] = {
${table}    {}};

}  // namespace

std::string_view api_fingerprint() { return \"${api}\"; }
std::string_view library_fingerprint() { return \"${library}\"; }
std::span<const SourceFingerprint> strategy_fingerprints() { return {strategies, std::size(strategies) - 1}; }

}  // namespace outrider
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
