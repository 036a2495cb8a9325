# add_chi_grammar(ChiGrammar LEXER ChiLexer.g4 PARSER ChiParser.g4)
# Makes the lexer and the parser in the build tree and a library of them. The
# run time of Debian is not position independent as an archive, so the shared
# library is linked.
find_program(ANTLR4_TOOL NAMES antlr4 REQUIRED)
find_path(ANTLR4_INCLUDE_DIR antlr4-runtime.h PATH_SUFFIXES antlr4-runtime
          REQUIRED)
find_library(ANTLR4_RUNTIME NAMES libantlr4-runtime.so antlr4-runtime REQUIRED)

# From 4.10 on the run time reads other tables than tools before it write (some
# Ubuntu releases pair 4.9 with 4.10). The header with the version came with it.
if(EXISTS ${ANTLR4_INCLUDE_DIR}/Version.h)
  execute_process(COMMAND ${ANTLR4_TOOL} OUTPUT_VARIABLE help ERROR_QUIET)
  string(REGEX MATCH "Version ([0-9.]+)" found "${help}")
  if(CMAKE_MATCH_1 VERSION_LESS 4.10)
    message(FATAL_ERROR
      "the ANTLR tool ${ANTLR4_TOOL} is ${CMAKE_MATCH_1}, its C++ run time 4.10 "
      "or later: they do not fit. Give the tool of the run time's version: "
      "cmake --preset release -DANTLR4_TOOL=FILE, then ./x build")
  endif()
endif()

function(add_chi_grammar name)
  cmake_parse_arguments(A "" "LEXER;PARSER" "" ${ARGN})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/grammar)
  set(flags -Dlanguage=Cpp -no-listener -no-visitor -package chi::grammar
            -Xexact-output-dir -o ${out})
  get_filename_component(lexer ${A_LEXER} NAME_WE)
  get_filename_component(parser ${A_PARSER} NAME_WE)
  # One command: the parser reads the token numbers that the lexer writes, and
  # the tool looks for them beside the grammars.
  add_custom_command(
    OUTPUT ${out}/${lexer}.cpp ${out}/${lexer}.h
           ${out}/${parser}.cpp ${out}/${parser}.h
    COMMAND ${ANTLR4_TOOL} ${flags} ${A_LEXER}
    COMMAND ${ANTLR4_TOOL} ${flags} -lib ${out} ${A_PARSER}
    DEPENDS ${A_LEXER} ${A_PARSER}
    COMMENT "ANTLR: ${lexer}, ${parser}"
    VERBATIM)
  add_library(${name} STATIC ${out}/${lexer}.cpp ${out}/${parser}.cpp)
  target_include_directories(${name} SYSTEM PUBLIC ${out}
                             ${ANTLR4_INCLUDE_DIR})
  # The generated code is not ours to warn about, and it writes u8"" into
  # char strings.
  target_compile_options(${name} PRIVATE -w PUBLIC -fno-char8_t)
  target_link_libraries(${name} PUBLIC ${ANTLR4_RUNTIME})
endfunction()
