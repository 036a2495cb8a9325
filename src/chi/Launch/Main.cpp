//===- Main.cpp -----------------------------------------------------------===//
#include "chi/Launch/Main.h"
#include "chi/Launch/Cache.h"
#include "chi/Launch/CompilerLibrary.h"
#include "chi/Launch/Files.h"
#include <chrono>
#include <cstdio>
#include <cstring>

using namespace chi;
using namespace chi::launch;

/// Milliseconds since the first call.
static double milliseconds() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point start = Clock::now();
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

static int compileAndRun(const RunOptions &options, const ChicHost &host) {
  auto *compile = reinterpret_cast<CompileFunction *>(
      compilerFunction(host, "chic_compile"));
  if (!compile)
    return 70;
  if (options.time)
    std::fprintf(stderr, "time: %8.2f ms  compiler loaded\n", milliseconds());
  CompiledProgram program;
  compile(options, host, program);
  if (program.status >= 0)
    return program.status;
  if (options.time)
    std::fprintf(stderr, "time: %8.2f ms  program ready\n", milliseconds());
  return runLibrary(program.library, options, program.temporaryFolder);
}

static int run(int argc, const char *const *argv) {
  milliseconds();
  RunOptions options;
  if (int status = parseRunOptions(argc, argv, options); status >= 0)
    return status;
  auto text = readProgram(options.file);
  if (!text)
    return 2;
  options.text = std::move(*text);
  ChicHost host = makeHost();
  if (options.arch == "auto")
    options.arch = "cpu";
  if (options.arch == "cuda" || options.arch == "vulkan") {
    std::fprintf(stderr,
                 "chic: --arch=%s is not supported yet; cpu and interp "
                 "are\n",
                 options.arch.c_str());
    return 2;
  }
  if (options.arch == "interp" || options.help)
    return compileAndRun(options, host);
  Cache cache(!options.noCache);
  auto library =
      cache.findProgram(programKey(options, host), options.programArgs);
  if (options.time)
    std::fprintf(stderr, "time: %8.2f ms  cache looked up: %s\n",
                 milliseconds(), library ? "found" : "not there");
  if (library)
    return runLibrary(*library, options, "");
  return compileAndRun(options, host);
}

int launch::main(int argc, const char *const *argv) {
  if (argc > 1 && std::strcmp(argv[1], "run") == 0)
    return run(argc - 1, argv + 1);
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("chic 0.1.0");
    return 0;
  }
  ChicHost host = makeHost();
  auto *compilerMain = reinterpret_cast<CompilerMainFunction *>(
      compilerFunction(host, "chic_compiler_main"));
  return compilerMain ? compilerMain(argc, argv, host) : 70;
}
