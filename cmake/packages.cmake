# Debian packages of what is installed, by 'make package': the command, the library, what programs are built with, and
# the Python package.
find_program(DEDPUL_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(DEDPUL_PYTHON python3)

set(soname_package libdedpul${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same_library "${soname_package} (= ${PROJECT_VERSION})")

# What only packages have: terms, completions where Debian's zsh looks, and Python's files without a library of their own.
set(name_of_command dedpul)
set(name_of_library ${soname_package})
set(name_of_development libdedpul-dev)
set(name_of_python python3-dedpul)
foreach(component command library development python)
  install(FILES LICENSE DESTINATION share/doc/${name_of_${component}} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name_of_${component}})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/completions/_dedpul DESTINATION share/zsh/vendor-completions COMPONENT command EXCLUDE_FROM_ALL)
install(CODE "execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${DEDPUL_PYTHON} ${PROJECT_SOURCE_DIR}/python/backend.py files
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages\")" COMPONENT python EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the dedpul authors")
set(CPACK_OUTPUT_FILE_PREFIX packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/compress_manuals.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_COMPONENT_COMMAND_DESCRIPTION "You have examples of one class and a pile of rows nobody has labeled.\n\
This command estimates what share of the pile is positive, and which rows.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS gnuplot-nox)

set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "This package has the shared library.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "This package has the headers and the static library.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same_library}, libdnnl-dev, libxgboost-dev, zlib1g-dev")

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "This package is for Python 3.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${same_library}, python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-sklearn, python3-matplotlib")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/cmake/debian/python3-dedpul/postinst;${PROJECT_SOURCE_DIR}/cmake/debian/python3-dedpul/prerm")
include(CPack)
