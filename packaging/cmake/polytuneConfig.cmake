# find_package(polytune) finds the program tune, POLYTUNE_EXECUTABLE, and defines
#
#   polytune_optimize(TARGET [PARAMETERS NAME=VALUE...] [ARGUMENTS ARGUMENT...])
#
# The C files of the target are compiled with the best variants that are known on this machine for
# their regions (tune cc); a file without a region, or of which nothing is known, is compiled as it
# is. The build says for each region which it was; TUNE_CC_VERBOSE=0 makes it silent.
#
# Variants are timed with -O3 -march=native -fopenmp. A target without these flags gets the variants,
# and little of their speed:
#
#   find_package(OpenMP REQUIRED)
#   target_compile_options(TARGET PRIVATE -O3 -march=native)
#   target_link_libraries(TARGET PRIVATE OpenMP::OpenMP_C)
#
# The further target TARGET-tune looks for variants: it runs tune for all files that have a region,
# with the compiler of the build, the sizes of PARAMETERS and the ARGUMENTS, such as
# --effort quick or --budget 5m; the next build compiles these files anew. Where the budget ends
# before all was done, the target goes on from there when it is made again. After a session of your
# own touch the files, or build anew: build systems do not know of the database. Configure anew
# when the first pragma is in a file.

find_program(POLYTUNE_EXECUTABLE tune HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "polytune's program")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(polytune REQUIRED_VARS POLYTUNE_EXECUTABLE)

# _polytune_script writes a script of the shell below the build's folder; result is its path.
function(_polytune_script result name text)
  file(WRITE "${CMAKE_BINARY_DIR}/${name}.tmp/${name}" "#!/bin/sh\n${text}")
  file(COPY "${CMAKE_BINARY_DIR}/${name}.tmp/${name}" DESTINATION "${CMAKE_BINARY_DIR}"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(${result} "${CMAKE_BINARY_DIR}/${name}" PARENT_SCOPE)
endfunction()

# _polytune_compiler gives the flag that names the build's compiler as tune does: by the name of its
# settings, which have flags for it, where that is the same program.
function(_polytune_compiler result)
  get_filename_component(own "${CMAKE_C_COMPILER}" REALPATH)
  set(${result} --cc "${CMAKE_C_COMPILER}" PARENT_SCOPE)
  foreach(name gcc clang icx icc nvc)
    find_program(_polytune_${name} ${name})
    mark_as_advanced(_polytune_${name})
    if(_polytune_${name})
      get_filename_component(known "${_polytune_${name}}" REALPATH)
      if(known STREQUAL own)
        set(${result} --cc ${name} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

function(polytune_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "PARAMETERS;ARGUMENTS")
  if(NOT TARGET ${target} OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polytune_optimize(TARGET [PARAMETERS NAME=VALUE...] [ARGUMENTS ARGUMENT...]), "
      "not polytune_optimize(${ARGV})")
  endif()
  set(compiled_by)
  get_filename_component(compiler "${CMAKE_C_COMPILER}" NAME)
  if(NOT compiler MATCHES "^tune(-cc)?$") # with CC="tune cc --" it is called for all files already
    # A launcher gets the compiler and its arguments; tune cc is told the compiler apart.
    _polytune_script(launcher polytune-launcher "compiler=$1
shift
TUNE_CC_VERBOSE=\${TUNE_CC_VERBOSE-1}
export TUNE_CC_VERBOSE
exec '${POLYTUNE_EXECUTABLE}' cc --compiler \"$compiler\" -- \"$@\"
")
    set_property(TARGET ${target} PROPERTY C_COMPILER_LAUNCHER "${launcher}")
    if(NOT "--cc" IN_LIST ARG_ARGUMENTS)
      _polytune_compiler(compiled_by)
    endif()
  endif()

  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}.polytune")
  set(files)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    if(path MATCHES "\\.c$" AND EXISTS "${path}")
      file(STRINGS "${path}" regions REGEX "^[ \t]*#[ \t]*pragma[ \t]+scop")
      if(regions)
        list(APPEND files "${path}")
        set_property(SOURCE "${path}" APPEND PROPERTY OBJECT_DEPENDS "${stamp}")
      endif()
    endif()
  endforeach()
  if(NOT files)
    message(STATUS "polytune: no C file of ${target} has a region; tune scan FILE... --write marks loop nests; then configure anew")
    return()
  endif()
  if(NOT EXISTS "${stamp}")
    file(WRITE "${stamp}" "")
  endif()

  set(sizes)
  if(ARG_PARAMETERS)
    string(REPLACE ";" "," sizes "${ARG_PARAMETERS}")
    set(sizes --param "${sizes}")
  endif()
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  # What is known when the budget has ended is a result, too.
  _polytune_script(session polytune-session "stamp=$1
shift
'${POLYTUNE_EXECUTABLE}' \"$@\"
status=$?
touch \"$stamp\"
[ $status -eq 75 ] || exit $status
")
  add_custom_target(${target}-tune COMMAND "${session}" "${stamp}" ${files} ${sizes} ${compiled_by}
    "$<$<BOOL:${folders}>:-I$<JOIN:${folders},$<SEMICOLON>-I>>" "$<$<BOOL:${macros}>:-D$<JOIN:${macros},$<SEMICOLON>-D>>" ${ARG_ARGUMENTS}
    COMMAND_EXPAND_LISTS VERBATIM USES_TERMINAL
    COMMENT "Looking for variants of ${target}; then build anew")
endfunction()
