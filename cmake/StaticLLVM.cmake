# chi_link_static_llvm(target [OF]): LLVM and MLIR inside the target, with what
# makes code for one machine: this one, or the one that is named. Relocating the
# shared libraries costs 25 ms at each start of the compiler; the archives, with
# what is not called removed, cost 5.
function(chi_link_static_llvm target)
  set(own ${LLVM_NATIVE_ARCH} ${ARGN})
  list(GET own -1 own)
  # lld asks for every target that LLVM was built with, for link-time
  # optimisation, which Chi does not do. Empty functions take their place, so
  # that the archives of those targets stay out.
  set(stubs ${CMAKE_CURRENT_BINARY_DIR}/OtherTargetsOf${target}.cpp)
  set(text "// Targets that the compiler does not generate code for.\n")
  set(others ${LLVM_TARGETS_TO_BUILD})
  list(REMOVE_ITEM others ${own})
  foreach(other ${others})
    foreach(part Target TargetInfo TargetMC AsmPrinter AsmParser)
      string(APPEND text "extern \"C\" void LLVMInitialize${other}${part}() {}\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${stubs} CONTENT "${text}" @ONLY)
  target_sources(${target} PRIVATE ${stubs})
  set_target_properties(${target} PROPERTIES CHI_STATIC_LLVM ON)
  file(GLOB archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  target_link_libraries(${target} PRIVATE ${archives})
  target_link_options(${target} PRIVATE -fuse-ld=lld -Wl,--gc-sections -Wl,-Bsymbolic)
endfunction()
