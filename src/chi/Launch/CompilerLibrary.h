//===- CompilerLibrary.h - How `chic` reaches the compiler ------*- C++ -*-===//
// The two halves of `chic` are built together; one calls two functions of the
// other, libchic-compiler.so, found by name. Their arguments are the structs
// here.
//
#ifndef CHI_LAUNCH_COMPILERLIBRARY_H
#define CHI_LAUNCH_COMPILERLIBRARY_H

#include "chi/Launch/Descriptor.h"
#include "chi/Launch/PhaseClock.h"
#include "chi/Launch/RunOptions.h"
#include <string>

struct chirt_program;

namespace chi::launch {

/// The data that the compiler needs from the process that loaded it.
struct ChicHost {
  /// Folder of the binaries; the standard library lies relative to it.
  std::string binaryFolder;
  /// Identifies this build of the compiler, part of every key of the cache.
  std::string buildIdentity;
  /// Prints the phases under `--time`.
  PhaseClock *clock;
  /// The function `runLibrary` below, of the loading process.
  int (*runLibrary)(const Descriptor &library, const RunOptions &options);
};

/// The outcome of `chic_compile`.
struct CompiledProgram {
  /// -1: `library` is ready to run. Else the exit status: of a failed
  /// compilation, or of the program if the interpreter ran it.
  int status = -1;
  /// Open: a file of the cache, or one that has no name any more.
  Descriptor library;
};

using CompileFunction = void(const RunOptions &, const ChicHost &,
                             CompiledProgram &);
using CompilerMainFunction = int(int argc, const char *const *argv,
                                 const ChicHost &);

/// Path of libchic-compiler.so.
std::string compilerLibraryPath(const std::string &binaryFolder);
/// Path of libchic-offload.so, which makes code for devices.
std::string offloadLibraryPath(const std::string &binaryFolder);

/// A function of the compiler library, which is loaded at the first call.
/// Prints why and returns null if it cannot be.
void *compilerFunction(const ChicHost &host, const char *name);

/// The options of a compilation that follow from the arch of a run. For tests
/// of Chi, CHI_RECORD=vulkan or cuda in the environment replaces the
/// processor's options by those of that device.
void applyArch(RunOptions &options);

/// Starts a CUDA device if the program runs on one, and queries which
/// architecture code is compiled for. False, after a report, if there is none.
bool askArchitecture(RunOptions &options);

struct Hash;
/// Key of the first level of the cache for a run: a hash of the program's path
/// and text, and of all options, versions and properties of the machine that
/// its code depends on. Imported files are compared by the entry of the cache.
Hash programKey(const RunOptions &options, const ChicHost &host);

/// Words that identify this processor: features that matter to code.
std::string processorIdentity();

struct WarningTexts;
/// Prints the diagnostics from the compilation of a cached program on stderr,
/// in the format of `options`. Errors of the stream are ignored.
void printWarnings(const WarningTexts &warnings,
                   const DiagnosticOptions &options);

/// Host of this process.
ChicHost makeHost(PhaseClock &clock);

/// Loads a compiled program by its descriptor: the file that was checked, even
/// if another one has its name by now. Null, after a report, if that fails. The
/// library stays loaded.
/// `provenance`: what the compiler says of the program, for the records of its
/// files; null where it says nothing.
const chirt_program *loadProgram(const Descriptor &library,
                                 const char **provenance = nullptr);

/// Loads a compiled program, runs it and returns its exit status.
int runLibrary(const Descriptor &library, const RunOptions &options);

/// Runs the table of a program that is in memory, under the options and with
/// the parameters of a run. Returns its exit status. `provenance`: that of
/// `loadProgram`; null: the files that it saves get no record.
int runTable(const chirt_program *program, const RunOptions &options,
             const char *provenance = nullptr);

} // namespace chi::launch
#endif // CHI_LAUNCH_COMPILERLIBRARY_H
