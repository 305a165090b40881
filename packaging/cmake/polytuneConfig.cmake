# find_package(polytune) finds the program tune, POLYTUNE_EXECUTABLE, and defines
#
#   polytune_optimize(TARGET [PARAMETERS NAME=VALUE...] [ARGUMENTS ARGUMENT...])
#
# The C files of the target are compiled with the best variants that are known on this machine for
# their regions (tune cc); a file without a region, or of which nothing is known, is compiled as it
# is. The further target TARGET-tune looks for variants: it runs tune for each file that has a
# region, with the sizes of PARAMETERS and the ARGUMENTS, such as --effort quick. Touch the file, or
# build anew, after that: build systems do not know of the database.

find_program(POLYTUNE_EXECUTABLE tune HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "polytune's program")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(polytune REQUIRED_VARS POLYTUNE_EXECUTABLE)

# A launcher gets the compiler and its arguments; tune cc is told the compiler apart.
function(_polytune_launcher result)
  set(launcher "${CMAKE_BINARY_DIR}/polytune-launcher")
  file(WRITE "${launcher}.tmp/polytune-launcher"
    "#!/bin/sh\ncompiler=$1\nshift\nexec '${POLYTUNE_EXECUTABLE}' cc --compiler \"$compiler\" -- \"$@\"\n")
  file(COPY "${launcher}.tmp/polytune-launcher" DESTINATION "${CMAKE_BINARY_DIR}"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(${result} "${launcher}" PARENT_SCOPE)
endfunction()

function(polytune_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "PARAMETERS;ARGUMENTS")
  if(NOT TARGET ${target} OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polytune_optimize(TARGET [PARAMETERS NAME=VALUE...] [ARGUMENTS ARGUMENT...]), "
      "not polytune_optimize(${ARGV})")
  endif()
  get_filename_component(compiler "${CMAKE_C_COMPILER}" NAME)
  if(NOT compiler MATCHES "^tune(-cc)?$") # with CC="tune cc --" it is called for all files already
    _polytune_launcher(launcher)
    set_property(TARGET ${target} PROPERTY C_COMPILER_LAUNCHER "${launcher}")
  endif()

  set(sizes)
  if(ARG_PARAMETERS)
    string(REPLACE ";" "," sizes "${ARG_PARAMETERS}")
    set(sizes --param "${sizes}")
  endif()
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(commands)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    if(path MATCHES "\\.c$" AND EXISTS "${path}")
      file(STRINGS "${path}" regions REGEX "^[ \t]*#[ \t]*pragma[ \t]+scop")
      if(regions)
        list(APPEND commands COMMAND "${POLYTUNE_EXECUTABLE}" "${path}" ${sizes}
          "$<$<BOOL:${folders}>:-I$<JOIN:${folders},$<SEMICOLON>-I>>" "$<$<BOOL:${macros}>:-D$<JOIN:${macros},$<SEMICOLON>-D>>" ${ARG_ARGUMENTS})
      endif()
    endif()
  endforeach()
  if(commands)
    add_custom_target(${target}-tune ${commands} COMMAND_EXPAND_LISTS VERBATIM USES_TERMINAL
      COMMENT "Looking for variants of ${target}")
  endif()
endfunction()
