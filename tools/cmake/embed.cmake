# Files as texts in the program.
#
#   outrider_embed(TARGET HEADER NAMESPACE NAME FILE... [NAME FILE...] ...)
#
# Writes HEADER for TARGET's sources: in a namespace, a std::string_view for each NAME with the files behind it, one after
# the other. A word with a dot is a file. Written anew when a file changes.
function(outrider_embed target header namespace)
  set(text "// Written by tools/cmake/embed.cmake.\n#pragma once\n\n#include <string_view>\n\nnamespace outrider::${namespace} {\n")
  set(open "")
  foreach(word ${ARGN})
    if(word MATCHES "[.]")
      file(READ ${PROJECT_SOURCE_DIR}/${word} content)
      string(APPEND text "R\"outrider(${content})outrider\"\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${word})
    else()
      string(APPEND text "${open}inline constexpr std::string_view ${word} =\n")
      set(open ";\n")
    endif()
  endforeach()
  string(APPEND text ";\n}  // namespace outrider::${namespace}\n")
  set(folder ${PROJECT_BINARY_DIR}/embedded/${target})
  file(WRITE ${folder}/${header}.new "${text}")
  file(COPY_FILE ${folder}/${header}.new ${folder}/${header} ONLY_IF_DIFFERENT)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
