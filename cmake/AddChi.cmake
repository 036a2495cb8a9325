# The build file says only what is in the room; how rooms are built stands here.

set(CHI_SRC ${PROJECT_SOURCE_DIR}/src)
set(CHI_GEN ${PROJECT_BINARY_DIR}/src)
# What the header of the dialect is made by (src/chi/Dialect/Chi).
set(CHI_DIALECT_TABLEGEN ChiDialectEnumIncGen ChiDialectInterfaceIncGen ChiDialectTypeInterfaceIncGen
    ChiDialectIncGen)
set(CHI_WARNINGS -Wall -Wextra -Wno-unused-parameter)
# Debian 12's ANTLR run time still writes u8"" into char*.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-char8_t>)

# Tests and tools share LLVM's libraries, which keeps them small. A target with
# the property CHI_STATIC_LLVM takes the archives instead (chi_link_static_llvm).
set(CHI_LINK_LLVM $<$<NOT:$<BOOL:$<TARGET_PROPERTY:CHI_STATIC_LLVM>>>:LLVM>)
set(CHI_LINK_MLIR $<$<NOT:$<BOOL:$<TARGET_PROPERTY:CHI_STATIC_LLVM>>>:MLIR>)

# What the rooms that see MLIR include most, precompiled: two thirds of the time
# of a file without it. Once for them, and once for what catches exceptions:
# clang takes no header that was compiled under other options.
file(WRITE ${CMAKE_BINARY_DIR}/pch.cpp "// holds the precompiled header\n")
foreach(variant ChiHeaders ChiThrowingHeaders)
  add_library(${variant} OBJECT ${CMAKE_BINARY_DIR}/pch.cpp)
  target_compile_options(${variant} PRIVATE ${CHI_WARNINGS})
  target_include_directories(${variant} PRIVATE ${CHI_SRC} ${CHI_GEN} ${CHI_SRC}/chirt/include)
  target_include_directories(${variant} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_precompile_headers(${variant} PRIVATE
    <mlir/IR/Builders.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/BuiltinOps.h>
    <mlir/IR/IRMapping.h> <mlir/IR/Matchers.h> <mlir/IR/PatternMatch.h>
    <mlir/Pass/Pass.h> <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    "${CHI_SRC}/chi/Dialect/Chi/ChiDialect.h" "${CHI_SRC}/chi/Dialect/Chi/Schedule.h"
    <llvm/ADT/DenseMap.h> <llvm/ADT/StringMap.h> <llvm/ADT/TypeSwitch.h>
    <string> <vector> <memory> <optional> <functional>)
  add_dependencies(${variant} ${CHI_DIALECT_TABLEGEN})
endforeach()
target_compile_options(ChiHeaders PRIVATE -fno-exceptions)

# add_chi_library(ChiFoo [MLIR] SOURCES a.cpp … [DEPS ChiBar …] [TABLEGEN tgt …] [EXCEPTIONS])
# MLIR: the room may include mlir/ and uses the shared precompiled header.
function(add_chi_library name)
  cmake_parse_arguments(A "MLIR;EXCEPTIONS" "" "SOURCES;DEPS;TABLEGEN;LINK" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  string(REGEX REPLACE "^Chi" "" short ${name})
  add_library(chi::${short} ALIAS ${name})
  target_include_directories(${name} PUBLIC ${CHI_SRC} ${CHI_GEN})
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE ${CHI_WARNINGS})
  if(NOT A_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fno-exceptions)
  endif()
  target_link_libraries(${name} PUBLIC ${A_DEPS} ${A_LINK} ${CHI_LINK_LLVM})
  if(A_MLIR)
    target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS})
    target_link_libraries(${name} PUBLIC ${CHI_LINK_MLIR})
    if(A_EXCEPTIONS)
      target_precompile_headers(${name} REUSE_FROM ChiThrowingHeaders)
    else()
      target_precompile_headers(${name} REUSE_FROM ChiHeaders)
    endif()
  endif()
  if(A_TABLEGEN)
    add_dependencies(${name} ${A_TABLEGEN})
  endif()
  set_property(GLOBAL APPEND PROPERTY CHI_LIBRARIES ${name})
endfunction()

# add_chi_tablegen(Target FILE X.td OUT "-gen-op-decls" X.h.inc OUT …)
# Writes the outputs beside the room in the build tree.
function(add_chi_tablegen target)
  cmake_parse_arguments(A "" "FILE" "OUT" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${A_FILE})
  set(TABLEGEN_OUTPUT)
  list(LENGTH A_OUT count)
  math(EXPR last "${count} - 1")
  foreach(i RANGE 0 ${last} 2)
    math(EXPR j "${i} + 1")
    list(GET A_OUT ${i} flags)
    list(GET A_OUT ${j} file)
    separate_arguments(flags)
    tablegen(MLIR ${file} ${flags} EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS} ${CHI_SRC})
  endforeach()
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
  # Not add_public_tablegen_target: that one needs all of AddLLVM.
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()

# add_chi_unittest(ChiFooTests SOURCES a.cpp … DEPS ChiFoo … [MLIR] [PRECOMPILE header])
# A GoogleTest program; ./x test runs every one in build/unit. PRECOMPILE: what
# all of its files include.
function(add_chi_unittest name)
  cmake_parse_arguments(A "MLIR;EXCEPTIONS" "PRECOMPILE" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  target_include_directories(${name} PRIVATE ${CHI_SRC} ${CHI_GEN})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE ${CHI_WARNINGS})
  target_link_libraries(${name} PRIVATE ${A_DEPS} GTest::gtest GTest::gtest_main)
  if(A_MLIR)
    target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS})
    target_link_libraries(${name} PRIVATE MLIR LLVM)
  endif()
  if(A_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${A_PRECOMPILE})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unit)
endfunction()
