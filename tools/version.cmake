# Writes version.cpp with the version and the commit, only when they changed.
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty=+ --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
elseif(NOT commit MATCHES "[+]$")  # sources that git does not know are no part of the commit
  execute_process(COMMAND git -C ${SOURCE_DIR} ls-files --others -- src/*.?pp include/*.?pp strategies/*.?pp
                  OUTPUT_VARIABLE others ERROR_QUIET)
  if(NOT others STREQUAL "")
    string(APPEND commit "+")
  endif()
endif()
set(text "#include \"base/version.hpp\"

namespace outrider {

std::string_view version() { return \"${VERSION}\"; }
std::string_view source_id() { return \"${commit}\"; }

}  // namespace outrider
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
