//===- SanitizerOptions.cpp - How the sanitizers run, in every program ----===//
// Part of each executable of a build with CHI_SANITIZE. ASAN_OPTIONS and the
// variables of the other sanitizers add to these.
//===----------------------------------------------------------------------===//

/// LLVM and MLIR come without instrumentation, but their headers, compiled
/// into our code, poison memory that the libraries then use, and annotate
/// vectors that they then grow; LLVM gives threads a signal stack of its own.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "use_sigaltstack=0:detect_stack_use_after_return=1";
}

/// A finding ends the program: a test must not pass over it.
extern "C" const char *__ubsan_default_options() {
  return "halt_on_error=1:print_stacktrace=1";
}

/// What libraries keep to the end, by design.
extern "C" const char *__lsan_default_suppressions() {
  return "leak:libLLVM.so\nleak:libMLIR.so\nleak:libantlr4-runtime.so\n";
}
