# What `cmake --install` puts where, and the Debian packages that CPack makes of it (tools/package):
#
#   outrider          the program, its maps, the API for strategies of one's own, manual page, completion
#   outrider-view     the window
#   python3-outrider  the Python package
#   outrider-doc      the documentation
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The manual page and the completion are what the program prints.
set(said ${PROJECT_BINARY_DIR}/said)
file(MAKE_DIRECTORY ${said})
add_custom_command(TARGET outrider POST_BUILD
  COMMAND $<TARGET_FILE:outrider> help --man > ${said}/outrider.1
  COMMAND $<TARGET_FILE:outrider> help --bash > ${said}/outrider)

install(TARGETS outrider DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY environments DESTINATION ${CMAKE_INSTALL_DATADIR}/outrider COMPONENT program)
install(FILES ${said}/outrider.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${said}/outrider DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
# For strategies outside of the tree: the API, and a package that says how to build with it.
install(DIRECTORY include/outrider DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/api/outrider/detail/api_fingerprint.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/outrider/detail COMPONENT program)
configure_package_config_file(tools/cmake/OutriderConfig.cmake.in ${PROJECT_BINARY_DIR}/OutriderConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Outrider
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/OutriderConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/OutriderConfig.cmake ${PROJECT_BINARY_DIR}/OutriderConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Outrider COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}-doc COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}-doc COMPONENT doc)
set(packages program doc)
if(TARGET outrider-view)
  install(TARGETS outrider-view DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
  list(APPEND packages window)
endif()
if(TARGET outrider_python)
  set(python_folder lib/python3/dist-packages/outrider)
  install(DIRECTORY src/python/outrider/ DESTINATION ${python_folder} COMPONENT python PATTERN __pycache__ EXCLUDE)
  install(TARGETS outrider_python DESTINATION ${python_folder} COMPONENT python)
  list(APPEND packages python)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME outrider)
set(CPACK_PACKAGE_CONTACT "The Outrider founders <outrider@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of teams of robots that explore an unknown map")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME outrider)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "g++, libfmt-dev, outrider-view, python3-outrider, outrider-doc")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME outrider-view)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "outrider (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-outrider)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "outrider (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME outrider-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
include(CPack)
