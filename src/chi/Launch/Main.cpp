//===- Main.cpp -----------------------------------------------------------===//
#include "chi/Launch/Main.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Files.h"
#include "chi/Launch/NativeMath.h"
#include "chirt/host.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <unistd.h>

using namespace chi;
using namespace chi::launch;

static int compileAndRun(const RunOptions &options, const ChicHost &host) {
  auto *compile = reinterpret_cast<CompileFunction *>(
      compilerFunction(host, "chic_compile"));
  if (!compile)
    return 2;
  host.clock->mark("compiler loaded");
  CompiledProgram program;
  compile(options, host, program);
  if (program.status >= 0)
    return program.status;
  host.clock->mark("program ready");
  if (options.compileOnly)
    return 0;
  return runLibrary(program.library, options);
}

static int run(int argc, const char *const *argv, PhaseClock &clock) {
  RunOptions options;
  if (int status = parseRunOptions(argc, argv, options); status >= 0)
    return status;
  // Before the program runs, there is nothing to keep.
  if (!options.checkpoint.empty())
    std::signal(SIGUSR1, SIG_IGN);
  auto text = readProgram(options.file);
  if (!text)
    return 2;
  options.text = std::move(*text);
  if (options.time)
    clock.enable();
  ChicHost host = makeHost(clock);
  if (options.arch == "auto") {
    options.arch = chirt_best_device();
    host.clock->mark("device looked for");
  }
  applyArch(options);
  if (!takeNativeMath(options.compile, options.arch) ||
      !askArchitecture(options))
    return 2;
  if (options.arch == "interp" && options.compileOnly)
    return 0; // it keeps nothing
  if (options.arch == "interp" || options.help)
    return compileAndRun(options, host);
  Cache cache(!options.noCache);
  auto known =
      cache.findProgram(programKey(options, host), options.programArgs);
  clock.mark(known ? "cache looked up: found" : "cache looked up: not there");
  if (known) {
    printWarnings(known->warnings, options.diagnostics);
    if (options.compileOnly)
      return 0;
    return runLibrary(known->library, options);
  }
  options.noCache = !cache.isEnabled();
  return compileAndRun(options, host);
}

static int dispatch(int argc, const char *const *argv) {
  PhaseClock clock;
  if (argc > 1 && std::strcmp(argv[1], "run") == 0)
    return run(argc - 1, argv + 1, clock);
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("chic 0.1.0");
    return 0;
  }
  ChicHost host = makeHost(clock);
  auto *compilerMain = reinterpret_cast<CompilerMainFunction *>(
      compilerFunction(host, "chic_compiler_main"));
  return compilerMain ? compilerMain(argc, argv, host) : 2;
}

/// Before the compiler is loaded, which then sees to it itself.
[[noreturn]] static void endWithoutMemory() {
  static constexpr char kText[] = "chic: out of memory\n";
  (void)!::write(2, kText, sizeof(kText) - 1);
  ::_exit(2);
}

int launch::main(int argc, const char *const *argv) {
  std::set_new_handler(endWithoutMemory);
  // A file that grows too large is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  // All that this half prints is written at the end, where a failure has its
  // reason.
  std::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
  int status = dispatch(argc, argv);
  bool isWritten = !std::ferror(stdout);
  if (std::fflush(stdout) == 0 && isWritten)
    return status;
  std::fprintf(stderr, "chic: cannot write to standard output: %s\n",
               std::strerror(errno));
  return 2;
}
