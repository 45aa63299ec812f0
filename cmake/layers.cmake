# A layer is a directory below src/. Headers are included by name alone and searched for only in the
# layer itself and in those it uses, so an include that breaks the layering does not compile. Of the public
# headers, layers see dedpul_common.h (status, error, allocator, warnings, progress); only a PUBLIC one sees all.
# The grants go to layers.txt in the build directory, "LAYER USED" by line, for tests/cli/layering.sh.
set_property(GLOBAL PROPERTY DEDPUL_OBJECTS "")

function(dedpul_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "PUBLIC" "" "USES")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  add_library(layer_${name} OBJECT ${sources})
  set(directories ${PROJECT_SOURCE_DIR}/include/common ${PROJECT_SOURCE_DIR}/src/${name})
  if(layer_PUBLIC)
    list(APPEND directories ${PROJECT_SOURCE_DIR}/include)
  endif()
  foreach(used IN LISTS layer_USES)
    if(NOT TARGET layer_${used}) # so that there are no circles
      message(FATAL_ERROR "Layer ${name} uses ${used}, which is not a layer that stands before it")
    endif()
    set_property(GLOBAL APPEND PROPERTY DEDPUL_GRANTS "${name} ${used}")
    list(APPEND directories ${PROJECT_SOURCE_DIR}/src/${used})
  endforeach()
  target_include_directories(layer_${name} PRIVATE ${directories})
  target_link_libraries(layer_${name} PRIVATE ZLIB::ZLIB)
  set_property(GLOBAL APPEND PROPERTY DEDPUL_OBJECTS $<TARGET_OBJECTS:layer_${name}>)
  set_property(GLOBAL APPEND PROPERTY DEDPUL_DIRECTORIES ${PROJECT_SOURCE_DIR}/src/${name})
endfunction()

# The shared and the static library, what is installed with them, and dedpul_internal: all objects with
# all headers, for the tests.
function(dedpul_libraries)
  get_property(objects GLOBAL PROPERTY DEDPUL_OBJECTS)
  get_property(directories GLOBAL PROPERTY DEDPUL_DIRECTORIES)
  get_property(grants GLOBAL PROPERTY DEDPUL_GRANTS)
  list(JOIN grants "\n" grants)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/layers.txt CONTENT "${grants}\n" @ONLY)

  add_library(dedpul_shared SHARED ${objects})
  set_target_properties(dedpul_shared PROPERTIES
    OUTPUT_NAME dedpul EXPORT_NAME dedpul VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE C)
  target_link_libraries(dedpul_shared PRIVATE ZLIB::ZLIB dnnl xgboost gomp Threads::Threads m)

  # For wheels, which have the libraries that it needs in libs/ beside it. An rpath holds for what these need, too; a
  # runpath does not.
  add_library(dedpul_wheel SHARED ${objects})
  set_target_properties(dedpul_wheel PROPERTIES
    OUTPUT_NAME dedpul LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/wheel_library LINKER_LANGUAGE C
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/libs")
  target_link_libraries(dedpul_wheel PRIVATE ZLIB::ZLIB dnnl xgboost gomp Threads::Threads m)
  target_link_options(dedpul_wheel PRIVATE -Wl,--disable-new-dtags -Wl,--strip-all)

  add_library(dedpul_internal STATIC ${objects})
  set_target_properties(dedpul_internal PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(dedpul_internal PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/common ${directories})
  target_link_libraries(dedpul_internal PUBLIC ZLIB::ZLIB dnnl xgboost gomp Threads::Threads m)

  # One object with all hidden symbols made local, so that a program that links the static library
  # sees no name of ours but the public ones.
  set(merged ${PROJECT_BINARY_DIR}/dedpul_merged.o)
  add_custom_command(OUTPUT ${merged}
    COMMAND ${CMAKE_LINKER} -r -o ${merged} --whole-archive $<TARGET_FILE:dedpul_internal>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${merged}
    DEPENDS dedpul_internal VERBATIM)
  add_library(dedpul_static STATIC ${merged})
  set_target_properties(dedpul_static PROPERTIES OUTPUT_NAME dedpul EXPORT_NAME dedpul_static LINKER_LANGUAGE C)
  target_link_libraries(dedpul_static PUBLIC ZLIB::ZLIB dnnl xgboost gomp Threads::Threads m)

  foreach(target dedpul_shared dedpul_static)
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/common>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endforeach()

  install(TARGETS dedpul_shared dedpul_static EXPORT dedpul ARCHIVE COMPONENT development
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
  file(GLOB headers ${PROJECT_SOURCE_DIR}/include/*.h ${PROJECT_SOURCE_DIR}/include/common/*.h)
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  install(EXPORT dedpul NAMESPACE dedpul:: FILE dedpul-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dedpul
    COMPONENT development)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dedpul-config.cmake.in ${PROJECT_BINARY_DIR}/dedpul-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dedpul)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/dedpul-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/dedpul-config.cmake ${PROJECT_BINARY_DIR}/dedpul-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dedpul COMPONENT development)
  file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/dedpul.pc.in ${PROJECT_BINARY_DIR}/dedpul.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/dedpul.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()
